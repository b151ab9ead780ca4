"""Opens a process's database: configured or embedded, and migrated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import NoReturn

import logfire

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import Settings
from agencyclaw.store.catalogue import install_catalogue
from agencyclaw.store.embedded import EmbeddedPostgres
from agencyclaw.store.engine import Database, empty
from agencyclaw.store.migrate import is_newest, migrate
from agencyclaw.store.roles import admit
from agencyclaw.store.schema import require_tables


@asynccontextmanager
async def _addresses(settings: Settings) -> AsyncGenerator[tuple[str, str]]:
    """Yield the DSNs of the database for its owner and its runtime role, which may be one role.

    Starts the embedded server if no database is configured.
    """
    if settings.database_url:
        yield settings.database_owner_url or settings.database_url, settings.database_url
        return
    async with EmbeddedPostgres(settings.agencyclaw_home) as embedded, _watched(embedded):
        yield embedded.dsn, embedded.runtime_dsn


@asynccontextmanager
async def _watched(embedded: EmbeddedPostgres) -> AsyncGenerator[None]:
    """Restart the embedded server whenever it dies; an error that ends the watch is logged."""
    watch = asyncio.create_task(embedded.watch(), name="watch Postgres")
    watch.add_done_callback(_log_end)
    try:
        yield
    finally:
        watch.cancel()
        await asyncio.wait({watch})


def _log_end(watch: asyncio.Task[NoReturn]) -> None:
    if not watch.cancelled() and (error := watch.exception()):
        logfire.error("Postgres is no longer watched", _exc_info=error)


@asynccontextmanager
async def open_database(settings: Settings, *, fresh: bool = False) -> AsyncGenerator[Database]:
    """Yield the database, migrated; `fresh` empties the embedded one first.

    Raises Misconfigured if another one would have to be emptied.
    """
    if fresh and settings.database_url:
        raise Misconfigured(
            "--fresh empties only the embedded database, and DATABASE_URL names another one. Start"
            " without --fresh, or empty that database yourself."
        )
    async with _addresses(settings) as (owner, runtime):
        if fresh:
            await empty(owner)
        await migrate(owner)
        if owner != runtime:
            await admit(owner, runtime)
        async with _opened(settings, runtime) as db:
            yield db


@asynccontextmanager
async def open_with_tools(settings: Settings, *, fresh: bool = False) -> AsyncGenerator[Database]:
    """Yield the database as `open_database` does, with this version's tools in its catalogue."""
    # Not at the top: the tools take longer to load than most commands to run.
    from agencyclaw.tools import built_skills

    async with open_database(settings, fresh=fresh) as db:
        await install_catalogue(db, built_skills())
        yield db


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
    async with _addresses(settings) as (_, dsn):
        if not await is_newest(dsn):
            raise Misconfigured(
                "The database lacks what this version needs. Run `agencyclaw migrate`; where "
                "another version is at work on it, take a dump first."
            )
        async with _opened(settings, dsn) as db:
            yield db


@asynccontextmanager
async def _opened(settings: Settings, dsn: str) -> AsyncGenerator[Database]:
    ahead = timedelta(seconds=settings.agencyclaw_clock_ahead_s)
    db = await Database.open(dsn, ahead=ahead)
    try:
        await require_tables(db)
        yield db
    finally:
        await db.close()
