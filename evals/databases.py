"""Fresh databases for tests, evals and benchmarks, each a copy of one migrated template."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import tempfile
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import Enum
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from agencyclaw.store.catalogue import install_catalogue
from agencyclaw.store.embedded import EmbeddedPostgres, EmbeddedPostgresError
from agencyclaw.store.embedded_server import SETTINGS
from agencyclaw.store.engine import Connection, Database, plain
from agencyclaw.store.migrate import migrate
from agencyclaw.store.seed import seed
from agencyclaw.tools import built_skills

# No database here has to survive a crash, and copying one is mostly waiting for the disk.
UNSAFE_BUT_FAST = SETTINGS | {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "64MB",
}
MEMORY = Path("/dev/shm")
ENOUGH_MEMORY = 2 * 2**30
_FOLDER_PREFIX = "agencyclaw-tests-"
_NUMBERS = count(1)


class DatabaseContent(Enum):
    """What a fresh database holds."""

    EMPTY = "empty"
    AGENCY = "agency"


class Cluster:
    """A server on which databases are copied from templates and dropped."""

    def __init__(self, admin: Connection, dsn: str, options: str) -> None:
        self._admin = admin
        self._dsn = dsn
        self._options = options
        self._run = uuid.uuid4().hex[:8]
        self._names: list[str] = []
        self._templates: dict[DatabaseContent, str] = {}
        # A connection runs one statement at a time, and each template is created once.
        self._admin_lock = asyncio.Lock()
        self._template_lock = asyncio.Lock()

    def address(self, name: str) -> str:
        """Return the DSN of a database on this server."""
        return urlunsplit(urlsplit(self._dsn)._replace(path=f"/{name}"))

    async def create(self, content: DatabaseContent) -> str:
        """Create a database and return its address; it is dropped when the cluster closes."""
        return self.address(await self._copy(content))

    @asynccontextmanager
    async def database(self, content: DatabaseContent) -> AsyncGenerator[Database]:
        """Yield an open, private database; it is dropped afterwards even if connections remain."""
        name = await self._copy(content)
        db = await Database.open(self.address(name), min_size=1)
        try:
            yield db
        finally:
            await db.close()
            await self._drop(name)

    @asynccontextmanager
    async def blank(self) -> AsyncGenerator[str]:
        """Yield the address of an empty database, without migrations."""
        name = await self._create("template1")
        try:
            yield self.address(name)
        finally:
            await self._drop(name)

    async def close(self) -> None:
        """Drop every database that is left, the templates last."""
        for name in self._names[::-1]:
            await self._drop(name)

    async def checkpoint(self) -> None:
        """Write to disk what the server still has in memory."""
        await self._execute("CHECKPOINT")

    async def server_pid(self) -> int:
        """Return the pid of the process that serves this connection, on the server's machine."""
        async with self._admin_lock:
            return await self._admin.fetchval("SELECT pg_backend_pid()")

    async def _copy(self, content: DatabaseContent) -> str:
        async with self._template_lock:
            template = await self._template(content)
        return await self._create(template)

    async def _template(self, content: DatabaseContent) -> str:
        if content not in self._templates:
            self._templates[content] = await self._create_template(content)
        return self._templates[content]

    async def _create_template(self, content: DatabaseContent) -> str:
        if content is DatabaseContent.EMPTY:
            name = await self._create("template1")
            await migrate(self.address(name))
            return name
        name = await self._create(await self._template(DatabaseContent.EMPTY))
        db = await Database.open(self.address(name), min_size=1)
        try:
            await install_catalogue(db, built_skills())
            await seed(db)
        finally:
            await db.close()
        return name

    async def _create(self, template: str) -> str:
        name = f"test_{self._run}_{next(_NUMBERS)}"
        await self._execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" {self._options}')
        self._names.append(name)
        return name

    async def _drop(self, name: str) -> None:
        await self._execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        self._names.remove(name)

    async def _execute(self, statement: str) -> None:
        async with self._admin_lock:
            await self._admin.execute(statement)


@asynccontextmanager
async def running_cluster(address: str = "", create_options: str = "") -> AsyncGenerator[Cluster]:
    """Yield the server at the address, else an embedded one of this process.

    `create_options` end a CREATE DATABASE at the address; the embedded server has its own.
    """
    if address:
        async with _cluster(plain(address), plain(address), create_options) as cluster:
            yield cluster
        return
    async with running_server() as postgres, embedded_cluster(postgres) as cluster:
        yield cluster


@asynccontextmanager
async def embedded_cluster(postgres: EmbeddedPostgres) -> AsyncGenerator[Cluster]:
    """Yield an embedded server that runs."""
    options = "OWNER agencyclaw STRATEGY FILE_COPY"
    async with _cluster(postgres.admin_dsn, postgres.dsn, options) as cluster:
        yield cluster


@asynccontextmanager
async def running_server() -> AsyncGenerator[EmbeddedPostgres]:
    """Run an embedded server, in memory where possible; its data is deleted at the end."""
    await _sweep()
    home = fast_folder() / f"{_FOLDER_PREFIX}{os.getpid()}-{next(_NUMBERS)}"
    postgres = EmbeddedPostgres(home, settings=UNSAFE_BUT_FAST)
    try:
        await postgres.start()
        yield postgres
    finally:
        await postgres.erase()
        shutil.rmtree(home, ignore_errors=True)


async def _sweep() -> None:
    """Erase the servers of killed runs: in memory they would hold it until a reboot."""
    # Also where there is no room for another one now: what they left may be what fills it.
    for folder in {MEMORY, Path(tempfile.gettempdir())}:
        for home in folder.glob(f"{_FOLDER_PREFIX}*"):
            if not _is_running(int(home.name.removeprefix(_FOLDER_PREFIX).partition("-")[0])):
                with contextlib.suppress(OSError, EmbeddedPostgresError):
                    await EmbeddedPostgres(home).erase()
                    shutil.rmtree(home)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def fast_folder() -> Path:
    """Return a folder in memory if it has room: a copy takes 12 ms there, on a virtual disk 100."""
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY:
        return MEMORY
    return Path(tempfile.gettempdir())


@asynccontextmanager
async def _cluster(admin_dsn: str, dsn: str, options: str) -> AsyncGenerator[Cluster]:
    admin = await asyncpg.connect(admin_dsn)
    cluster = Cluster(admin, dsn, options)
    try:
        yield cluster
    finally:
        await cluster.close()
        await admin.close()
