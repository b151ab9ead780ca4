"""The lane engine: a job that nobody works on is worked on, whatever its worker believes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from procrastinate import utils
from procrastinate.jobs import Status

from agencyclaw.conversation.queue import JobHandlers, Queue, QueueTiming
from agencyclaw.store.advisory_locks import AdvisoryLocks
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.queue_connection import queue_app

_FORGOTTEN = """
with worker as (insert into procrastinate_workers default values returning id)
update procrastinate_jobs set status = 'doing', worker_id = worker.id from worker
"""
PROPOSAL = UUID("6f2d1c1e-52c1-4d53-9f5b-2f0f6a4f8a11")
UNHELD = UUID("6f2d1c1e-52c1-4d53-9f5b-2f0f6a4f8a12")
TEAM = "T0LANTERN"


class Hands:
    """Notes what was asked of it; fails as often as told."""

    def __init__(self) -> None:
        self.done: asyncio.Queue[UUID] = asyncio.Queue()
        self.failures = 0
        self.tidied = asyncio.Event()

    async def take(self, proposal_id: UUID) -> None:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("a fault of ours")
        self.done.put_nowait(proposal_id)

    async def nothing(self, *_: object, **__: object) -> None:
        """Not asked for here."""

    async def tidy(self) -> None:
        self.tidied.set()

    def handlers(self) -> JobHandlers:
        return JobHandlers(
            turn=self.nothing,
            act=self.nothing,
            execute=self.take,
            look=self.nothing,
            expire=self.nothing,
            resume=self.nothing,
            remind=self.nothing,
            fire=self.nothing,
            show=self.nothing,
            deliver=self.nothing,
            lane_of=self.nothing,
            tidy=self.tidy,
            watch=self.nothing,
        )


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
async def queue(database: Database, hands: Hands) -> AsyncGenerator[Queue]:
    locks = AdvisoryLocks(database)
    pace = QueueTiming(heartbeat_s=0.1, dead_after_s=60.0, drain_s=1.0)
    queue = Queue(queue_app(database), locks, hands.handlers(), team_id=TEAM, pace=pace)
    yield queue
    await queue.stop()
    await locks.close()


async def ask(database: Database) -> None:
    async with database.transaction() as conn:
        await defer(
            conn, "execute", {"proposal_id": str(PROPOSAL)}, queue=queue_of(TEAM), lock="execute:1"
        )


async def test_a_job_of_a_former_life_is_done_at_the_start(
    database: Database, hands: Hands, queue: Queue
) -> None:
    await ask(database)
    await database.pool.execute(_FORGOTTEN)

    await queue.start()

    assert await asyncio.wait_for(hands.done.get(), 300) == PROPOSAL


async def test_a_job_whose_living_worker_forgot_it_is_done_all_the_same(
    database: Database, hands: Hands, queue: Queue
) -> None:
    await queue.start()
    async with database.transaction() as conn:
        await defer(
            conn, "execute", {"proposal_id": str(PROPOSAL)}, queue=queue_of(TEAM), lock="execute:1"
        )
        await conn.execute(_FORGOTTEN)

    assert await asyncio.wait_for(hands.done.get(), 300) == PROPOSAL


async def test_a_job_that_failed_for_a_whole_day_is_still_tried_again(
    database: Database, hands: Hands, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.conversation.queue._MAX_WAIT_S", 0.1)
    hands.failures = 1
    await ask(database)
    await database.pool.execute("update procrastinate_jobs set attempts = 3000")

    await queue.start()

    assert await asyncio.wait_for(hands.done.get(), 300) == PROPOSAL


async def test_a_job_that_somebody_holds_is_left_to_them(
    database: Database, hands: Hands, queue: Queue
) -> None:
    other = AdvisoryLocks(database)
    await ask(database)
    job = await database.pool.fetchval("select id from procrastinate_jobs")
    async with database.transaction() as conn:
        await defer(
            conn, "execute", {"proposal_id": str(UNHELD)}, queue=queue_of(TEAM), lock="execute:2"
        )
    await database.pool.execute(_FORGOTTEN)
    async with other.hold(job, 0):
        await queue.start()
        # Who looks after the one finds the other, too.
        assert await asyncio.wait_for(hands.done.get(), 300) == UNHELD
        assert hands.done.empty()

    assert await asyncio.wait_for(hands.done.get(), 300) == PROPOSAL
    await other.close()


class LateLocks(AdvisoryLocks):
    """Locks of a process that is held up between taking a job and taking its lock."""

    def __init__(self, db: Database) -> None:
        super().__init__(db)
        self.reached, self.goes_on, self.ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    @asynccontextmanager
    async def hold(self, job_id: int, attempts: int) -> AsyncGenerator[None]:
        self.reached.set()
        await self.goes_on.wait()
        try:
            async with super().hold(job_id, attempts):
                yield
        finally:
            self.ended.set()


async def test_a_worker_that_was_held_up_leaves_a_job_to_the_one_that_took_it_over(
    database: Database, hands: Hands, queue: Queue
) -> None:
    """Else it would take the lane's next message, which has a job of its own."""
    late = LateLocks(database)
    pace = QueueTiming(heartbeat_s=60.0, drain_s=1.0)
    first = Queue(queue_app(database), late, hands.handlers(), team_id=TEAM, pace=pace)
    await ask(database)
    await first.start()
    await late.reached.wait()
    await queue.start()
    assert await asyncio.wait_for(hands.done.get(), 300) == PROPOSAL
    while not await _is_finished(database):  # noqa: ASYNC110  (a table tells nobody)
        await asyncio.sleep(0.02)

    late.goes_on.set()
    await late.ended.wait()

    assert hands.done.empty()
    await first.stop()
    await late.close()


