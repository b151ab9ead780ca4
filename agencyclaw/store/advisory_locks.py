"""Advisory locks: of a transaction, and of running jobs.

A job's lock belongs to a session, on one connection for all of a process. A heartbeat can be late;
a lock that Postgres drops with its connection cannot be wrong. The holder of a job's lock is alive,
so a job is given to another worker only when its lock is free.

Hot path: every job takes and gives back its lock.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from enum import IntEnum
from typing import Any

from agencyclaw.domain.errors import Unavailable
from agencyclaw.store.engine import TROUBLE, Connection, Database, OwnConnection


class LockKind(IntEnum):
    """What a transaction locks by name; the value keeps equal names of two kinds apart."""

    DOCUMENT = 0
    TASK_CONTENT = 7
    ENTITY = 11
    BRAND_NAMES = 13
    CLIENT_NOTES = 14
    SCHEDULES = 15
    FIRINGS = 16
    BINDING = 17
    BACKGROUND = 18


# Jobs share the seed of entities, whose names never look like theirs.
_TRY_LOCK = "select pg_try_advisory_lock(hashtextextended($1, 11))"
_IS_CURRENT = "select exists (select from procrastinate_jobs where id = $1 and attempts = $2)"
_UNLOCK = "select pg_advisory_unlock(hashtextextended($1, 11))"
# Read from pg_locks instead of trying the locks: even a brief probe could make a worker fail that
# wants the lock. objsubid = 1 marks locks with one bigint key, split into classid and objid.
_UNHELD = """
select name from unnest($1::text[]) as name
where not exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = hashtextextended(name, 11)
)
"""


async def lock_until_commit(conn: Connection, kind: LockKind, name: str) -> None:
    """Lock a name until the caller's transaction ends."""
    await conn.execute("select pg_advisory_xact_lock(hashtextextended($1, $2))", name, kind)


class LockHeld(Unavailable):
    """Another worker is running this job."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is being worked on")


class TakenOver(LockHeld):
    """Another worker was given this job since we took it."""


class AdvisoryLocks:
    """Named locks, each held while its job runs."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._conn: OwnConnection | None = None
        self._connection_lock = asyncio.Lock()
        self._held: dict[str, asyncio.Task[Any] | None] = {}

    async def close(self) -> None:
        """Close the connection, which releases every lock and cancels jobs that still hold one."""
        if self._conn is not None:
            await self._conn.close()
            self._conn = None

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncGenerator[None]:
        """Hold the lock `name`, and cancel the holding task if its connection is lost.

        Raises LockHeld when it is taken, in this process or another, and Unavailable when the
        database can't be reached.
        """
        if name in self._held:
            raise LockHeld(name)
        self._held[name] = asyncio.current_task()
        try:
            await self._acquire(name)
            try:
                yield
            finally:
                await asyncio.shield(self._release(name))
        finally:
            self._held.pop(name, None)

    async def require_current(self, job_id: int, attempts: int) -> None:
        """Raise TakenOver unless this is the job's present attempt.

        Whoever was held up before taking its lock may find the lock free and the job done.
        """
        if not await self._db.pool.fetchval(_IS_CURRENT, job_id, attempts):
            raise TakenOver(f"job {job_id}")

    async def unheld(self, names: list[str]) -> set[str]:
        """Return the names of the locks that nobody holds."""
        return {row["name"] for row in await self._db.pool.fetch(_UNHELD, names)}

    async def _acquire(self, name: str) -> None:
        try:
            is_ours = await self._execute(_TRY_LOCK, name)
        except asyncio.CancelledError:
            # The server may have granted it already. Unlocking what is not held only warns.
            await asyncio.shield(self._release(name))
            raise
        if not is_ours:
            raise LockHeld(name)

    async def _release(self, name: str) -> None:
        """Unlock; without the connection there is nothing left to release."""
        with contextlib.suppress(*TROUBLE, Unavailable):
            await self._execute(_UNLOCK, name)

    async def _execute(self, statement: str, name: str) -> bool:
        async with self._connection_lock:
            if self._conn is None or self._conn.is_closed():
                self._conn = await self._db.connect(on_lost=self._stop_holders)
            return bool(await self._conn.fetchval(statement, name))

    def _stop_holders(self) -> None:
        """Cancel the holders: without the connection their locks are gone."""
        for task in self._held.values():
            if task is not None:
                task.cancel()
