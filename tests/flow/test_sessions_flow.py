"""How a thread stands in Slack: whoever shows it, and whatever fails, the newest state stays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest
from acting import INES, Mind, minded
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, dm

from agencyclaw.app import assistant
from agencyclaw.domain.people import Place
from agencyclaw.slack.edge import Edge
from agencyclaw.store.engine import Database
from agencyclaw.workbench.fixture import Bench

SHOWS = "agents.sessions.setStatus"


class Thought:
    """A model that answers when it may."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.free = asyncio.Event()

    async def __call__(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        self.begun.set()
        await self.free.wait()
        return ModelResponse(parts=[TextPart("Seven are due.")])


@dataclass
class Two:
    """Two processes of one deployment; the other one takes no jobs any more."""

    stage: Stage
    other: Edge
    thought: Thought

    async def ask(self) -> Place:
        """Ask something, and wait until it is being thought about, and shown so."""
        root = await self.stage.say(INES, "what is due?")
        await asyncio.wait_for(self.thought.begun.wait(), 10)
        place = Place(
            team_id=self.other.me.team_id, channel_id=dm(INES), thread_ts=root, is_direct=True
        )
        await self.comes_to(place, "processing")
        return place

    async def comes_to(self, place: Place, status: str) -> None:
        """Wait until Slack shows the thread so."""
        await self.stage.bench.until(lambda: self.stands(place, status), 10)

    async def stands(self, place: Place, status: str) -> bool:
        shown = (await self.stage.bench.sessions()).get(place.thread_ts)
        return bool(shown and shown["status"] == status)

    async def struck(self) -> None:
        """Wait until what was planned goes wrong."""

        async def nothing_planned() -> bool:
            return not (await self.stage.bench.control("GET", "faults"))["faults"]

        await self.stage.bench.until(nothing_planned, 10)

    async def shown(self) -> list[str]:
        """Return what Slack was told of threads, in its order."""
        calls = await self.stage.bench.log(target="slack", method=SHOWS)
        return [call["arguments"]["status"] for call in calls if call["ok"]]

    async def was_shown(self, *statuses: str) -> None:
        """Wait until Slack was told just this."""

        async def told() -> bool:
            return await self.shown() == [*statuses]

        await self.stage.bench.until(told, 15)

    async def at_rest(self) -> None:
        """Wait until nothing is left to be shown, now or later."""
        await self.stage.settled()

        async def quiet() -> bool:
            left = "select not exists (select from procrastinate_jobs where task_name = 'show')"
            return await self.stage.db.pool.fetchval(left)

        await self.stage.bench.until(quiet, 15)


@pytest.fixture
async def two(bench: Bench, agency: Database) -> AsyncIterator[Two]:
    thought = Thought()
    async with AsyncExitStack() as stack:
        stage = await stack.enter_async_context(minded(bench, agency, Mind(thought)))
        other = await stack.enter_async_context(assistant(stage.settings, agency))
        await other.queue.stop()
        yield Two(stage, other.edge, thought)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for seconds waits for moments."""
    monkeypatch.setattr("agencyclaw.slack.presence._PAUSE_S", 0.05)
    monkeypatch.setattr("agencyclaw.slack.presence._LATE_S", 2.0)


async def test_what_one_process_shows_late_does_not_hide_what_another_has_shown(
    two: Two, bench: Bench
) -> None:
    place = await two.ask()
    await bench.set_fault("slack", "hang_before", method=SHOWS, delay_s=1.0)
    two.other.presence.begin(place, "what is due?", INES)
    await two.struck()
    two.thought.free.set()
    await two.comes_to(place, "active")
    await two.was_shown("processing", "active", "processing", "active")
    assert await two.stands(place, "active")


async def test_a_call_that_was_given_up_and_arrives_after_all_is_put_right(
    two: Two, bench: Bench, hurried: None
) -> None:
    place = await two.ask()
    two.other.presence.timeout_s = 0.2
    await bench.set_fault("slack", "hang_before", method=SHOWS, delay_s=1.2)
    two.other.presence.begin(place, "what is due?", INES)
    await two.struck()
    two.thought.free.set()
    # The answer's own look, the job's, what arrives after all, and the look after that.
    await two.was_shown("processing", "active", "active", "processing", "active")
    await two.at_rest()
    assert await two.stands(place, "active")


@pytest.mark.parametrize("fault", ["error_before", "error_after", "reset_after", "rate_limited"])
async def test_a_thread_that_could_not_be_shown_is_shown_later_and_holds_up_no_answer(
    two: Two, bench: Bench, hurried: None, fault: str
) -> None:
    place = await two.ask()
    await bench.set_fault("slack", fault, method=SHOWS, times=3, delay_s=1)
    two.thought.free.set()
    await two.stage.reply(INES, place.thread_ts)
    await two.comes_to(place, "active")
    assert await two.stage.db.pool.fetchval("select max(attempts) from outbox") == 1


async def test_showing_is_given_up_at_last(
    two: Two, bench: Bench, hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.slack.presence._TRIES", 3)
    place = await two.ask()
    known = len(await two.shown())
    await bench.set_fault("slack", "error_before", method=SHOWS, times=100)
    two.thought.free.set()
    await two.stage.reply(INES, place.thread_ts)
    await two.at_rest()
    assert len(await two.shown()) == known
    planned = (await bench.control("GET", "faults"))["faults"]
    assert planned[0]["times"] == 100 - 4
