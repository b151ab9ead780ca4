"""The ground for tests that kill: one warmed parent for all, a workbench and a database each."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from ground import PATIENT, Ground, open_ground
from lives import Nursery, open_nursery

from agencyclaw.store.engine import Database


@pytest.fixture(scope="session")
async def nursery(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Nursery]:
    """The warmed parent of all assistants of this test run."""
    async with open_nursery(tmp_path_factory.mktemp("chaos")) as nursery:
        yield nursery


@pytest.fixture
async def ground(nursery: Nursery, agency: Database) -> AsyncGenerator[Ground]:
    """A workbench and a database; no assistant yet."""
    async with open_ground(nursery, agency.dsn, DATABASE_URL=agency.dsn, **PATIENT) as ground:
        yield ground
