"""Ground for evals: a server where everything is allowed, for this folder's tests."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from evals.databases import running_server
from evals.world import Ground, open_ground


@pytest.fixture(scope="session")
async def ground() -> AsyncGenerator[Ground]:
    async with running_server() as postgres, open_ground(postgres.admin_dsn) as ground:
        yield ground
