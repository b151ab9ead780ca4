"""However a run ends without an answer: what it was doing, what stopped it, what it had found."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acting import INES, ScriptedModel, calls, minded
from deadlines import AMPLE_S, Deadlines
from fakes.openai_server import Fault, OpenAIServer, Reply
from pydantic_ai import models
from pydantic_ai.exceptions import ContentFilterError
from pydantic_ai.messages import ModelResponse, ToolCallPart
from stage import Stage, dm, on_stage, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

LOOK = calls("search_kb", query="coupon")
WAS_AT = "I was at this: Searching the procedures"
HAD_WORKED = "• Had worked: Searching the procedures: coupon"
AGAIN = "Please try again in a moment."
LESS = "Asking for one part of it, with client and dates, often helps."

pytestmark = pytest.mark.usefixtures("brisk")


async def forever(_: object, __: object) -> str:
    await asyncio.Event().wait()
    return ""


async def answered(stage: Stage) -> str:
    root = await stage.say(INES, "how do coupons work at Copperleaf?")
    await stage.reply_with(INES, root, "Nothing was changed.")
    await stage.settled()
    return "\n".join([whole_text(one) for one in await stage.replies(INES, root)])


SERVICE: dict[str, tuple[Reply, str, str]] = {
    "400": (Fault(400, "bad"), "refused what I sent it.", "can choose another model."),
    "401": (Fault(401), "refuses me; whoever runs me", "Trying again won't help until then."),
    "402": (Fault(402), "refuses me; whoever runs me", "Trying again won't help until then."),
    "404": (Fault(404), "refuses me; whoever runs me", "Trying again won't help until then."),
    "413": (Fault(413, "big"), "refused what I sent it.", "can choose another model."),
}


@pytest.mark.parametrize("name", SERVICE)
async def test_a_service_that_refuses_on_the_way(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    fault, why, advice = SERVICE[name]
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    server = OpenAIServer([{"search_kb": {"query": "coupon"}}, *[fault] * 9])
    async with server.running() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        async with on_stage(bench, agency, agencyclaw_model="openai-chat:gpt-5-mini") as stage:
            said = await answered(stage)

    for words in (WAS_AT, why, HAD_WORKED, "“Coupons Promotion SOP”", advice, "this reference"):
        assert words in said
    assert (AGAIN in said) == (advice == AGAIN)


def many(at: int) -> ModelResponse:
    parts = [ToolCallPart("search_kb", {"query": f"coupon {at} {each}"}) for each in range(9)]
    return ModelResponse(parts=list(parts))


STEPS = "I had used up the steps that I may take for one message."
TROUBLES: dict[str, tuple[list[Any], str, str]] = {
    "too many requests": (
        [calls("search_kb", query=f"coupon {at}") for at in range(30)],
        STEPS,
        LESS,
    ),
    "too many calls": ([many(at) for at in range(30)], STEPS, LESS),
    "the same again and again": ([LOOK] * 30, STEPS, LESS),
    "time": ([LOOK, forever], "The answer took too long, so I stopped.", AGAIN),
    "a filter": (
        [LOOK, ContentFilterError("no")],
        "The language model refused to answer this.",
        "Asking in other words may help.",
    ),
    "three rejected answers": (
        [LOOK, "I called list_tasks for you."],
        "I wrote 3: they were full of my own machinery.",
        LESS,
    ),
    "nothing": ([LOOK, ModelResponse(parts=[])], "passes my own checks.", AGAIN),
}


@pytest.mark.parametrize("name", TROUBLES)
async def test_a_limit_or_a_model_that_comes_to_nothing(
    bench: Bench, agency: Database, deadlines: Deadlines, name: str
) -> None:
    answers, why, advice = TROUBLES[name]
    mind = ScriptedModel(*answers)
    async with (
        minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage,
        asyncio.TaskGroup() as group,
    ):
        answering = group.create_task(answered(stage))
        if name == "time":
            await bench.until(lambda: len(mind.told) == len(answers))
            deadlines.come()
    said = answering.result()

    for words in (WAS_AT, why, HAD_WORKED, "“Coupons Promotion SOP”", advice, "this reference"):
        assert words in said
    assert (AGAIN in said) == (advice == AGAIN)


async def test_a_message_that_is_set_aside_tells_its_journal(
    bench: Bench, agency: Database
) -> None:
    """A fault of ours or of a library, until the message is tried no more."""
    mind = ScriptedModel(*[LOOK, RuntimeError("a bug in a client library")] * 9)
    async with minded(bench, agency, mind) as stage:
        said = await answered(stage)

    assert "I failed on this message several times" in said
    assert f"{WAS_AT}: coupon." in said
    assert "• Had worked: Searching the procedures: coupon." in said
    run = await agency.pool.fetchval("select id from agent_runs order by started_at desc limit 1")
    assert f"The reference for an admin is `{str(run)[:8]}`." in said


@pytest.mark.parametrize("arguments", [{"query": "coupon"}, '{"query": "coupon"}'])
async def test_what_a_person_stops_says_what_it_was_at(
    bench: Bench, agency: Database, arguments: Any
) -> None:
    """Most models give arguments as JSON."""
    mind = ScriptedModel(ModelResponse(parts=[ToolCallPart("search_kb", arguments)]), forever)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "how do coupons work?")
        await bench.until(lambda: len(mind.told) == 2)
        assert (await bench.stop(dm(INES), INES, root))["ok"]
        said = whole_text(await stage.reply_with(INES, root, "Stopped, as you asked."))

    assert f"Nothing was changed. {WAS_AT}: coupon." in said


async def test_what_is_stopped_before_it_did_anything_says_no_more(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(forever)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "how do coupons work?")
        await bench.until(lambda: len(mind.told) == 1)
        assert (await bench.stop(dm(INES), INES, root))["ok"]
        said = whole_text(await stage.reply_with(INES, root, "Stopped, as you asked."))

    assert "I was at this" not in said


@pytest.mark.parametrize("kind", ["error_before", "html", "unauthorized", "rate_limited"])
async def test_a_clickup_that_is_away_all_along_is_named(
    bench: Bench, agency: Database, kind: str
) -> None:
    days = [
        calls("list_tasks", client="Copperleaf", window="next_n_days", days=1 + at)
        for at in range(9)
    ]
    async with minded(bench, agency, ScriptedModel(LOOK, *days)) as stage:
        await bench.set_fault("clickup", kind, times=1_000)
        said = await answered(stage)

    assert "I was at this: Reading ClickUp tasks: Copperleaf." in said
    assert "• Did not work: Reading ClickUp tasks: Copperleaf. ClickUp " in said
    assert HAD_WORKED in said


async def test_a_process_that_drains_leaves_the_message_to_the_next(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(LOOK, forever)
    async with minded(bench, agency, mind, agencyclaw_drain_s=0.0) as stage:
        root = await stage.say(INES, "how do coupons work?")
        await bench.until(lambda: len(mind.told) == 2)
    async with minded(
        bench, agency, ScriptedModel(LOOK, "The Coupons Promotion SOP says it.")
    ) as stage:
        await stage.reply_with(INES, root, "The Coupons Promotion SOP says it.")
        await stage.settled()
        assert len(await stage.replies(INES, root)) == 1
