"""The Postgres of the benchmarks: an embedded one with production settings, or DATABASE_URL's."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import psutil

from agencyclaw.store.embedded import EmbeddedPostgres
from agencyclaw.store.engine import Database
from agencyclaw.store.migrate import migrate
from agencyclaw.store.seed import seed


@dataclass
class Ground:
    """A server with a template of the demo agency, of which each system gets a copy."""

    admin: Any
    dsn: str
    owner: str
    admin_dsn: str
    postmaster: int | None
    made: int = 0

    async def database(self) -> str:
        """Create a database with the demo agency and return its address."""
        self.made += 1
        name = f"bench_{os.getpid()}_{self.made}"
        await self.admin.execute(
            f'create database "{name}" template "{self._template}" {self.owner}'
        )
        return _address(self.dsn, name)

    async def furnish(self) -> None:
        """Create the template: migrated and seeded as `agencyclaw seed` does."""
        await self.admin.execute(f'create database "{self._template}" {self.owner}')
        address = _address(self.dsn, self._template)
        async with asyncpg_connection(_address(self.admin_dsn, self._template)) as conn:
            await conn.execute("create extension if not exists pg_trgm")
            await conn.execute("create extension if not exists unaccent")
        await migrate(address)
        db = await Database.open(address)
        await seed(db)
        await db.close()

    async def clear(self) -> None:
        """Drop every database created here."""
        for number in range(self.made, -1, -1):
            name = f"bench_{os.getpid()}_{number}" if number else self._template
            await self.admin.execute(f'drop database if exists "{name}" with (force)')

    @property
    def _template(self) -> str:
        return f"bench_{os.getpid()}_agency"


@asynccontextmanager
async def asyncpg_connection(dsn: str) -> AsyncGenerator[Any]:
    """Yield a plain connection."""
    conn = await asyncpg.connect(dsn)
    try:
        yield conn
    finally:
        await conn.close()


@asynccontextmanager
async def running_ground() -> AsyncGenerator[Ground]:
    """Run the server with the settings it has in production: fsync on, on disk."""
    if given := os.environ.get("DATABASE_URL"):
        async with _prepared(given, given, "") as ground:
            yield ground
        return
    with tempfile.TemporaryDirectory(prefix="agencyclaw-bench-", dir=_folder()) as home:
        postgres = EmbeddedPostgres(Path(home))
        await postgres.start()
        try:
            async with _prepared(postgres.admin_dsn, postgres.dsn, "owner agencyclaw") as ground:
                yield ground
        finally:
            await postgres.erase()


def _folder() -> str:
    """Return the folder of the server's data."""
    return tempfile.gettempdir()


@asynccontextmanager
async def _prepared(admin_dsn: str, dsn: str, owner: str) -> AsyncGenerator[Ground]:
    async with asyncpg_connection(admin_dsn) as admin:
        backend = await admin.fetchval("select pg_backend_pid()")
        here = psutil.Process(backend).ppid() if psutil.pid_exists(backend) else None
        ground = Ground(admin, dsn, owner, admin_dsn, here)
        await ground.furnish()
        try:
            yield ground
        finally:
            await ground.clear()


def _address(dsn: str, name: str) -> str:
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))


def postgres_cpu(postmaster: int) -> float:
    """Return the CPU seconds of a server's processes so far, including ended ones."""
    server = psutil.Process(postmaster)
    spent = 0.0
    for process in (server, *server.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            spent += times.user + times.system
            if process.pid == postmaster:
                spent += times.children_user + times.children_system
    return spent
