"""The lane engine: jobs from Postgres, one at a time per lane, many lanes at once.

A job only says that there is work; what the work is stands in the tables. Jobs may therefore run
twice without harm, and a job whose worker died is simply run again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

import logfire
from procrastinate import App, BaseRetryStrategy, JobContext, RetryDecision
from procrastinate.jobs import Job

from agencyclaw.domain.errors import AgencyClawError, Throttled
from agencyclaw.store.fence import Fence, Held
from agencyclaw.store.jobs import WORK

_MAX_WAIT_S = 30.0


@dataclass(frozen=True)
class Handlers:
    """What each kind of job does; plugged in by the composition root."""

    turn: Callable[[str], Awaitable[None]]
    act: Callable[[int], Awaitable[None]]
    execute: Callable[[UUID], Awaitable[None]]
    look: Callable[[UUID], Awaitable[None]]
    expire: Callable[[UUID], Awaitable[None]]
    deliver: Callable[[UUID], Awaitable[None]]
    lane_of: Callable[[int], Awaitable[str | None]]


@dataclass(frozen=True)
class Pace:
    """How often the engine looks around; all in seconds."""

    poll_s: float = 0.1
    heartbeat_s: float = 2.0
    dead_after_s: float = 10.0
    drain_s: float = 10.0
    concurrency: int = 16


class _Again(BaseRetryStrategy):
    """Every failure is tried again, later each time; the handlers decide when to give up."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if isinstance(exception, Throttled):
            wait = exception.after
        elif isinstance(exception, Held):
            wait = 0.5
        else:
            wait = min(0.2 * 2**job.attempts, _MAX_WAIT_S)
        return RetryDecision(retry_in={"milliseconds": int(wait * 1000)})


class Queue:
    """One worker of the lane engine."""

    def __init__(
        self,
        app: App,
        fence: Fence,
        handlers: Handlers,
        *,
        pace: Pace | None = None,
        queue: str = WORK,
    ) -> None:
        self._app = app
        self._fence = fence
        self._handlers = handlers
        self._pace = pace or Pace()
        self._queue = queue
        self._tasks: list[asyncio.Task[None]] = []
        self._register()

    async def start(self) -> None:
        """Open the engine, take over what dead workers left, and begin to work."""
        await self._app.open_async()
        await self._adopt_orphans()
        self._tasks = [
            asyncio.create_task(self._work(), name="lane worker"),
            asyncio.create_task(self._sweep(), name="sweep for dead workers"),
        ]

    async def stop(self) -> None:
        """Take no new job, let the running ones finish within the drain time, and close."""
        for task in reversed(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        await self._app.close_async()

    async def _work(self) -> None:
        """Run the worker for ever: it ends when Postgres goes away, so it is started again."""
        while True:
            with contextlib.suppress(Exception):
                await self._app.run_worker_async(
                    queues=[self._queue],
                    concurrency=self._pace.concurrency,
                    fetch_job_polling_interval=self._pace.poll_s,
                    update_heartbeat_interval=self._pace.heartbeat_s,
                    stalled_worker_timeout=self._pace.dead_after_s,
                    shutdown_graceful_timeout=self._pace.drain_s,
                    install_signal_handlers=False,
                    delete_jobs="successful",
                )
            logfire.warn("worker stopped, starting again")
            await asyncio.sleep(self._pace.poll_s)

    async def _sweep(self) -> None:
        """Ask, again and again, for the jobs of workers whose heart stopped."""
        while True:
            await asyncio.sleep(self._pace.heartbeat_s)
            try:
                stalled = await self._app.job_manager.get_stalled_jobs(
                    queue=self._queue, seconds_since_heartbeat=self._pace.dead_after_s
                )
                await self._hand_out(stalled)
            except Exception as error:  # the database may be away; the next round tries again
                logfire.warn("sweep failed", error=type(error).__name__)

    async def _adopt_orphans(self) -> None:
        """Retry at once what nobody holds: the jobs of this process's former life.

        A job that was just fetched has no fence yet, so a job counts only when it is free twice.
        """
        free = await self._free_jobs(await self._doing())
        if not free:
            return
        await asyncio.sleep(0.25)
        still_doing = {job.id for job in await self._doing()}
        again = [job for job in free if job.id in still_doing]
        await self._hand_out(again)

    async def _doing(self) -> list[Job]:
        return list(await self._app.job_manager.list_jobs_async(queue=self._queue, status="doing"))

    async def _free_jobs(self, jobs: list[Job]) -> list[Job]:
        return [job for job in jobs if await self._fence.is_free(_fence_name(job.id))]

    async def _hand_out(self, jobs: Any) -> None:
        for job in await self._free_jobs(list(jobs)):
            with contextlib.suppress(Exception):
                await self._app.job_manager.retry_job(job)

    def _register(self) -> None:
        """Give each kind of job its task; names and arguments are what the store defers."""
        handlers = self._handlers

        async def turn(context: JobContext, receipt_id: int) -> None:
            lane = context.job.lock or await handlers.lane_of(receipt_id)
            if lane is not None:
                await self._fenced(context, partial(handlers.turn, lane))

        async def act(context: JobContext, receipt_id: int) -> None:
            await self._fenced(context, partial(handlers.act, receipt_id))

        self._task("turn", turn)
        self._task("act", act)
        for name in ("execute", "look", "expire"):
            self._task(name, self._of_proposal(getattr(handlers, name)))

        async def deliver(context: JobContext, outbox_id: str) -> None:
            await self._fenced(context, partial(handlers.deliver, UUID(outbox_id)))

        self._task("deliver", deliver)

    def _of_proposal(
        self, handle: Callable[[UUID], Awaitable[None]]
    ) -> Callable[[JobContext, str], Awaitable[None]]:
        async def run(context: JobContext, proposal_id: str) -> None:
            await self._fenced(context, partial(handle, UUID(proposal_id)))

        return run

    def _task(self, name: str, function: Callable[..., Awaitable[None]]) -> None:
        self._app.task(name=name, retry=_Again(), pass_context=True)(function)

    async def _fenced(self, context: JobContext, work: Callable[[], Awaitable[None]]) -> None:
        """Run a job's work while holding its fence; log what failed, and let it be retried."""
        try:
            async with self._fence.hold(_fence_name(context.job.id)):
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


def _fence_name(job_id: int | None) -> str:
    return f"job:{job_id}"
