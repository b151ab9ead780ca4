"""What a person decides while an answer is being written is in the answer's last line."""

from __future__ import annotations

import asyncio

from acting import ASKED, SARA_L, TASK, ScriptedModel, calls, minded, offer
from fakes.judges import Reader
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

MADE = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)


async def test_a_card_that_was_confirmed_while_the_answer_was_written_is_told(
    bench: Bench, agency: Database
) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def late(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        asked.set()
        await go_on.wait()
        return ModelResponse(parts=[TextPart("One card waits.")])

    mind = ScriptedModel(MADE, "It is on the card.", late)
    async with minded(bench, agency, mind) as stage:
        card = await offer(stage, SARA_L, await stage.say(SARA_L, ASKED))
        root = await stage.say(SARA_L, "what waits for me?")
        await asyncio.wait_for(asked.wait(), 30)
        await stage.press(SARA_L, card, "Create task")
        await stage.created(TASK)
        await bench.until(lambda: is_done(stage))
        go_on.set()

        told = whole_text(await stage.reply_with(SARA_L, root, "One card waits."))

    assert f"While I wrote this, “{TASK}” stopped waiting: created" in told


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
    """Whether the row of the only card says that it was carried out."""
    return [one["state"] for one in await stage.proposals()] == ["done"]
