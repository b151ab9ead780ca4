"""The first sign of life: shown when a message is stored, not when somebody has time for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from acting import INES, MIGUEL, ScriptedModel, calls, minded, offer
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, dm

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

NOTE = {"fact": "they ship from Rotterdam", "client": "Glintly Inc"}


@dataclass
class Busy:
    """A model that answers when it may."""

    free: asyncio.Event = field(default_factory=asyncio.Event)
    asked: int = 0

    async def __call__(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        self.asked += 1
        await self.free.wait()
        return ModelResponse(parts=[TextPart("Seven are due.")])


async def lines(stage: Stage, root: str) -> list[str]:
    """What a thread was shown to be worked on as, in Slack's order."""
    log = await stage.bench.log(target="slack", method="assistant.threads.setStatus")
    said = [call["arguments"] for call in log]
    return [one["status"] for one in said if one["thread_ts"] == root and one["status"]]


async def shows(stage: Stage, root: str) -> None:
    """Wait until a thread is shown to be worked on."""
    await stage.bench.until(lambda: lines(stage, root))


async def test_a_message_is_shown_as_heard_while_every_worker_is_busy_and_only_once(
    bench: Bench, agency: Database
) -> None:
    busy = Busy()
    async with minded(bench, agency, ScriptedModel(busy, busy), agencyclaw_concurrency=1) as stage:
        first = await stage.say(INES, "what is due?")
        await shows(stage, first)
        second = await stage.say(MIGUEL, "what is late?")
        await shows(stage, second)
        assert busy.asked <= 1

        busy.free.set()
        for user, root in ((INES, first), (MIGUEL, second)):
            await stage.reply(user, root)
        await stage.settled()

        assert len(await lines(stage, first)) == len(await lines(stage, second)) == 1


async def test_what_waits_behind_a_message_of_its_thread_is_shown_when_its_turn_comes(
    bench: Bench, agency: Database
) -> None:
    busy = Busy()
    async with minded(bench, agency, ScriptedModel(busy, busy, busy)) as stage:
        root = await stage.say(INES, "what is due?")
        await shows(stage, root)
        await stage.bench.post_message(dm(INES), INES, "and what is late?", root)
        await shows(stage, await stage.say(MIGUEL, "what is late?"))
        assert len(await lines(stage, root)) == 1

        busy.free.set()
        await stage.settled()
        assert len(await lines(stage, root)) == 2


async def test_a_word_that_may_answer_a_card_is_not_shown_as_a_question(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(calls("remember", **NOTE), "I prepared the note.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "keep in mind that they ship from Rotterdam")
        await offer(stage, INES, root, "Keep")
        await stage.settled()
        before = await lines(stage, root)

        await stage.bench.post_message(dm(INES), INES, "yes", root)
        await stage.bench.until(lambda: stage.events("effect_done"))
        await stage.settled()

        assert await lines(stage, root) == before
