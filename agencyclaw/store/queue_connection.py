"""The lane engine's own connection to Postgres.

Hot path: every job is fetched and finished here.
"""

from __future__ import annotations

import asyncio
import select
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from procrastinate import App, PsycopgConnector, utils
from procrastinate.exceptions import ConnectorException
from procrastinate.sql import queries
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from agencyclaw.store.dispatching import StartedJob
from agencyclaw.store.engine import LIMITS, TROUBLE, Database, fetch_one

_WAKE = '{"type": "job_inserted", "job_id": 0}'


# This many turns always run; beyond them, only while a round of the event loop takes less than
# this.
_FEW = 2
_SHORT_ROUND_S = 0.001
_WEIGHT = 0.25
# However busy the loop is, another turn starts after this time.
_LONGEST_WAIT_S = 0.25

# The two statements of every job run on the assistant's own pool, at a third of the cost. Neither
# waits for the disk: a job whose state was lost runs again. A job that another worker was given
# meanwhile is that worker's to end.
_FETCH = """
select id, status::text, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name,
  attempts, worker_id, set_config('synchronous_commit', 'off', true)
from procrastinate_fetch_job_v2($1::varchar[], $2)
"""
_FINISH = """
select procrastinate_finish_job_v1(id, $2::text::procrastinate_job_status, $3),
  set_config('synchronous_commit', 'off', true)
from procrastinate_jobs where id = $1 and attempts = coalesce($4, attempts)
"""
# On the database's clock, because that decides when a job is due.
_RETRY = """
select procrastinate_retry_job_v2(id, now() + make_interval(secs => $2), $3, $4, $5)
from procrastinate_jobs where id = $1 and attempts = coalesce($6, attempts)
"""


@dataclass(frozen=True)
class QueueLimits:
    """How many jobs this process runs at once, per group of queues and in total."""

    limits: Mapping[str, int]

    def open_queues(self, queues: Sequence[str], running: Collection[str]) -> list[str]:
        """Return the queues from which another job may be taken."""
        return [queue for queue in queues if self._has_capacity(queue, Counter(running))]

    def _has_capacity(self, queue: str, running: Counter[str]) -> bool:
        if queue not in self.limits:
            return True
        together = sum(running[name] for name in self.limits)
        return running[queue] < self.limits[queue] and together < max(self.limits.values())


@dataclass(frozen=True)
class _Running:
    """A job that this process has taken: its queue, and which attempt it was given."""

    queue: str
    attempts: int


class Ease:
    """Decides by the duration of event loop rounds whether another turn may start.

    An acknowledgement takes several rounds. Rounds stay short while turns wait for their model;
    where turns compute, more of them only make the rounds long.
    """

    def __init__(self) -> None:
        self._round_s = 0.0
        self._let_in_at = 0.0

    async def lets_in(self, running: int) -> bool:
        """Return whether another turn may start; after a while one always may."""
        if running < _FEW:
            self._round_s = 0.0
        else:
            began = time.monotonic()
            await asyncio.sleep(0)
            self._round_s += (time.monotonic() - began - self._round_s) * _WEIGHT
        now = time.monotonic()
        if self._round_s > _SHORT_ROUND_S and now - self._let_in_at < _LONGEST_WAIT_S:
            return False
        self._let_in_at = now
        return True


def queue_app(db: Database, *, limits: QueueLimits | None = None) -> App:
    """Return an unopened procrastinate app for the given database."""
    return App(
        connector=QueueConnector(
            db,
            limits or QueueLimits({}),
            pool_factory=_pool,
            conninfo=db.dsn,
            min_size=2,
            max_size=4,
            # Postgres may be away for a while: retry at a constant pace instead of backing off.
            timeout=3.0,
            reconnect_timeout=3.0,
            configure=_commit_each,
            kwargs={"application_name": "agencyclaw queue"},
        )
    )


