"""The steps of an answer that grows: each ends, and equal ones are one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, cast
from uuid import uuid4

from agencyclaw.agents.policies.writing import Draft
from agencyclaw.domain.people import Place
from agencyclaw.slack.lost_streams import LostStreams
from agencyclaw.slack.streaming import StreamContext, StreamingMessage, StreamTarget, Tempo
from agencyclaw.slack.web import Method, Web
from agencyclaw.store.streams import Streams

AT_ONCE = Tempo(look_s=0.001, work_s=0.0, append_s=0.0, patience_s=30.0)
PLACE = Place(team_id="T1", channel_id="D1", thread_ts="1.1", is_direct=True)


class OpenPace:
    def has_capacity(self, _: Method) -> bool:
        return True


@dataclass
class HeldWeb:
    """A Slack whose first call of a method is under way for as long as the test likes."""

    holds: Method = Method.APPEND_STREAM
    held: asyncio.Event = field(default_factory=asyncio.Event)
    under_way: asyncio.Event = field(default_factory=asyncio.Event)
    pace: OpenPace = field(default_factory=OpenPace)
    cards: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])

    async def call(self, method: Method, **arguments: Any) -> dict[str, Any]:
        if method is self.holds and not self.under_way.is_set():
            self.under_way.set()
            await self.held.wait()
        for chunk in arguments.get("chunks", []):
            self.cards[chunk["id"]] = (chunk["title"], chunk["status"])
        return {"ts": "2.2"}

    async def begins(self) -> None:
        async with asyncio.timeout(30):
            while not self.cards:  # noqa: ASYNC110  (what is sent has no event to wait for)
                await asyncio.sleep(0.001)

    async def shows(self, *cards: tuple[str, str]) -> None:
        async with asyncio.timeout(30):
            while list(self.cards.values()) != [*cards]:  # noqa: ASYNC110
                await asyncio.sleep(0.001)


class NoRows:
    """Streams whose rows are always ours."""

    async def left_by(self, _: int) -> None:
        return None

    async def begin(self, *_: object) -> object:
        return uuid4()

    async def own(self, *_: object) -> None:
        return None

    async def record_text(self, *_: object, **__: object) -> bool:
        return True


def growing(web: HeldWeb) -> StreamingMessage:
    orphans = cast(LostStreams, None)
    around = StreamContext(cast(Web, web), cast(Streams, NoRows()), orphans, frozenset(), AT_ONCE)
    return StreamingMessage(around, StreamTarget(PLACE, 1, uuid4(), "U1"), Draft())


@dataclass
class HeldRows(NoRows):
    """Rows whose first one is written for as long as the test likes."""

    held: asyncio.Event = field(default_factory=asyncio.Event)
    under_way: asyncio.Event = field(default_factory=asyncio.Event)

    async def begin(self, *_: object) -> object:
        self.under_way.set()
        await self.held.wait()
        return uuid4()


@dataclass
class TextWeb:
    """A Slack that keeps the text it got by each method."""

    pace: OpenPace = field(default_factory=OpenPace)
    texts: list[tuple[Method, str]] = field(default_factory=list[tuple[Method, str]])

    async def call(self, method: Method, **arguments: Any) -> dict[str, Any]:
        text = "".join(chunk["text"] for chunk in arguments["chunks"])
        self.texts.append((method, text))
        return {"ts": "2.2"}

    async def got(self, count: int) -> None:
        async with asyncio.timeout(30):
            while len(self.texts) < count:  # noqa: ASYNC110  (what is sent has no event to wait for)
                await asyncio.sleep(0.001)


async def test_an_answer_begun_anew_while_its_stream_opens_grows_in_that_stream() -> None:
    web, rows, draft = TextWeb(), HeldRows(), Draft()
    tempo = Tempo(look_s=0.001, words_s=0.0, append_s=0.0, least=0, patience_s=30.0)
    lost = cast(LostStreams, None)
    context = StreamContext(cast(Web, web), cast(Streams, rows), lost, frozenset(), tempo)
    draft.append("Seven are late. ")
    answer = StreamingMessage(context, StreamTarget(PLACE, 1, uuid4(), "U1"), draft)
    await asyncio.wait_for(rows.under_way.wait(), 30)

    draft.discard()
    draft.append("Eight are late. ")
    rows.held.set()
    await web.got(1)
    draft.append("Two are not. ")
    await web.got(2)
    await answer.close()

    assert [method for method, _ in web.texts] == [Method.START_STREAM, Method.APPEND_STREAM]
    shown = "".join(text for _, text in web.texts)
    assert shown.split() == ["Eight", "are", "late.", "Two", "are", "not."]


async def test_a_step_that_ends_while_its_update_is_being_sent_is_shown_as_ended() -> None:
    web = HeldWeb()
    answer = growing(web)
    answer.works_on("first", "Reading the client list")
    await web.shows(("Reading the client list", "in_progress"))
    answer.works_on("second", "Reading ClickUp tasks")
    await asyncio.wait_for(web.under_way.wait(), 30)
    answer.finished("first", well=True)
    answer.finished("second", well=True)
    web.held.set()
    done = ("Reading the client list", "complete"), ("Reading ClickUp tasks", "complete")
    await web.shows(*done)
    await answer.close()
    assert tuple(web.cards.values()) == done


async def test_a_step_that_ends_while_the_stream_opens_is_shown_as_ended() -> None:
    web = HeldWeb(holds=Method.START_STREAM)
    answer = growing(web)
    answer.works_on("first", "Reading the client list")
    await asyncio.wait_for(web.under_way.wait(), 30)
    answer.finished("first", well=True)
    web.held.set()
    await web.shows(("Reading the client list", "complete"))
    await answer.close()


async def test_equal_steps_are_one_that_ends_with_the_last_of_them() -> None:
    web = HeldWeb()
    web.under_way.set()
    answer = growing(web)
    for each in "abc":
        answer.works_on(each, "Reading ClickUp tasks: Copperleaf")
    answer.finished("a", well=True)
    answer.finished("b", well=False)
    await web.shows(("Reading ClickUp tasks: Copperleaf (3)", "in_progress"))
    answer.finished("c", well=True)
    await web.shows(("Reading ClickUp tasks: Copperleaf (3)", "complete"))
    await answer.close()


async def test_no_step_turns_for_ever_nor_are_there_more_than_slack_takes() -> None:
    web = HeldWeb()
    web.under_way.set()
    answer = growing(web)
    for number in range(80):
        answer.works_on(str(number), f"Reading ClickUp tasks: brand {number}")
    await web.begins()
    assert "in_progress" in {status for _, status in web.cards.values()}
    await answer.close()
    assert {status for _, status in web.cards.values()} == {"error"}
    assert len(web.cards) <= 50
