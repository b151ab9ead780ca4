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


# Null if another holds it. Whoever was held up before may find it free and the job done: false.
_HOLD = "select hold_job($1, $2)"
# Jobs share the seed of entities, whose names never look like theirs.
_RELEASE = "select pg_advisory_unlock(hashtextextended('job:' || $1::bigint, 11))"
# Read from pg_locks instead of trying the locks: even a brief probe could make a worker fail that
# wants the lock. objsubid = 1 marks locks with one bigint key, split into classid and objid.
_UNHELD = """
select id from unnest($1::bigint[]) as id
where not exists (
  select from pg_locks
  where locktype = 'advisory' and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = hashtextextended('job:' || id, 11)
)
"""


async def lock_until_commit(conn: Connection, kind: LockKind, name: str) -> None:
    """Lock a name until the caller's transaction ends."""
    await conn.execute("select pg_advisory_xact_lock(hashtextextended($1, $2))", name, kind)


class LockHeld(Unavailable):
    """Another worker is running this job."""

    def __init__(self, job_id: int) -> None:
        super().__init__(f"job {job_id} is being worked on")


class TakenOver(LockHeld):
    """Another worker was given this job since we took it."""


class AdvisoryLocks:
    """Locks of jobs, each held while its job runs."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._conn: OwnConnection | None = None
        self._connection_lock = asyncio.Lock()
        self._held: dict[int, asyncio.Task[Any] | None] = {}

    async def close(self) -> None:
        """Close the connection, which releases every lock and cancels jobs that still hold one."""
        if self._conn is not None:
            await self._conn.close()
            self._conn = None

    @asynccontextmanager
    async def hold(self, job_id: int, attempts: int) -> AsyncGenerator[None]:
        """Hold the lock of a job's present attempt, and cancel its task if the connection is lost.

        Raises LockHeld when it is taken, in this process or another, TakenOver when another attempt
        was begun or the job is done, and Unavailable when the database can't be reached.
        """
        if job_id in self._held:
            raise LockHeld(job_id)
        self._held[job_id] = asyncio.current_task()
        try:
            is_current = await self._acquire(job_id, attempts)
            try:
                if not is_current:
                    raise TakenOver(job_id)
                yield
            finally:
                await asyncio.shield(self._release(job_id))
        finally:
            self._held.pop(job_id, None)

    async def unheld(self, job_ids: list[int]) -> set[int]:
        """Return the jobs whose lock nobody holds."""
        return {row["id"] for row in await self._db.pool.fetch(_UNHELD, job_ids)}

    async def _acquire(self, job_id: int, attempts: int) -> bool:
        try:
            async with self._connection_lock:
                if self._conn is None or self._conn.is_closed():
                    self._conn = await self._db.connect(on_lost=self._stop_holders)
                is_current: bool | None = await self._conn.fetchval(_HOLD, job_id, attempts)
        except (asyncio.CancelledError, *TROUBLE):
            # The server may have granted it already. Unlocking what is not held only warns.
            await asyncio.shield(self._release(job_id))
            raise
        if is_current is None:
            raise LockHeld(job_id)
        return is_current

    async def _release(self, job_id: int) -> None:
        """Unlock; without the connection there is nothing left to release."""
        async with self._connection_lock:
            if self._conn is not None and not self._conn.is_closed():
                with contextlib.suppress(*TROUBLE):
                    await self._conn.fetchval(_RELEASE, job_id)

    def _stop_holders(self, _: Connection) -> None:
        """Cancel the holders: without the connection their locks are gone."""
        for task in self._held.values():
            if task is not None:
                task.cancel()