async def _is_finished(database: Database) -> bool:
    return not await database.pool.fetchval("select count(*) from procrastinate_jobs")


@pytest.mark.parametrize("succeeds", [True, False])
async def test_a_worker_that_was_held_up_does_not_end_a_job_that_another_one_runs(
    database: Database, *, succeeds: bool
) -> None:
    await ask(database)
    app = queue_app(database)
    async with app.open_async():
        worker = await app.job_manager.register_worker()
        job = await app.job_manager.fetch_job(queues=[queue_of(TEAM)], worker_id=worker)
        assert job is not None
        await database.pool.execute("update procrastinate_jobs set attempts = attempts + 1")

        if succeeds:
            await app.job_manager.finish_job(job, Status.SUCCEEDED, delete_job=True)
        else:
            await app.job_manager.retry_job(job)

    left = "select count(*) from procrastinate_jobs where status = 'doing' and attempts = 1"
    assert await database.pool.fetchval(left) == 1


async def test_a_retry_comes_in_time_where_the_clock_of_a_process_is_a_day_ahead(
    database: Database, hands: Hands, queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = datetime.now(UTC) + timedelta(days=1)
    monkeypatch.setattr(utils, "utcnow", lambda: ahead)
    hands.failures = 1
    await ask(database)

    await queue.start()

    assert await asyncio.wait_for(hands.done.get(), 300) == PROPOSAL


async def test_what_is_old_is_forgotten_at_its_hour(
    database: Database, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.conversation.queue._MAINTENANCE", "* * * * * *")
    locks = AdvisoryLocks(database)
    queue = Queue(
        queue_app(database), locks, hands.handlers(), team_id=TEAM, pace=QueueTiming(drain_s=1.0)
    )
    await queue.start()
    try:
        assert await asyncio.wait_for(hands.tidied.wait(), 300)
    finally:
        await queue.stop()
        await locks.close()


async def test_a_job_that_failed_is_tried_again(
    database: Database, hands: Hands, queue: Queue
) -> None:
    hands.failures = 2
    await queue.start()
    await ask(database)

    assert await asyncio.wait_for(hands.done.get(), 300) == PROPOSAL


async def test_what_belongs_to_another_workspace_is_left_alone(
    database: Database, hands: Hands, queue: Queue
) -> None:
    async with database.transaction() as conn:
        args = {"proposal_id": str(UNHELD)}
        await defer(conn, "execute", args, queue=queue_of("T0OTHER"), lock="execute:2")
    await ask(database)
    await database.pool.execute(_FORGOTTEN)
    async with database.transaction() as conn:
        await defer(conn, "execute", args, queue=queue_of("T0OTHER"), lock="execute:3")

    await queue.start()

    assert await asyncio.wait_for(hands.done.get(), 300) == PROPOSAL
    await queue.stop()
    assert hands.done.empty()
    # At a quarter of an hour the workspace's own look at its watches may have been added.
    left = await database.pool.fetch(
        "select queue_name, status::text from procrastinate_jobs where task_name = 'execute'"
    )
    assert sorted(map(tuple, left)) == [("work:T0OTHER", "doing"), ("work:T0OTHER", "todo")]
