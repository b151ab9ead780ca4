"""How a thread stands in Slack: whoever shows it, and whatever fails, the newest state stays."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from acting import (
    ASKED,
    INES,
    LEO,
    MIGUEL,
    PAUL,
    SARA_L,
    SARA_O,
    TASK,
    TOMAS,
    YUKI,
    ScriptedModel,
    calls,
    minded,
    offer,
)
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, dm

from agencyclaw.app import assistant
from agencyclaw.domain.people import Place
from agencyclaw.slack.edge import Edge
from agencyclaw.slack.limits import Pace
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

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
class Crowded(Pace):
    """Slack has no room for a courtesy until somebody says so."""

    is_full: bool = True

    def has_capacity(self, method: str) -> bool:
        return not self.is_full and super().has_capacity(method)


@dataclass
class Two:
    """Two processes of one deployment; the other one takes no jobs any more."""

    stage: Stage
    other: Edge
    thought: Thought

    async def ask(self) -> Place:
        """Ask something, and wait until it is being thought about, and shown so."""
        root = await self.stage.say(INES, "what is due?")
        await asyncio.wait_for(self.thought.begun.wait(), 300)
        place = Place(
            team_id=self.other.me.team_id, channel_id=dm(INES), thread_ts=root, is_direct=True
        )
        await self.comes_to(place, "processing")
        return place

    async def comes_to(self, place: Place, status: str) -> None:
        """Wait until Slack shows the thread so."""
        await self.stage.bench.until(lambda: self.stands(place, status))

    async def stands(self, place: Place, status: str) -> bool:
        shown = (await self.stage.bench.sessions()).get(place.thread_ts)
        return bool(shown and shown["status"] == status)

    async def struck(self) -> None:
        """Wait until what was planned goes wrong."""

        async def nothing_planned() -> bool:
            return not (await self.stage.bench.control("GET", "faults"))["faults"]

        await self.stage.bench.until(nothing_planned)

    async def shown(self) -> list[str]:
        """Return what Slack was told of threads, in its order."""
        calls = await self.stage.bench.log(target="slack", method=SHOWS)
        return [call["arguments"]["status"] for call in calls if call["ok"]]

    async def was_shown(self, *statuses: str) -> None:
        """Wait until Slack was told just this."""

        async def told() -> bool:
            return await self.shown() == [*statuses]

        await self.stage.bench.until(told)


@pytest.fixture
async def two(bench: Bench, agency: Database) -> AsyncIterator[Two]:
    thought = Thought()
    async with AsyncExitStack() as stack:
        stage = await stack.enter_async_context(minded(bench, agency, ScriptedModel(thought)))
        other = await stack.enter_async_context(assistant(stage.settings, agency))
        await other.queue.stop()
        yield Two(stage, other.edge, thought)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for seconds waits for moments."""
    monkeypatch.setattr("agencyclaw.slack.status._LOOK_S", 0.05)
    monkeypatch.setattr("agencyclaw.slack.status._PAUSE_S", 0.05)
    monkeypatch.setattr("agencyclaw.slack.status._LATE_S", 3.0)


async def test_what_arrives_late_of_one_process_does_not_hide_what_another_has_shown(
    two: Two, bench: Bench
) -> None:
    """While a call of either is under way, none of them shows that thread."""
    two.stage.edge.status.timeout_s = two.other.status.timeout_s = 60.0
    await bench.set_fault("slack", "hang_before", method=SHOWS, delay_s=1.0)
    root = await two.stage.say(INES, "what is due?")
    await asyncio.wait_for(two.thought.begun.wait(), 300)
    await two.struck()
    two.thought.free.set()
    await two.stage.reply(INES, root)
    await two.was_shown("processing", "active")
    await two.stage.at_rest()
    assert (await bench.sessions())[root]["status"] == "active"


async def test_a_call_that_was_given_up_and_arrives_after_all_is_put_right(
    two: Two, bench: Bench, hurried: None
) -> None:
    two.stage.edge.status.timeout_s = two.other.status.timeout_s = 0.2
    await bench.set_fault("slack", "hang_before", method=SHOWS, delay_s=1.2)
    root = await two.stage.say(INES, "what is due?")
    await asyncio.wait_for(two.thought.begun.wait(), 300)
    await two.struck()
    # Only who must see this one hang is in a hurry.
    two.stage.edge.status.timeout_s = two.other.status.timeout_s = 60.0
    two.thought.free.set()
    await two.stage.reply(INES, root)
    # Given up, arrived after all, and only then shown as it stands by now.
    await two.was_shown("processing", "active")
    await two.stage.at_rest()
    assert (await bench.sessions())[root]["status"] == "active"


