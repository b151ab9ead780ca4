"""Bad input and bad neighbours: a clear sentence each time, nothing lost, nothing written."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acting import (
    ASKED,
    INES,
    SARA_L,
    TASK,
    Acting,
    Answer,
    ScriptedModel,
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
from deadlines import clickup_gives_up
from pydantic_ai.exceptions import ContentFilterError, ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from stage import Stage, on_stage, whole_text

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.text import MESSAGE_LIMIT
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "make the task"


pytestmark = pytest.mark.usefixtures("brisk")


async def all_is_quiet(stage: Stage) -> None:
    """Every receipt came to a good end and nothing was written."""
    await stage.settled()
    assert await receipts_done(stage)
    assert await stage.creates_sent() == 0
    assert await count(stage, "agent_tasks") == 0


NO_ANSWER = ("error_before", "rate_limited", "html", "reset_before")


async def test_a_clickup_that_fails_at_reading_is_said(acting: Acting) -> None:
    listing = turn("list", call("list_tasks", client="Glintly Inc"), text("${list_tasks.message}"))
    making = turn(ASK, create(), text("${create_task.message}"))
    stage = await acting(listing, making)
    said = {"unauthorized": "an admin has to see to it"}
    said |= dict.fromkeys(NO_ANSWER, "be reached right now")
    said["rate_limited"] = "ClickUp limits how often I may ask it"

    for kind, words in said.items():
        await stage.bench.clear_faults()
        await stage.bench.set_fault("clickup", kind, times=50)
        await stage.reply_with(INES, await stage.say(INES, "list"), words)
        if kind not in NO_ANSWER:
            # What passes by itself is waited for where a change is to be prepared.
            await stage.reply_with(SARA_L, await stage.say(SARA_L, ASK), words)

    assert await stage.proposals() == []
    await stage.bench.clear_faults()
    await all_is_quiet(stage)


async def test_a_clickup_that_never_answers_is_said(acting: Acting) -> None:
    listing = turn("list", call("list_tasks", client="Glintly Inc"), text("${list_tasks.message}"))
    stage = await acting(listing, clickup_timeout_s=0.1)
    await stage.bench.set_fault("clickup", "hang_after", times=50, delay_s=600)

    await stage.reply_with(INES, await stage.say(INES, "list"), "be reached right now")

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


async def test_a_create_that_hangs_is_looked_for_and_not_sent_again(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    await stage.bench.set_fault("clickup", "hang_after", method="create_task", delay_s=600)
    clickup_gives_up(monkeypatch, stage.bench, "POST", "create_task")

    await stage.press(INES, card, "Create task")

    await stage.reply_with(INES, root, "say whether")
    await stage.reply_with(INES, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1
    assert await stage.creates_sent() == 1


@pytest.mark.parametrize("length", [MESSAGE_LIMIT, 39_000])
async def test_a_long_message_is_answered_and_a_cut_is_told_to_the_model(
    bench: Bench, agency: Database, length: int
) -> None:
    mind = ScriptedModel("That is a lot of text.")
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
    mind = ScriptedModel(
        calls("create_task", client="Glintly Inc", title=title, objective=details), "On the card 🎉"
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

    mind = ScriptedModel(think)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "think hard")
        await thinking.wait()
        await bench.disconnect()
        await bench.set_fault("slack", "reset_before", method="chat.postMessage")
        go_on.set()

        await stage.reply_with(INES, root, "Here is the answer.")
        await stage.say(INES, "and again", thread=root)
        await stage.bench.until(lambda: _replies(stage, root, 2))
        await all_is_quiet(stage)
        assert len(await stage.replies(INES, root)) == 2


async def _replies(stage: Stage, root: str, number: int) -> bool:
    return len(await stage.replies(INES, root)) == number


CHECKS = "passes my own checks"
MISCALLED = "Did not work: Reading ClickUp tasks. I did not get the call right"
GARBAGE: dict[str, tuple[list[Step], str]] = {
    "an unknown tool": ([call("drop_table", name="x")] * 6, CHECKS),
    "bad arguments": (
        [call("list_tasks", clint="Glintly")] * 6,
        MISCALLED,
    ),
    "an empty text": ([text("")] * 4, CHECKS),
    "a blank text": ([text(" \n\t ")] * 4, CHECKS),
    "an endless text": ([text("word " * 20_000)] * 4, CHECKS),
    "a call as text": ([text('{"tool": "create_task", "args": {"client": "X"}}')] * 4, CHECKS),
    "markup": ([text("<tool_call>create_task</tool_call>")] * 4, CHECKS),
    "a lie": (
        [text("I have created the task for you.", changes="prepared")] * 4,
        CHECKS,
    ),
    "an endless loop": ([call("lookup_client")] * 12, "I was at this: Reading the client list."),
    "a refused key": ([{"fail": 401}], "refuses me"),
    "a bad request": ([{"fail": 400}], "refused what I sent it"),
    "a refusal": ([text("I'm sorry, but I can't help with that.")], "I can't help with that"),
}


async def test_garbage_from_the_model_is_a_sentence_and_nothing_else(acting: Acting) -> None:
    turns = [turn(name, *steps) for name, (steps, _) in GARBAGE.items()]
    stage = await acting(*turns, turn("hello", text("Hello!")))
    roots = {name: await stage.say(INES, name) for name in GARBAGE}

    for name, (_, said) in GARBAGE.items():
        answer = whole_text(await stage.reply(INES, roots[name]))
        assert said in answer, name
        for word in ("create_task", "drop_table", "Traceback", '{"', "tool_call"):
            assert word not in answer, name

    await stage.say(INES, "hello", thread=roots["a lie"])
    await stage.reply_with(INES, roots["a lie"], "Hello!")
    await all_is_quiet(stage)
    assert await count(stage, "agent_runs") == len(GARBAGE) + 1


REPLIES: dict[str, tuple[Answer, str]] = {
    "a filter": (ContentFilterError("no"), "refused to answer this"),
    "an error": (ModelHTTPError(401, "mind"), "refuses me"),
    "a bug": (RuntimeError("a bug in a client library"), "failed on this message"),
    "nothing": (ModelResponse(parts=[]), CHECKS),
    "half json": (ModelResponse(parts=[ToolCallPart("list_tasks", '{"client": "Gli')]), MISCALLED),
    "no object": (ModelResponse(parts=[ToolCallPart("list_tasks", "[1, 2]")]), MISCALLED),
    "half a character": (ModelResponse(parts=[TextPart("\ud83d\x00")]), CHECKS),
}


async def test_garbage_from_the_service_is_a_sentence_too(bench: Bench, agency: Database) -> None:
    async def reply_to(messages: list[ModelMessage], _info: object) -> Answer:
        prompts = [p.content for m in messages for p in m.parts if isinstance(p, UserPromptPart)]
        said = [content[-1] for content in prompts if isinstance(content, list)]
        return REPLIES[str(said[-1])][0]

    async with minded(bench, agency, ScriptedModel(reply_to)) as stage:
        for name, (_, said) in REPLIES.items():
            root = await stage.say(INES, name)
            answer = whole_text(await stage.reply(INES, root))
            assert said in answer, name
            assert "Nothing was changed" in answer, name

        await stage.settled()
        assert await stage.proposals() == []
        assert await stage.creates_sent() == 0


async def test_a_model_that_never_answers_is_given_up(bench: Bench, agency: Database) -> None:
    async def sleep(_messages: Any, _info: Any) -> str:
        await asyncio.sleep(30)
        return "too late"

    async with minded(bench, agency, ScriptedModel(sleep), agencyclaw_turn_timeout_s=0.3) as stage:
        root = await stage.say(INES, "go")

        said = await stage.reply_with(INES, root, "took too long")
        assert "give an admin this reference" in whole_text(said)
        await all_is_quiet(stage)


async def test_what_a_failed_turn_had_drafted_is_shown_beside_what_waits(
    bench: Bench, agency: Database
) -> None:
    first = {"client": "Glintly Inc", "title": TASK, "objective": ASKED}
    second = {**first, "title": "Translate the Glintly storefront into Portuguese"}
    mind = ScriptedModel(calls("create_task", **first), "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, ASK)
        await offer(stage, INES, root)
        mind.answers(calls("create_task", **second), TimeoutError())

        await stage.say(INES, "and another one", thread=root)

        await stage.reply_with(INES, root, "took too long")
        await stage.settled()
        assert [one["state"] for one in await stage.proposals()] == ["open", "open"]


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
