"""Messages and answers whose job starts in the process that stores them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest

from agencyclaw.conversation.queue import JobHandlers, Queue, QueueTiming
from agencyclaw.domain.people import Actor, Place, Tier
from agencyclaw.domain.receipts import Incoming, Note, ReceiptKind
from agencyclaw.domain.runs import RunStatus
from agencyclaw.store.advisory_locks import AdvisoryLocks
from agencyclaw.store.conclusion import end_turn
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import defer_delivery
from agencyclaw.store.queue_connection import queue_app
from agencyclaw.store.receipts import Receipts
from agencyclaw.store.runs import Runs

TEAM, OPS, MIGUEL = "T01", "C01OPS", "U01MIG"
STATES = "select status::text from procrastinate_jobs order by id"
ENDED = "select not exists (select from procrastinate_jobs)"


def mention(number: int) -> Incoming:
    ts = f"1700000{number:03}.000100"
    return Incoming(
        key=f"message:{number}",
        source="events",
        kind=ReceiptKind.MESSAGE,
        place=Place(team_id=TEAM, channel_id=OPS, thread_ts=ts, is_direct=False),
        slack_ts=ts,
        slack_user_id=MIGUEL,
        text="hello",
    )


class Turns:
    """Notes which lanes were handled, holds them while closed, and fails as often as asked."""

    def __init__(self) -> None:
        self.handled: asyncio.Queue[str] = asyncio.Queue()
        self.open = asyncio.Event()
        self.open.set()
        self.failures = 0

    async def handle(self, lane: str) -> None:
        self.handled.put_nowait(lane)
        await self.open.wait()
        if self.failures:
            self.failures -= 1
            raise RuntimeError("a fault of ours")

    async def nothing(self, *_: object) -> None:
        """Not asked for here."""

    def handlers(self) -> JobHandlers:
        nothing = self.nothing
        return JobHandlers(
            turn=self.handle,
            act=nothing,
            execute=nothing,
            look=nothing,
            expire=nothing,
            resume=nothing,
            remind=nothing,
            fire=nothing,
            show=nothing,
            deliver=nothing,
            lane_of=nothing,
            tidy=nothing,
            watch=nothing,
        )


class DyingWorker:
    """A worker whose process dies before it runs what it was handed."""

    def __init__(self, worker_id: int | None) -> None:
        self.worker_id = worker_id
        self.queues = (f"turns:{TEAM}", f"work:{TEAM}")

    def running(self, _: str) -> int:
        return 0

    def wake_soon(self) -> None:
        """Never wakes."""


@asynccontextmanager
async def working(database: Database, turns: Turns) -> AsyncGenerator[None]:
    locks = AdvisoryLocks(database)
    # It would look for jobs once a minute by itself.
    pace = QueueTiming(poll_s=60.0, heartbeat_s=0.1, dead_after_s=60.0, drain_s=1.0)
    queue = Queue(queue_app(database), locks, turns.handlers(), team_id=TEAM, pace=pace)
    await queue.start()
    # Its first look for jobs says who it is.
    await handled_by(database, turns, mention(0))
    try:
        yield
    finally:
        turns.open.set()
        await queue.stop()
        await locks.close()


async def handled_by(database: Database, turns: Turns, said: Incoming) -> None:
    await Receipts(database).accept(said)
    assert await asyncio.wait_for(turns.handled.get(), 300) == said.place.key


async def until_ended(database: Database) -> None:
    while not await database.pool.fetchval(ENDED):  # noqa: ASYNC110  (nobody tells when)
        await asyncio.sleep(0.01)


async def worker_of(database: Database) -> int:
    return await database.pool.fetchval(
        "insert into procrastinate_workers default values returning id"
    )


@pytest.fixture
def turns() -> Turns:
    return Turns()


async def test_a_message_is_stored_as_running_and_handled_here(
    database: Database, turns: Turns
) -> None:
    async with working(database, turns):
        await until_ended(database)
        turns.open.clear()
        await handled_by(database, turns, mention(1))
        row = await database.pool.fetchrow("select status::text, worker_id from procrastinate_jobs")
        events = await database.pool.fetchval("select count(*) from procrastinate_events")
        turns.open.set()
        await until_ended(database)

    assert row is not None
    assert row["status"] == "doing"
    assert row["worker_id"] is not None
    assert events == 0, "a fetch notes when a job began"


async def test_a_further_message_of_a_lane_waits_for_the_one_before(
    database: Database, turns: Turns
) -> None:
    async with working(database, turns):
        await until_ended(database)
        turns.open.clear()
        first = mention(1)
        await handled_by(database, turns, first)
        await Receipts(database).accept(first.model_copy(update={"key": "message:1b"}))
        assert [row[0] for row in await database.pool.fetch(STATES)] == ["doing", "todo"]

        turns.open.set()
        assert await asyncio.wait_for(turns.handled.get(), 300) == first.place.key


async def test_no_more_than_a_few_messages_start_without_the_queue(
    database: Database, turns: Turns
) -> None:
    database.dispatcher.attach(DyingWorker(await worker_of(database)))
    receipts = Receipts(database, person_limit=9)

    await asyncio.gather(*(receipts.accept(mention(number)) for number in range(5)))

    states = sorted(row[0] for row in await database.pool.fetch(STATES))
    assert states == ["doing", "doing", "todo", "todo", "todo"]


async def test_a_message_that_was_handed_to_a_dying_worker_is_handled_by_another(
    database: Database, turns: Turns
) -> None:
    other = await Database.open(database.dsn)
    other.dispatcher.attach(DyingWorker(await worker_of(database)))
    async with working(database, turns):
        await Receipts(other).accept(mention(1))
        assert await asyncio.wait_for(turns.handled.get(), 300) == mention(1).place.key
        await until_ended(database)
    await other.close()


async def test_a_message_that_fails_here_is_tried_again(database: Database, turns: Turns) -> None:
    async with working(database, turns):
        await until_ended(database)
        turns.failures = 1
        await handled_by(database, turns, mention(1))
        assert await asyncio.wait_for(turns.handled.get(), 300) == mention(1).place.key
        await until_ended(database)


async def test_a_worker_that_was_removed_starts_nothing(database: Database) -> None:
    database.dispatcher.attach(DyingWorker(worker_id=4711))

    await Receipts(database).accept(mention(1))

    assert [row[0] for row in await database.pool.fetch(STATES)] == ["todo"]


async def test_a_job_of_another_queue_is_left_to_its_worker(database: Database) -> None:
    worker = DyingWorker(await worker_of(database))
    worker.queues = ("terminal",)
    database.dispatcher.attach(worker)

    await Receipts(database).accept(mention(1))

    assert [row[0] for row in await database.pool.fetch(STATES)] == ["todo"]


async def answer(agency: Database, said: Incoming) -> None:
    receipts, run_id = Receipts(agency), uuid4()
    await receipts.accept(said)
    receipt = await receipts.next_message(said.place.key)
    profile = await agency.pool.fetchval("select id from profiles order by id limit 1")
    actor = Actor(profile_id=profile, name="Miguel", tier=Tier.MEMBER, slack_user_id=MIGUEL)
    assert receipt is not None
    await Runs(agency).start(run_id, receipt, actor, trace_id="", facts={})
    await end_turn(
        agency, receipt, run_id, note=Note(text="Done."), status=RunStatus.COMPLETED, output={}
    )


DELIVERIES = """
select status::text, lock, args ->> 'outbox_id' = (
    select id::text from outbox where kind = 'answer')
  as is_of_answer
from procrastinate_jobs where task_name = 'deliver' order by id
"""


async def test_the_delivery_of_an_answer_starts_where_its_turn_ended(agency: Database) -> None:
    agency.dispatcher.attach(DyingWorker(await worker_of(agency)))

    await answer(agency, mention(1))

    [job] = await agency.pool.fetch(DELIVERIES)
    assert tuple(job) == ("doing", f"out:{mention(1).place.key}", True)


async def test_an_answer_waits_behind_what_is_still_to_be_delivered_in_its_place(
    agency: Database,
) -> None:
    agency.dispatcher.attach(DyingWorker(await worker_of(agency)))
    async with agency.transaction() as conn:
        await defer_delivery(conn, uuid4(), TEAM, mention(1).place.key)

    await answer(agency, mention(1))

    jobs = await agency.pool.fetch(DELIVERIES)
    assert [job["status"] for job in jobs] == ["todo", "todo"]