@pytest.mark.parametrize("fault", ["error_before", "error_after", "reset_after", "rate_limited"])
async def test_a_thread_that_could_not_be_shown_is_shown_later_and_holds_up_no_answer(
    two: Two, bench: Bench, hurried: None, fault: str
) -> None:
    place = await two.ask()
    await bench.set_fault("slack", fault, method=SHOWS, times=2, delay_s=1)
    two.thought.free.set()
    await two.stage.reply(INES, place.thread_ts)
    await two.comes_to(place, "active")
    assert await two.stage.db.pool.fetchval("select max(attempts) from outbox") == 1


async def test_showing_is_given_up_at_last(
    two: Two, bench: Bench, hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.slack.status._LONGEST_S", 0.0)
    place = await two.ask()
    known = len(await two.shown())
    await bench.set_fault("slack", "error_before", method=SHOWS, times=100)
    two.thought.free.set()
    await two.stage.reply(INES, place.thread_ts)
    await two.stage.at_rest()
    assert len(await two.shown()) == known


async def test_what_changed_while_slack_had_no_room_is_shown_once_or_not_at_all(
    two: Two, bench: Bench, hurried: None
) -> None:
    crowded = [Crowded(), Crowded()]
    two.stage.edge.status.web.pace, two.other.status.web.pace = crowded
    two.thought.free.set()
    roots = [await two.stage.say(INES, f"what is due? {at}") for at in range(3)]
    for root in roots:
        await two.stage.reply(INES, root)
    await two.stage.settled()
    for pace in crowded:
        pace.is_full = False
    await two.stage.at_rest()
    # They were worked on and were done before anything could be shown.
    assert await two.shown() == []


async def test_a_thread_is_shown_as_it_stands_when_the_process_that_changed_it_is_gone(
    two: Two, bench: Bench, hurried: None
) -> None:
    place = await two.ask()
    await two.stage.edge.status.close()
    two.thought.free.set()
    await two.stage.reply(INES, place.thread_ts)
    await two.comes_to(place, "active")


async def test_a_thread_has_its_question_as_title_whichever_process_shows_it_first(
    two: Two, bench: Bench, hurried: None
) -> None:
    two.stage.edge.status.web.pace = Crowded()
    place = await two.ask()
    session = (await bench.sessions())[place.thread_ts]
    assert (session["title"], session["initiator_user_id"]) == ("what is due?", INES)


async def test_a_thread_that_is_first_shown_as_waiting_has_a_title_too(
    bench: Bench, agency: Database, hurried: None
) -> None:
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    async with minded(bench, agency, ScriptedModel(create, "It is on the card.")) as stage:
        pace = stage.edge.status.web.pace = Crowded()
        root = await stage.say(INES, f"make the task: {ASKED}")
        await offer(stage, INES, root)
        pace.is_full = False
        session = await bench.until(lambda: _session(bench, root))
    assert (session["status"], session["initiator_user_id"]) == ("suspended", INES)
    assert session["title"].startswith("make the task: ")


async def _session(bench: Bench, root: str) -> dict[str, Any] | None:
    return (await bench.sessions()).get(root)


async def test_a_burst_shows_no_more_than_slack_takes_and_queues_nothing(
    bench: Bench, agency: Database
) -> None:
    """Many threads at once, under Slack's documented limits: what is stale is never shown."""
    people = (INES, MIGUEL, SARA_L, SARA_O, TOMAS, YUKI, PAUL, LEO)
    await bench.limit_slack()
    async with minded(bench, agency, ScriptedModel("Seven are due.")) as stage:
        roots = [
            (user, await stage.say(user, f"what is due? ({number})"))
            for number in range(5)
            for user in people
        ]
        for user, root in roots:
            await stage.reply(user, root)
        await stage.settled()

        calls = await bench.log(target="slack")
        refused = Counter(call["method"] for call in calls if not call["ok"])
        waiting = await agency.pool.fetchval(
            "select count(*) from procrastinate_jobs where status = 'todo'"
        )
        shown: dict[str, list[str]] = {}
        for call in calls:
            if call["method"] == SHOWS:
                told = call["arguments"]
                shown.setdefault(told["thread_ts"], []).append(told["status"])
    assert refused == Counter()
    assert waiting == 0
    assert all(a != b for states in shown.values() for a, b in itertools.pairwise(states))
