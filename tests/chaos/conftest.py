"""The ground for tests that kill: one warmed parent for all, a workbench and a database each."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from ground import PATIENT, Ground, open_ground
from processes import ProcessPool, open_pool

from agencyclaw.store.engine import Database


@pytest.fixture(scope="session")
async def pool(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[ProcessPool]:
    """The warmed parent of all assistants of this test run."""
    async with open_pool(tmp_path_factory.mktemp("chaos")) as pool:
        yield pool


@pytest.fixture
async def ground(pool: ProcessPool, agency: Database) -> AsyncGenerator[Ground]:
    """A workbench and a database; no assistant yet."""
    async with open_ground(pool, agency.dsn, DATABASE_URL=agency.dsn, **PATIENT) as ground:
        yield ground
