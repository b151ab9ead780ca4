"""The lane engine: jobs from Postgres, one at a time per lane, many lanes at once.

A job only says that there is work; the work itself is in the tables. Jobs may therefore run twice
without harm, and a job whose worker died is run again.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

import logfire
from procrastinate import App, BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.exceptions import AlreadyEnqueued, ProcrastinateException
from procrastinate.jobs import Job

from agencyclaw.domain.background import BACKGROUND_AT_MOST
from agencyclaw.domain.errors import AgencyClawError, Throttled
from agencyclaw.store.advisory_locks import AdvisoryLocks, LockHeld
from agencyclaw.store.jobs import SHARED, is_local, queue_of, queues_of, turn_queues_of
from agencyclaw.store.queue_connection import QueueLimits

_MAX_WAIT_S = 30.0
_SECOND_ROUND_S = 0.25
_MAINTENANCE = "17 3 * * *"
_WATCHES = "*/15 * * * *"
_Attempt = tuple[int | None, int]
Key = TypeVar("Key", int, UUID)


@dataclass(frozen=True)
class JobHandlers:
    """The function for each kind of job; set by the composition root."""

    turn: Callable[[str], Awaitable[None]]
    act: Callable[[int], Awaitable[None]]
    execute: Callable[[UUID], Awaitable[None]]
    look: Callable[[UUID], Awaitable[None]]
    expire: Callable[[UUID], Awaitable[None]]
    resume: Callable[[UUID], Awaitable[None]]
    remind: Callable[[UUID], Awaitable[None]]
    fire: Callable[[int], Awaitable[None]]
    show: Callable[[int], Awaitable[None]]
    deliver: Callable[[UUID], Awaitable[None]]
    lane_of: Callable[[int], Awaitable[str | None]]
    tidy: Callable[[], Awaitable[object]]
    watch: Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class QueueTiming:
    """Intervals of the engine, in seconds, and its concurrency."""

    poll_s: float = 0.1
    heartbeat_s: float = 2.0
    dead_after_s: float = 10.0
    drain_s: float = 10.0
    concurrency: int = 16

    @property
    def max_jobs(self) -> int:
        """How many jobs run at once.

        Presses, deliveries and work in the background have slots beside the conversations.
        """
        return self.concurrency + max(1, self.concurrency // 4) + BACKGROUND_AT_MOST

    def limits(self, team_id: str) -> QueueLimits:
        """Return how many messages run at once, and how many of the overflow queue."""
        if is_local(team_id):
            return QueueLimits({})
        turns, overflow = turn_queues_of(team_id)
        return QueueLimits({turns: self.concurrency, overflow: max(1, self.concurrency // 8)})


async def _no_lost_jobs() -> None:
    """Do nothing: no schedule's job can have been lost."""


