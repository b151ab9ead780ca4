"""Homes and servers for the tests of the store."""

import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio
from databases import Cluster

from agencyclaw.store.embedded import EmbeddedPostgres


@pytest_asyncio.fixture
async def home(tmp_path: Path) -> AsyncGenerator[Path]:
    """A home folder of its own, empty; whatever server is left on it ends with the test."""
    folder = tmp_path / "home"
    yield folder
    assert await EmbeddedPostgres(folder).erase()


@pytest_asyncio.fixture(scope="session")
async def kept_home() -> AsyncGenerator[Path]:
    """A home with one row in it."""
    with tempfile.TemporaryDirectory() as folder:
        async with EmbeddedPostgres(Path(folder)) as postgres:
            connection = await asyncpg.connect(postgres.dsn)
            await connection.execute("CREATE TABLE kept AS SELECT 1 AS row")
            await connection.close()
        yield Path(folder)


@pytest_asyncio.fixture
async def used_home(kept_home: Path) -> AsyncGenerator[Path]:
    """A home that was used before and is not running; the tests that share it leave it so."""
    yield kept_home
    postgres = EmbeddedPostgres(kept_home)
    await postgres.start()
    assert await postgres.stop()


@pytest_asyncio.fixture
async def spare_database(cluster: Cluster) -> AsyncGenerator[str]:
    """The address of a database that no migration has seen."""
    async with cluster.blank() as address:
        yield address


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """A migrations folder with the real environment and no migration."""
    real = Path(__file__).parents[3] / "migrations"
    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    for name in ("env.py", "script.py.mako"):
        (folder / name).write_text((real / name).read_text())
    return folder
