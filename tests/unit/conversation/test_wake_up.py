"""The lane engine is woken, not found out by the next look: here it would look once a minute."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from uuid import UUID, uuid4

import pytest

from agencyclaw.conversation.queue import JobHandlers, Queue, QueueTiming
from agencyclaw.store.advisory_locks import AdvisoryLocks
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.queue_connection import queue_app

TEAM = "T0LANTERN"


class Diary:
    """Writes down each job that ran."""

    def __init__(self) -> None:
        self.ran: asyncio.Queue[UUID] = asyncio.Queue()

    async def write(self, proposal_id: UUID) -> None:
        self.ran.put_nowait(proposal_id)

    async def nothing(self, *_: object, **__: object) -> None:
        """Not asked for here."""

    def handlers(self) -> JobHandlers:
        return JobHandlers(
            turn=self.nothing,
            act=self.nothing,
            execute=self.write,
            look=self.nothing,
            expire=self.nothing,
            resume=self.nothing,
            remind=self.nothing,
            fire=self.nothing,
            show=self.nothing,
            deliver=self.nothing,
            lane_of=self.nothing,
            tidy=self.nothing,
            watch=self.nothing,
        )


@pytest.fixture
async def diary(database: Database) -> AsyncGenerator[Diary]:
    diary, locks = Diary(), AdvisoryLocks(database)
    pace = QueueTiming(poll_s=60.0, heartbeat_s=30.0, dead_after_s=90.0, drain_s=1.0)
    queue = Queue(queue_app(database), locks, diary.handlers(), team_id=TEAM, pace=pace)
    await queue.start()
    yield diary
    await queue.stop()
    await locks.close()


async def ask(database: Database, proposal_id: UUID, lock: str) -> None:
    async with database.transaction() as conn:
        await defer(
            conn, "execute", {"proposal_id": str(proposal_id)}, queue=queue_of(TEAM), lock=lock
        )


async def test_a_job_that_comes_while_the_worker_fetches_is_not_forgotten(
    database: Database, diary: Diary
) -> None:
    for number in range(100):
        job = uuid4()
        await ask(database, job, f"lane {number}")
        assert await asyncio.wait_for(diary.ran.get(), 300) == job


async def test_the_next_job_of_a_lane_follows_at_once(database: Database, diary: Diary) -> None:
    jobs = [uuid4() for _ in range(20)]
    for job in jobs:
        await ask(database, job, "one lane")

    assert [await asyncio.wait_for(diary.ran.get(), 300) for _ in jobs] == jobs
