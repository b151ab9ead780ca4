"""How many turns run at once: few while they compute, many while they wait for their model."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from agencyclaw.conversation.queue import JobHandlers, Queue, QueueTiming
from agencyclaw.store.advisory_locks import AdvisoryLocks
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import defer, turn_queues_of
from agencyclaw.store.queue_connection import queue_app

MANY = 12
WAIT = "agencyclaw.store.queue_connection._LONGEST_WAIT_S"
TEAM = "T0LANTERN"


class Turns:
    """Runs turns, and knows how many ran at once."""

    def __init__(self, work: Callable[[], Awaitable[None]]) -> None:
        self._work = work
        self.running = self.most = self.done = 0
        self.all_run, self.all_done = asyncio.Event(), asyncio.Event()

    async def take(self, _: str) -> None:
        self.running += 1
        self.most = max(self.most, self.running)
        if self.running == MANY:
            self.all_run.set()
        await self._work()
        self.running -= 1
        self.done += 1
        if self.done == MANY:
            self.all_done.set()

    async def nothing(self, *_: object, **__: object) -> None:
        """Not asked for here."""

    def handlers(self) -> JobHandlers:
        return JobHandlers(
            turn=self.take,
            act=self.nothing,
            execute=self.nothing,
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


@asynccontextmanager
async def working(database: Database, turns: Turns) -> AsyncGenerator[None]:
    async with database.transaction() as conn:
        for number in range(MANY):
            await defer(
                conn,
                "turn",
                {"receipt_id": number},
                queue=turn_queues_of(TEAM)[0],
                lock=f"lane {number}",
            )
    locks, pace = AdvisoryLocks(database), QueueTiming(drain_s=1.0)
    queue = Queue(
        queue_app(database, limits=pace.limits(TEAM)),
        locks,
        turns.handlers(),
        team_id=TEAM,
        pace=pace,
    )
    await queue.start()
    try:
        yield
    finally:
        await queue.stop()
        await locks.close()


async def compute() -> None:
    for _ in range(10):
        ends = time.thread_time() + 0.005
        while time.thread_time() < ends:
            pass
        await asyncio.sleep(0)


async def test_few_turns_run_at_once_while_the_loop_computes(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WAIT, 60.0)
    answered = asyncio.Event()
    turns = Turns(lambda: _until(answered))
    async with _busy_loop(), working(database, turns):
        while not turns.running:
            await compute()
        for _ in range(20):
            await compute()
        running = turns.most
        answered.set()
        await asyncio.wait_for(turns.all_done.wait(), 300)
    assert running <= MANY // 2


async def test_turns_that_wait_for_their_model_run_many_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WAIT, 60.0)
    answered = asyncio.Event()
    turns = Turns(lambda: _until(answered))
    async with working(database, turns):
        await asyncio.wait_for(turns.all_run.wait(), 300)
        answered.set()
        await asyncio.wait_for(turns.all_done.wait(), 300)


async def test_a_loop_that_others_keep_busy_holds_up_no_turn_for_long(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WAIT, 0.05)
    answered = asyncio.Event()
    turns = Turns(lambda: _until(answered))
    async with _busy_loop(), working(database, turns):
        await asyncio.wait_for(turns.all_run.wait(), 300)
        answered.set()
        await asyncio.wait_for(turns.all_done.wait(), 300)


@asynccontextmanager
async def _busy_loop() -> AsyncGenerator[None]:
    """Keep the event loop computing."""
    hog = asyncio.create_task(_compute_for_ever())
    try:
        yield
    finally:
        hog.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await hog


async def _until(event: asyncio.Event) -> None:
    await event.wait()


async def _compute_for_ever() -> None:
    while True:
        await compute()
