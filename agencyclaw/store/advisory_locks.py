"""The locks of running jobs: session-level advisory locks on a connection of their own.

Heartbeats can be wrong; a lock that Postgres drops with its connection cannot. Whoever holds the
lock of a job is alive, so a job is handed to somebody else only when its lock is free.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from agencyclaw.domain.errors import Unavailable
from agencyclaw.store.engine import TROUBLE, Connection, Database

_TRY = "select pg_try_advisory_lock(hashtextextended($1, 11))"
_FREE = "select pg_advisory_unlock(hashtextextended($1, 11))"
# Asked without taking the locks: whoever is about to take one must not find it taken by the asker.
_UNHELD = """
select name from unnest($1::text[]) as name
where not exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = hashtextextended(name, 11)
)
"""


class Held(Unavailable):
    """Somebody else is running this job right now."""


class AdvisoryLocks:
    """Locks by name, held for as long as a job runs."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._conn: Connection = None
        self._turn = asyncio.Lock()
        self._held: dict[str, asyncio.Task[Any] | None] = {}

    async def close(self) -> None:
        """Give every lock back by closing the connection."""
        if self._conn is not None:
            await self._conn.close()
            self._conn = None

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncGenerator[None]:
        """Hold the lock `name`; raises Held when it is taken, in this process or another."""
        if name in self._held:
            raise Held(f"{name} is being worked on")
        self._held[name] = asyncio.current_task()
        try:
            if not await self._ask(_TRY, name):
                raise Held(f"{name} is being worked on")
            try:
                yield
            finally:
                await asyncio.shield(self._give_back(name))
        finally:
            self._held.pop(name, None)

    async def unheld(self, names: list[str]) -> set[str]:
        """Return those of the locks that nobody holds."""
        return {row["name"] for row in await self._db.pool.fetch(_UNHELD, names)}

    async def _give_back(self, name: str) -> None:
        """Unlock; without the connection there is nothing left to give back."""
        with contextlib.suppress(*TROUBLE, Unavailable):
            await self._ask(_FREE, name)

    async def _ask(self, statement: str, name: str) -> bool:
        async with self._turn:
            if self._conn is None or self._conn.is_closed():
                self._conn = await self._db.connect(on_lost=self._stop_holders)
            return bool(await self._conn.fetchval(statement, name))

    def _stop_holders(self) -> None:
        """Without the connection the locks are gone: stop what runs under them."""
        for task in self._held.values():
            if task is not None:
                task.cancel()
