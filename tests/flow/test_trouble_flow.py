"""Bad input and bad neighbours: a clear sentence each time, nothing lost, nothing written."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acting import (
    INES,
    SARA_L,
    TASK,
    Acting,
    Answer,
    Mind,
    Step,
    call,
    calls,
    count,
    create,
    creating,
    minded,
    offer,
    receipts_done,
    text,
    turn,
)
from pydantic_ai.exceptions import ContentFilterError, ModelHTTPError
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from stage import Stage, on_stage, whole_text

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.text import MESSAGE_LIMIT
from agencyclaw.store.engine import Database
from agencyclaw.workbench.fixture import Bench

ASK = "make the task"


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """ClickUp's pauses are minutes; what they lead to is the same after moments."""
    monkeypatch.setattr("agencyclaw.clickup.client._BACKOFFS_S", (0.02, 0.04))
    monkeypatch.setattr("agencyclaw.clickup.limiter.FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr("agencyclaw.clickup.limiter.MARGIN_S", 0.02)


async def all_is_quiet(stage: Stage) -> None:
    """Every receipt came to a good end and nothing was written."""
    await stage.settled()
    assert await receipts_done(stage)
    assert await stage.creates_sent() == 0
    assert await count(stage, "agent_tasks") == 0


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("unauthorized", "an admin has to see to it"),
        ("error_before", "be reached right now"),
        ("rate_limited", "be reached right now"),
        ("html", "be reached right now"),
        ("reset_before", "be reached right now"),
        ("hang_after", "be reached right now"),
    ],
)
async def test_a_clickup_that_fails_at_reading_is_said(
    acting: Acting, kind: str, said: str
) -> None:
    listing = turn("list", call("list_tasks", client="Glintly Inc"), text("${list_tasks.message}"))
    making = turn(ASK, create(), text("${create_task.message}"))
    stage = await acting(listing, making, clickup_timeout_s=0.1)
    await stage.bench.set_fault("clickup", kind, times=50, delay_s=1 if "hang" in kind else None)

    listed = await stage.say(INES, "list")
    await stage.reply_with(INES, listed, said)
    made = await stage.say(SARA_L, ASK)

    await stage.reply_with(SARA_L, made, said)
    assert await stage.proposals() == []
    await stage.bench.clear_faults()
    await all_is_quiet(stage)


async def test_a_list_that_does_not_exist_is_said(acting: Acting) -> None:
    listing = turn("list", call("list_tasks", client="Glintly Inc"), text("${list_tasks.message}"))
    making = turn(ASK, create(), text("${create_task.message}"))
    stage = await acting(listing, making)
    await stage.db.pool.execute("update brands set clickup_list_id = '4' where name = 'Glintly'")

    listed = await stage.say(INES, "list")
    made = await stage.say(INES, ASK)

    await stage.reply_with(INES, listed, "no such list in ClickUp")
    await stage.reply_with(INES, made, "An admin has to link the brand to another one")
    await all_is_quiet(stage)