class QueueConnector(PsycopgConnector):
    """The engine's connector: fetches only what there is room for, and never waits for a poll.

    The engine's worker forgets a notification that arrives during a fetch, and is not told when the
    end of a job makes the next one of its lane due.
    """

    def __init__(self, db: Database, limits: QueueLimits, **options: Any) -> None:
        super().__init__(**options)  # pyright: ignore[reportUnknownMemberType]
        self._db = db
        self._limits = limits
        self._ease = Ease()
        self._running: dict[int, _Running] = {}
        self._wake: Callable[[], Awaitable[None]] | None = None
        self.worker_id: int | None = None
        self.queues: Collection[str] = ()
        self._fetching = 0
        self._missed = False
        # Whether jobs may wait in the database, and whether the next fetch need not look there.
        self._is_due = True
        self._skips = False
        self._waking: set[asyncio.Task[None]] = set()

    async def listen_notify(
        self, on_notification: Callable[..., Awaitable[None]], channels: Iterable[str]
    ) -> None:
        """Listen for notifications, and remember those that arrive during a fetch."""

        async def notify(*, channel: str, payload: str) -> None:
            self._missed = self._missed or self._fetching > 0
            await on_notification(channel=channel, payload=payload)

        async def hear(*, channel: str, payload: str) -> None:
            self._is_due = True
            await notify(channel=channel, payload=payload)

        async def wake() -> None:
            await notify(channel="wake", payload=_WAKE)

        self._wake = wake
        # A worker starts; jobs of an earlier one no longer run here.
        self._running.clear()
        self._db.dispatcher.attach(self)
        try:
            await super().listen_notify(hear, channels)
        finally:
            self._db.dispatcher.detach(self)

    def running(self, queue: str) -> int:
        """Return how many jobs of a queue run here."""
        return sum(job.queue == queue for job in self._running.values())

    def wake_soon(self) -> None:
        """Wake the worker once it is idle again."""
        if self._wake is not None:
            task = asyncio.ensure_future(self._wake())
            self._waking.add(task)
            task.add_done_callback(self._waking.discard)

    async def execute_query_one_async(self, query: Any, **arguments: Any) -> dict[str, Any]:
        """Fetch one row, usually a job."""
        self._fetching += 1
        try:
            if query == queries["fetch_job"]:
                return await self._fetch(arguments["queues"], arguments["worker_id"])
            return await super().execute_query_one_async(query, **arguments)
        finally:
            self._fetching -= 1
            if self._missed and not self._fetching:
                self._missed = False
                self.wake_soon()

    async def execute_query_async(self, query: Any, **arguments: Any) -> None:
        """Execute a statement, usually the end of a job."""
        job_id = arguments.get("job_id", 0)
        if query == queries["finish_job"]:
            ending = arguments["status"], arguments["delete_job"]
            await self._end(_FINISH, job_id, *ending)
        elif query == queries["retry_job"]:
            wait_s = (arguments["retry_at"] - utils.utcnow()).total_seconds()
            changes = (arguments[name] for name in ("new_priority", "new_queue_name", "new_lock"))
            await self._end(_RETRY, job_id, max(0.0, wait_s), *changes)
        else:
            await super().execute_query_async(query, **arguments)
        self._running.pop(job_id, None)
        self._is_due = True
        self.wake_soon()

    async def _fetch(self, queues: list[str], worker_id: int) -> dict[str, Any]:
        """Return a job that this process started, or else one that waits in the database."""
        self.worker_id, self.queues = worker_id, queues
        if started := self._db.dispatcher.next_for(self):
            self._running[started.id] = _Running(started.queue, attempts=0)
            self._skips = not self._is_due
            return _row_of(started, worker_id)
        skips, self._skips = self._skips and not self._is_due, False
        if skips:
            return {"id": None}
        self._is_due = False
        takes = await self._open_queues(queues)
        try:
            job = dict(await fetch_one(self._db.pool, _FETCH, takes, worker_id))
        except TROUBLE as error:
            raise ConnectorException from error
        if job["id"] is not None:
            self._running[job["id"]] = _Running(job["queue_name"], job["attempts"])
        return job

    async def _open_queues(self, queues: list[str]) -> list[str]:
        running = [job.queue for job in self._running.values()]
        limited = self._limits.limits
        takes = self._limits.open_queues(queues, running)
        turns = sum(queue in limited for queue in running)
        if limited.keys().isdisjoint(takes) or await self._ease.lets_in(turns):
            return takes
        return [queue for queue in takes if queue not in limited]

    async def _end(self, statement: str, job_id: int, *values: object) -> None:
        """Finish or retry a job, unless another worker was given it meanwhile."""
        taken = self._running.get(job_id)
        attempts = taken.attempts if taken else None
        try:
            await self._db.pool.execute(statement, job_id, *values, attempts)
        except TROUBLE as error:
            raise ConnectorException from error


def _row_of(job: StartedJob, worker_id: int) -> dict[str, Any]:
    """Return a job as the engine reads it from the database."""
    return {
        "id": job.id,
        "status": "doing",
        "task_name": job.task,
        "priority": 0,
        "lock": job.lock,
        "queueing_lock": None,
        "args": job.args,
        "scheduled_at": None,
        "queue_name": job.queue,
        "attempts": 0,
        "worker_id": worker_id,
    }


def _pool(**options: Any) -> AsyncConnectionPool[Any]:
    options["check"] = _check
    return AsyncConnectionPool(**options)


async def _commit_each(connection: AsyncConnection[Any]) -> None:
    """Use autocommit: each of the engine's statements stands alone and saves round trips."""
    await connection.set_autocommit(True)
    await connection.execute(LIMITS.encode())


async def _check(connection: AsyncConnection[Any]) -> None:
    """Check the connection only when unexpected data arrived, as before a server closes it."""
    if connection.closed or select.select([connection.fileno()], [], [], 0)[0]:
        await AsyncConnectionPool.check_connection(connection)
