"""How a card ended while an answer was written is told where the answer still calls it open."""

from __future__ import annotations

import asyncio
import re

from acting import ASKED, SARA_L, TASK, ScriptedModel, calls, minded, offer
from fakes.judges import Reader
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, buttons, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

MADE = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
SECOND = calls("create_task", client="Glintly Inc", title="Order new boxes", objective=ASKED)


def words(said: str, changes: str = "none") -> ModelResponse:
    return calls("reply", text=said, changes=changes)


async def told(
    bench: Bench, agency: Database, answer: ModelResponse, *, first: ModelResponse | None = None
) -> str:
    """Return an answer during which a card of another thread is confirmed."""
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def late(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        asked.set()
        await go_on.wait()
        return answer

    steps = (MADE, "It is on the card.", *((first,) if first else ()), late)
    async with minded(bench, agency, ScriptedModel(*steps)) as stage:
        card = await offer(stage, SARA_L, await stage.say(SARA_L, ASKED))
        root = await stage.say(SARA_L, "go on")
        await asyncio.wait_for(asked.wait(), 30)
        await stage.press(SARA_L, card, "Create task")
        await stage.created(TASK)
        await bench.until(lambda: is_done(stage))
        go_on.set()
        return whole_text(await stage.reply_with(SARA_L, root, "Here it is."))


async def test_an_answer_is_judged_by_how_its_cards_stand_when_it_is_given(
    bench: Bench, agency: Database
) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()
    judge = Reader()

    async def late(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        asked.set()
        await go_on.wait()
        return ModelResponse(parts=[TextPart("One card waits.")])

    mind = ScriptedModel(MADE, "It is on the card.", late)
    async with minded(bench, agency, mind, judge=judge.model()) as stage:
        card = await offer(stage, SARA_L, await stage.say(SARA_L, ASKED))
        root = await stage.say(SARA_L, "what waits for me?")
        await asyncio.wait_for(asked.wait(), 30)
        await stage.press(SARA_L, card, "Create task")
        await stage.created(TASK)
        await stage.bench.until(lambda: is_done(stage))
        go_on.set()
        await stage.reply_with(SARA_L, root, "One card waits.")

    assert f"- “{TASK}”: created" in judge.read[-1]
    assert "waiting for" not in judge.read[-1]


async def is_done(stage: Stage) -> bool:
    """Whether the row of the first card says that it was carried out."""
    return "done" in [one["state"] for one in await stage.proposals()]


async def test_a_card_that_an_answer_names_is_told_with_the_time_on_the_persons_clock(
    bench: Bench, agency: Database
) -> None:
    said = await told(bench, agency, words(f"Here it is. “{TASK}” waits for you."))

    assert re.search(
        rf"While I wrote this, “{TASK}” stopped waiting:"
        r" created, \d\d:\d\d \(Lisbon\)\.",
        said,
    ), said


async def test_a_card_that_an_answer_says_is_open_is_told(bench: Bench, agency: Database) -> None:
    said = await told(bench, agency, words("Here it is. One card waits.", "waiting"))

    assert f"While I wrote this, “{TASK}” stopped waiting" in said


async def test_beside_another_card_nothing_is_told_of_it(bench: Bench, agency: Database) -> None:
    answer = words("Here it is.", "prepared")

    said = await told(bench, agency, answer, first=SECOND)

    assert "While I wrote this" not in said
    assert "Nothing on this card is carried out until you confirm." in said


async def test_a_card_decided_meanwhile_does_not_keep_the_one_that_is_left_from_coming_back(
    bench: Bench, agency: Database
) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def late(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        asked.set()
        await go_on.wait()
        return words("Here it is.", "waiting")

    on_card = "It is on the card."
    async with minded(bench, agency, ScriptedModel(MADE, on_card, SECOND, on_card, late)) as stage:
        first = await offer(stage, SARA_L, await stage.say(SARA_L, ASKED))
        await stage.settled()
        second = await offer(stage, SARA_L, await stage.say(SARA_L, ASKED), "Create task")
        await stage.settled()
        root = await stage.say(SARA_L, "looks good")
        await asyncio.wait_for(asked.wait(), 30)
        await stage.press(SARA_L, first, "Create task")
        await stage.created(TASK)
        await bench.until(lambda: is_done(stage))
        go_on.set()
        await stage.reply_with(SARA_L, root, "Here it is.")
        await stage.settled()

        [again] = [
            one for one in await stage.replies(SARA_L, root) if "Create task" in buttons(one)
        ]
        assert again["ts"] != second["ts"]
        assert "Order new boxes" in whole_text(again)
