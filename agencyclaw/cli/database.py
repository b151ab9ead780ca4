"""The database of a process: configured or embedded and kept up, at the newest schema."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NamedTuple

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import Settings
from agencyclaw.store.catalogue import install_catalogue
from agencyclaw.store.embedded import EmbeddedPostgres
from agencyclaw.store.engine import Database, empty
from agencyclaw.store.migrate import is_newest, migrate
from agencyclaw.store.roles import admit
from agencyclaw.store.schema import require_tables


class Addresses(NamedTuple):
    """One database as two roles have it; where only one is configured, it is both."""

    owner: str
    runtime: str


@asynccontextmanager
async def database_addresses(settings: Settings) -> AsyncGenerator[Addresses]:
    """Give the addresses of the database, starting the embedded one where none is configured."""
    if settings.database_url:
        yield Addresses(settings.database_owner_url or settings.database_url, settings.database_url)
        return
    async with EmbeddedPostgres(settings.agencyclaw_home) as embedded, _kept_up(embedded):
        yield Addresses(embedded.dsn, embedded.runtime_dsn)


@asynccontextmanager
async def _kept_up(embedded: EmbeddedPostgres) -> AsyncGenerator[None]:
    """Start the server again whenever it dies under us."""
    watch = asyncio.create_task(embedded.watch(), name="watch over Postgres")
    try:
        yield
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


@asynccontextmanager
async def open_database(settings: Settings, *, fresh: bool = False) -> AsyncGenerator[Database]:
    """Give the database at the newest schema; `fresh` empties the embedded one first."""
    async with database_addresses(settings) as (owner, runtime):
        if fresh and not settings.database_url:
            await empty(owner)
        await migrate(owner)
        if owner != runtime:
            await admit(owner, runtime)
        db = await Database.open(runtime)
        try:
            await require_tables(db)
            await install_catalogue(db)
            yield db
        finally:
            await db.close()


@asynccontextmanager
async def look_into_database(settings: Settings) -> AsyncGenerator[Database]:
    """Give the database as it is; raises Misconfigured where it has to be migrated first."""
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