async def test_a_create_that_hangs_is_looked_for_and_not_sent_again(acting: Acting) -> None:
    stage = await acting(creating(ASK), clickup_timeout_s=0.2)
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    await stage.bench.set_fault("clickup", "hang_after", method="create_task", delay_s=2)

    await stage.press(INES, card, "Create task")

    await stage.reply_with(INES, root, "say whether")
    await stage.reply_with(INES, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1
    assert await stage.creates_sent() == 1


@pytest.mark.parametrize("length", [MESSAGE_LIMIT, 39_000])
async def test_a_long_message_is_answered_and_a_cut_is_told_to_the_model(
    bench: Bench, agency: Database, length: int
) -> None:
    mind = Mind("That is a lot of text.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, ("word " * (length // 5))[: length - 1] + "!")

        await stage.reply_with(INES, root, "That is a lot of text.")
        await all_is_quiet(stage)
    told = str(mind.told[0][-1].parts[0].content)
    assert len(told) < MESSAGE_LIMIT + 1_000
    assert ("[cut here: the message had 39,000 characters]" in told) == (length > MESSAGE_LIMIT)


async def test_emoji_nul_and_half_characters_pass_through(bench: Bench, agency: Database) -> None:
    title = "Renew the 👩\u200d🍳 banner\x00 now \u202efine"
    details = "Three new photos, the logo in the corner, and the text in Portuguese"
    mind = Mind(
        calls("create_task", client="Glintly", title=title, request=details), "On the card 🎉"
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "cafe\u0301 \x00 \ud83d 👩\u200d🍳 naïve")
        card = await offer(stage, INES, root)

        await stage.press(INES, card, "Create task")

        [task] = await stage.created("Renew the 👩\u200d🍳 banner now fine")
        await stage.reply_with(INES, root, "Created “")
        assert task["name"].isprintable() or "\u200d" in task["name"]
    assert "\x00" not in mind.heard(0)
    assert "👩\u200d🍳 naïve" in mind.heard(0)


async def test_a_slack_that_disconnects_in_the_middle_of_a_turn_loses_nothing(
    bench: Bench, agency: Database
) -> None:
    thinking, go_on = asyncio.Event(), asyncio.Event()

    async def think(_messages: object, _info: object) -> str:
        thinking.set()
        await go_on.wait()
        return "Here is the answer."

    mind = Mind(think)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "think hard")
        await thinking.wait()
        await bench.disconnect()
        await bench.set_fault("slack", "reset_before", method="chat.postMessage")
        go_on.set()

        await stage.reply_with(INES, root, "Here is the answer.")
        await stage.say(INES, "and again", thread=root)
        await stage.bench.until(lambda: _replies(stage, root, 2), 10)
        await all_is_quiet(stage)
        assert len(await stage.replies(INES, root)) == 2


async def _replies(stage: Stage, root: str, number: int) -> bool:
    return len(await stage.replies(INES, root)) == number


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([call("drop_table", name="x")] * 6, "passes my own checks"),
        ([call("list_tasks", clint="Glintly")] * 6, "passes my own checks"),
        ([text("")] * 4, "passes my own checks"),
        ([text(" \n\t ")] * 4, "passes my own checks"),
        ([text("word " * 20_000)] * 4, "passes my own checks"),
        ([text('{"tool": "create_task", "args": {"client": "Glintly"}}')] * 4, "own checks"),
        ([text("<tool_call>create_task</tool_call>")] * 4, "passes my own checks"),
        ([text("I have created the task for you.")] * 4, "passes my own checks"),
        ([call("lookup_client")] * 12, "more steps than I'm allowed"),
        ([{"fail": 503}], "be reached right now"),
        ([{"fail": 429}], "be reached right now"),
        ([{"fail": 400}], "be reached right now"),
        ([text("I'm sorry, but I can't help with that.")], "but I can"),
    ],
    ids=[
        "unknown tool",
        "bad arguments",
        "empty",
        "blank",
        "endless text",
        "json",
        "markup",
        "a lie",
        "endless loop",
        "503",
        "429",
        "400",
        "refusal",
    ],
)
async def test_garbage_from_the_model_is_a_sentence_and_nothing_else(
    acting: Acting, steps: list[Step], said: str
) -> None:
    stage = await acting(turn("go", *steps), turn("hello", text("Hello!")))

    root = await stage.say(INES, "go")

    answer = whole_text(await stage.reply(INES, root)).replace("''", "'")
    assert said in answer
    for word in ("create_task", "drop_table", "Traceback", '{"', "tool_call"):
        assert word not in answer
    await stage.say(INES, "hello", thread=root)
    await stage.reply_with(INES, root, "Hello!")
    await all_is_quiet(stage)
    assert len(await stage.replies(INES, root)) == 2


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ContentFilterError("no"), "refused to answer this"),
        (ModelHTTPError(500, "mind"), "be reached right now"),
        (RuntimeError("a bug in a client library"), "Nothing was changed"),
        (ModelResponse(parts=[]), "own checks"),
        (ModelResponse(parts=[ToolCallPart("list_tasks", '{"client": "Gli')]), "own checks"),
        (ModelResponse(parts=[ToolCallPart("list_tasks", "[1, 2]")]), "own checks"),
        (ModelResponse(parts=[TextPart("\ud83d\x00")]), "own checks"),
    ],
    ids=["filter", "500", "bug", "nothing", "half json", "no object", "half a character"],
)
async def test_garbage_from_the_service_is_a_sentence_too(
    bench: Bench, agency: Database, answer: Answer, said: str
) -> None:
    mind = Mind(answer)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "go")

        assert said in whole_text(await stage.reply(INES, root))

        await stage.settled()
        assert await stage.proposals() == []
        assert len(await stage.replies(INES, root)) == 1


async def test_a_model_that_never_answers_is_given_up(bench: Bench, agency: Database) -> None:
    async def sleep(_messages: Any, _info: Any) -> str:
        await asyncio.sleep(30)
        return "too late"

    async with minded(bench, agency, Mind(sleep), agencyclaw_turn_timeout_s=0.3) as stage:
        root = await stage.say(INES, "go")

        await stage.reply_with(INES, root, "took too long")
        await all_is_quiet(stage)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("agencyclaw_model", "nonsense", "AGENCYCLAW_MODEL is nonsense"),
        ("agencyclaw_model", "scripted:/nowhere.yaml", "AGENCYCLAW_MODEL names a script"),
        ("agencyclaw_model_fast", "foo:bar", "AGENCYCLAW_MODEL_FAST is foo:bar"),
    ],
)
async def test_a_model_that_cannot_be_is_refused_at_the_start(
    bench: Bench, agency: Database, name: str, value: str, said: str
) -> None:
    settings = {"agencyclaw_model": "test", name: value}
    with pytest.raises(Misconfigured, match=said):
        async with on_stage(bench, agency, **settings):
            pass
