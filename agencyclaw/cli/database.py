"""Opens a process's database: configured or embedded, and migrated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import NamedTuple

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import Settings
from agencyclaw.store.embedded import EmbeddedPostgres
from agencyclaw.store.engine import Database, empty
from agencyclaw.store.migrate import is_newest, migrate
from agencyclaw.store.roles import admit
from agencyclaw.store.schema import require_tables


class Addresses(NamedTuple):
    """The DSNs of one database for its two roles; with only one configured, they are equal."""

    owner: str
    runtime: str


@asynccontextmanager
async def database_addresses(settings: Settings) -> AsyncGenerator[Addresses]:
    """Yield the database's addresses; starts the embedded server if none is configured."""
    if settings.database_url:
        yield Addresses(settings.database_owner_url or settings.database_url, settings.database_url)
        return
    async with (
        EmbeddedPostgres(settings.agencyclaw_home) as embedded,
        _watched(embedded),
    ):
        yield Addresses(embedded.dsn, embedded.runtime_dsn)


@asynccontextmanager
async def _watched(embedded: EmbeddedPostgres) -> AsyncGenerator[None]:
    """Restart the embedded server whenever it dies."""
    watch = asyncio.create_task(embedded.watch(), name="watch Postgres")
    try:
        yield
    finally:
        watch.cancel()
        await asyncio.wait({watch})


@asynccontextmanager
async def open_database(settings: Settings, *, fresh: bool = False) -> AsyncGenerator[Database]:
    """Yield the database, migrated; `fresh` empties the embedded one first."""
    async with database_addresses(settings) as (owner, runtime):
        if fresh and not settings.database_url:
            await empty(owner)
        await migrate(owner)
        if owner != runtime:
            await admit(owner, runtime)
        ahead = timedelta(seconds=settings.agencyclaw_clock_ahead_s)
        db = await Database.open(runtime, ahead=ahead)
        try:
            await require_tables(db)
            yield db
        finally:
            await db.close()


@asynccontextmanager
async def open_existing_database(settings: Settings) -> AsyncGenerator[Database]:
    """Yield the database as it is; raises Misconfigured if there is none, or it is not migrated."""
    home = settings.agencyclaw_home
    if not settings.database_url and not EmbeddedPostgres(home).exists:
        raise Misconfigured(
            f"There is no database yet: DATABASE_URL is not set, and {home} holds none. Set it, or "
            "run `agencyclaw migrate` to have an embedded one. The demo's is used while it "
            "runs, unless CLICKUP_API_TOKEN is set."
        )
    async with database_addresses(settings) as (_, dsn):
        if not await is_newest(dsn):
            raise Misconfigured(
                "The database lacks what this version needs. Run `agencyclaw migrate`; where "
                "another version is at work on it, take a dump first."
            )
        db = await Database.open(dsn)
        try:
            await require_tables(db)
            yield db
        finally:
            await db.close()
