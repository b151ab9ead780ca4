"""Fresh databases, each a copy of one migrated template: for tests, evals and benchmarks."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import tempfile
import uuid
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from enum import Enum
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from agencyclaw.store import embedded_server
from agencyclaw.store.embedded import EmbeddedPostgres, EmbeddedPostgresError
from agencyclaw.store.engine import Database
from agencyclaw.store.migrate import migrate
from agencyclaw.store.seed import seed

# Nothing here has to survive a crash, and copying a database is mostly waiting for the disk.
CARELESS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "64MB",
}
MEMORY = Path("/dev/shm")  # noqa: S108 - not a temporary file: a file system in memory
ENOUGH_MEMORY = 2 * 2**30
HOME = "agencyclaw-tests-"
_NUMBERS = count(1)
_asyncpg: Any = asyncpg


class DatabaseContent(Enum):
    """What a fresh database holds."""

    EMPTY = "empty"
    AGENCY = "agency"


class Cluster:
    """A server on which databases are copied from templates and dropped."""

    def __init__(self, admin: Any, dsn: str, options: str) -> None:
        self._admin = admin
        self._dsn = dsn
        self._options = options
        self._run = uuid.uuid4().hex[:8]
        self._made = 0
        self._templates: dict[DatabaseContent, str] = {}
        # One connection does one thing at a time, and a template is furnished once.
        self._speaking = asyncio.Lock()
        self._furnishing = asyncio.Lock()

    def address(self, name: str) -> str:
        """Return the DSN of a database on this server."""
        return urlunsplit(urlsplit(self._dsn)._replace(path=f"/{name}"))

    @asynccontextmanager
    async def database(self, content: DatabaseContent) -> AsyncGenerator[Database]:
        """Give a database of one's own, open; it is gone afterwards, whoever still uses it."""
        async with self._furnishing:
            template = await self._template(content)
        name = await self._create(template)
        db = await Database.open(self.address(name), min_size=1)
        try:
            yield db
        finally:
            await db.close()
            await self._drop(name)

    @asynccontextmanager
    async def blank(self) -> AsyncGenerator[str]:
        """Give the address of a database that no migration has seen."""
        name = await self._create("template1")
        try:
            yield self.address(name)
        finally:
            await self._drop(name)

    async def close(self) -> None:
        """Drop the templates."""
        for name in self._templates.values():
            await self._drop(name)

    async def _template(self, content: DatabaseContent) -> str:
        if content not in self._templates:
            self._templates[content] = await self._furnish(content)
        return self._templates[content]

    async def _furnish(self, content: DatabaseContent) -> str:
        if content is DatabaseContent.EMPTY:
            name = await self._create("template1")
            await migrate(self.address(name))
            return name
        name = await self._create(await self._template(DatabaseContent.EMPTY))
        db = await Database.open(self.address(name), min_size=1)
        await seed(db)
        await db.close()
        return name

    async def _create(self, template: str) -> str:
        self._made += 1
        name = f"test_{self._run}_{self._made}"
        await self._tell(f'CREATE DATABASE "{name}" TEMPLATE "{template}" {self._options}')
        return name

    async def _drop(self, name: str) -> None:
        await self._tell(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    async def _tell(self, statement: str) -> None:
        async with self._speaking:
            await self._admin.execute(statement)


@asynccontextmanager
async def running_cluster(address: str = "", options: str = "") -> AsyncGenerator[Cluster]:
    """Use the server at the given address, else an embedded one of this process."""
    if address:
        plain = address.replace("postgresql+asyncpg://", "postgresql://")
        async with _cluster(plain, plain, options) as cluster:
            yield cluster
        return
    async with running_server() as postgres:
        options = "OWNER agencyclaw STRATEGY FILE_COPY"
        async with _cluster(postgres.admin_dsn, postgres.dsn, options) as cluster:
            yield cluster


@asynccontextmanager
async def running_server() -> AsyncGenerator[EmbeddedPostgres]:
    """Run an embedded server in memory that forgets everything at the end."""
    await _sweep()
    home = fast_folder() / f"{HOME}{os.getpid()}-{next(_NUMBERS)}"
    postgres = EmbeddedPostgres(home)
    with _careless(embedded_server.SETTINGS):
        await postgres.start()
    try:
        yield postgres
    finally:
        await postgres.erase()
        shutil.rmtree(home)


@contextmanager
def _careless(settings: dict[str, str]) -> Generator[Mapping[str, str]]:
    before = dict(settings)
    settings.update(CARELESS)
    try:
        yield settings
    finally:
        settings.clear()
        settings.update(before)


async def _sweep() -> None:
    """End the servers of runs that were killed: they would keep their memory for ever."""
    for home in fast_folder().glob(f"{HOME}*"):
        if not _is_running(int(home.name.removeprefix(HOME).partition("-")[0])):
            with contextlib.suppress(OSError, EmbeddedPostgresError):
                await EmbeddedPostgres(home).erase()
                shutil.rmtree(home)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def fast_folder() -> Path:
    """In memory a copy takes 12 ms, on a virtual disk 100; containers often have too little."""
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY:
        return MEMORY
    return Path(tempfile.gettempdir())


@asynccontextmanager
async def _cluster(admin_dsn: str, dsn: str, options: str) -> AsyncGenerator[Cluster]:
    admin = await _asyncpg.connect(admin_dsn)
    cluster = Cluster(admin, dsn, options)
    try:
        yield cluster
    finally:
        await cluster.close()
        await admin.close()