class _RetryForever(BaseRetryStrategy):
    """Retries every failure with growing delays; the handlers decide when to give up."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if isinstance(exception, Throttled):
            wait = exception.after
        elif isinstance(exception, LockHeld):
            wait = 0.5
        elif isinstance(exception, asyncio.CancelledError):
            # Its worker ended, which is no failure: another worker starts at once.
            wait = 0.0
        else:
            # Further doublings would at last overflow a float.
            wait = min(0.2 * 2 ** min(job.attempts, 10), _MAX_WAIT_S)
        return RetryDecision(retry_in={"milliseconds": int(wait * 1000)})


class Queue:
    """One worker of the lane engine; it serves one workspace only."""

    def __init__(
        self,
        app: App,
        locks: AdvisoryLocks,
        handlers: JobHandlers,
        *,
        team_id: str,
        pace: QueueTiming | None = None,
        requeue_lost: Callable[[], Awaitable[None]] = _no_lost_jobs,
    ) -> None:
        self._app = app
        self._locks = locks
        self._handlers = handlers
        self._pace = pace or QueueTiming()
        self._team_id = team_id
        self._queues = queues_of(team_id)
        self._requeue_lost = requeue_lost
        self._tasks: list[asyncio.Task[None]] = []
        self._is_stopping = False
        self._last_listed_at = 0.0
        self._register()

    async def start(self) -> None:
        """Open the engine, queue lost jobs anew, retry those of dead workers, and start working."""
        await self._app.open_async()
        await self._requeue_lost()
        suspects = await self._retry_unattended(set())
        if suspects:
            await asyncio.sleep(_SECOND_ROUND_S)
            await self._retry_unattended(suspects)
        self._tasks = [
            asyncio.create_task(self._work(), name="lane worker"),
            asyncio.create_task(self._sweep(), name="sweep for unattended jobs"),
        ]
        await self._look_at_watches()

    async def is_working(self) -> bool:
        """Return whether jobs are taken: it is not stopping, and reached the engine recently."""
        silent_s = time.monotonic() - self._last_listed_at
        return bool(self._tasks) and not self._is_stopping and silent_s < self._pace.dead_after_s

    async def stop(self) -> None:
        """Take no new jobs, let running ones finish within the drain time, and close."""
        if self._is_stopping:
            return
        self._is_stopping = True
        for task in reversed(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self._tasks = []
        await self._app.close_async()

    async def _work(self) -> None:
        """Run the worker forever; it ends whenever Postgres goes away, and is restarted."""
        while not self._is_stopping:
            try:
                await self._app.run_worker_async(
                    queues=self._queues,
                    concurrency=self._pace.max_jobs,
                    fetch_job_polling_interval=self._pace.poll_s,
                    update_heartbeat_interval=self._pace.heartbeat_s,
                    stalled_worker_timeout=self._pace.dead_after_s,
                    shutdown_graceful_timeout=self._pace.drain_s,
                    install_signal_handlers=False,
                    delete_jobs="successful",
                )
            except Exception as error:  # whatever it was, the lanes must go on
                logfire.warn("worker stopped, starting again", error=type(error).__name__)
            await asyncio.sleep(self._pace.poll_s)

    async def _sweep(self) -> None:
        """Repeatedly queue lost jobs anew, and retry jobs that nobody works on.

        Their worker died, or it could not report how they ended. A job that was just fetched has no
        lock yet, so it counts only if it is unattended in two rounds in a row.
        """
        suspects: set[_Attempt] = set()
        while True:
            await asyncio.sleep(self._pace.heartbeat_s)
            try:
                await self._requeue_lost()
                suspects = await self._retry_unattended(suspects)
            except Exception as error:  # the database may be away; the next round tries again
                suspects = set()
                logfire.warn("sweep failed", error=type(error).__name__)

    async def _retry_unattended(self, suspects: set[_Attempt]) -> set[_Attempt]:
        """Retry jobs that were unattended in both rounds; returns all unattended jobs."""
        unattended = await self._unattended()
        for attempt in suspects & unattended.keys():
            with contextlib.suppress(ProcrastinateException):
                job = unattended[attempt]
                await self._app.job_manager.retry_job(job)
                logfire.warn(
                    "taken over from a worker that died",
                    task=job.task_name,
                    lane=job.lock or "",
                    attempt=job.attempts,
                )
        return set(unattended)

    async def _unattended(self) -> dict[_Attempt, Job]:
        """Return running attempts whose lock nobody holds."""
        listed = await self._app.job_manager.list_jobs_async(status="doing")
        self._last_listed_at = time.monotonic()
        jobs = {job.id or 0: job for job in listed if job.queue in self._queues}
        free = await self._locks.unheld(list(jobs)) if jobs else set[int]()
        return {(job.id, job.attempts): job for number, job in jobs.items() if number in free}

    def _register(self) -> None:
        """Register a task per kind of job, with the names and arguments that the store defers."""
        handlers = self._handlers

        async def turn(context: JobContext, receipt_id: int) -> None:
            lane = context.job.lock or await handlers.lane_of(receipt_id)
            if lane is not None:
                await self._locked(context, partial(handlers.turn, lane))

        self._task("turn", turn)
        self._task("act", self._one(handlers.act, int))
        self._task("fire", self._one(handlers.fire, int))
        self._task("show_work", self._one(handlers.show, int))
        self._task("execute", self._one(handlers.execute, UUID))
        self._task("look", self._one(handlers.look, UUID))
        self._task("expire", self._one(handlers.expire, UUID))
        self._task("resume", self._one(handlers.resume, UUID))
        self._task("deliver", self._one(handlers.deliver, UUID))
        self._task("remind", self._one(handlers.remind, UUID))
        if SHARED in self._queues:
            self._schedule_maintenance()
            self._schedule_watches()

    def _schedule_maintenance(self) -> None:
        """Clean up once a day; what is missed is made up for next."""

        async def tidy(context: JobContext, timestamp: int) -> None:  # noqa: ARG001
            await self._locked(context, self._handlers.tidy)

        task = self._app.task(name="tidy", queue=SHARED, retry=_RetryForever(), pass_context=True)
        self._app.periodic(cron=_MAINTENANCE)(task(tidy))

    def _schedule_watches(self) -> None:
        """Look at the workspace's watched clients; one look waits at a time."""

        async def watch(context: JobContext, timestamp: int) -> None:  # noqa: ARG001
            await self._locked(context, partial(self._handlers.watch, self._team_id))

        task = self._app.task(
            name="watch",
            queue=queue_of(self._team_id),
            queueing_lock=f"watch:{self._team_id}",
            retry=_RetryForever(),
            pass_context=True,
        )
        self._app.periodic(cron=_WATCHES, periodic_id=self._team_id)(task(watch))

    async def _look_at_watches(self) -> None:
        """Look once at the start: the next time may be a quarter of an hour away."""
        if SHARED in self._queues:
            with contextlib.suppress(AlreadyEnqueued):
                look = self._app.configure_task(
                    "watch",
                    queue=queue_of(self._team_id),
                    queueing_lock=f"watch:{self._team_id}",
                )
                await look.defer_async(timestamp=0)

    def _one(
        self, handle: Callable[[Key], Awaitable[None]], key: Callable[[Any], Key]
    ) -> Callable[..., Awaitable[None]]:
        """Return a task that handles the one row its job names."""

        async def run(context: JobContext, **named: Any) -> None:
            [value] = named.values()
            await self._locked(context, partial(handle, key(value)))

        return run

    def _task(self, name: str, function: Callable[..., Awaitable[None]]) -> None:
        self._app.task(name=name, retry=_RetryForever(), pass_context=True)(function)

    async def _locked(self, context: JobContext, work: Callable[[], Awaitable[object]]) -> None:
        """Run a job's work while holding its lock; log what failed, and let it be retried."""
        try:
            job = context.job
            async with self._locks.hold(job.id or 0, job.attempts):
                await work()
        except (AgencyClawError, asyncio.CancelledError):
            raise
        except Exception as error:
            logfire.error(
                "job failed",
                task=context.job.task_name,
                error=type(error).__name__,
                _exc_info=error,
            )
            raise
