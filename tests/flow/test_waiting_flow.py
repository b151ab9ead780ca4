"""What is stored waits for a neighbour that is away for a moment, and is never dismissed for it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acting import (
    ASKED,
    INES,
    OPS,
    SARA_L,
    TASK,
    Acting,
    ScriptedModel,
    call,
    creating,
    minded,
    offer,
    text,
    turn,
)
from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo
from stage import Stage, whole_text

from agencyclaw.conversation.dead_letters import MAX_FAILURES
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "make the task"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What grows by seconds grows by moments; how often it is tried is the same."""
    monkeypatch.setattr("agencyclaw.domain.waiting._FIRST_S", 0.02)
    monkeypatch.setattr("agencyclaw.domain.waiting._PAUSE_AT_MOST_S", 0.05)


async def statuses(stage: Stage) -> list[str]:
    shown = await stage.bench.log(target="slack", method="assistant.threads.setStatus")
    return [call["arguments"]["status"] for call in shown]


async def says(stage: Stage, status: str) -> bool:
    return status in await statuses(stage)


@pytest.mark.parametrize(
    "error",
    [
        ModelHTTPError(503, "mind"),
        ModelHTTPError(429, "mind"),
        ModelConnectionError("mind", "refused"),
    ],
)
async def test_a_message_waits_for_the_model_and_is_answered_once(
    bench: Bench, agency: Database, error: Exception
) -> None:
    mind = ScriptedModel(*[error] * 12, "Here it is.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "hello there")

        await stage.bench.until(lambda: says(stage, "is waiting for the language model to answer…"))
        await stage.reply_with(INES, root, "Here it is.")
        await stage.settled()
        assert len(await stage.replies(INES, root)) == 1
        assert await stage.events("guard_reply") == []
    assert len(mind.told) == 13


async def test_a_message_that_waited_for_the_model_in_vain_is_told_so(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting.LONGEST_S", 0.3)
    async with minded(bench, agency, ScriptedModel(ModelHTTPError(503, "mind"))) as stage:
        root = await stage.say(INES, "hello there")

        await stage.reply_with(INES, root, "be reached right now")
        await stage.settled()
        assert await stage.db.pool.fetchval("select status from slack_event_receipts") == "done"


async def test_who_waited_behind_another_has_its_own_ten_minutes_once_the_model_was_back(
    bench: Bench, agency: Database
) -> None:
    failures = iter([ModelHTTPError(503, "mind")])
    is_back = asyncio.Event()

    async def answers(messages: list[ModelMessage], _: AgentInfo) -> str:
        if "second" not in str(messages[-1]) and not is_back.is_set():
            raise ModelHTTPError(503, "mind")
        if "second" in str(messages[-1]) and (failure := next(failures, None)):
            raise failure
        return "Here it is."

    async with minded(bench, agency, ScriptedModel(answers)) as stage:
        await stage.say(INES, "the first question")
        await stage.bench.until(lambda: says(stage, "is waiting for the language model to answer…"))
        second = await stage.say(INES, "the second question")
        await agency.pool.execute(
            "update slack_event_receipts set waiting_since = now() - interval '1 hour'"
            " where slack_ts = $1",
            second,
        )
        is_back.set()

        await stage.reply_with(INES, second, "Here it is.")


async def test_who_waits_behind_a_no_to_nothing_waits_for_the_same_service(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(ModelHTTPError(503, "mind"))
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "cancel")
        await stage.bench.until(lambda: says(stage, "is waiting for the language model to answer…"))
        await stage.say(INES, "hello there", thread=root)
        await asyncio.wait_for(stage.bench.until(lambda: waits(stage, "hello there")), 20)

        mind.answers("Here it is.")
        await stage.settled()


async def waits(stage: Stage, words: str) -> bool:
    since = "select waiting_since from slack_event_receipts where payload ->> 'text' = $1"
    return await stage.db.pool.fetchval(since, words) is not None


async def test_what_waits_for_the_model_can_be_stopped(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, ScriptedModel(ModelHTTPError(503, "mind"))) as stage:
        root = await stage.say(INES, "hello there")
        await stage.bench.until(lambda: says(stage, "is waiting for the language model to answer…"))

        await stage.say(INES, "stop", thread=root)

        await stage.reply_with(INES, root, "Stopped")
        await stage.settled()
        assert (
            await stage.db.pool.fetchval("select count(*) from agent_runs where status = 'running'")
            == 0
        )


@pytest.mark.parametrize("kind", ["error_before", "reset_before", "rate_limited", "html"])
@pytest.mark.parametrize("in_thread", [True, False])
async def test_a_plain_yes_waits_until_slack_says_what_stands_before_it(
    acting: Acting, kind: str, in_thread: bool
) -> None:
    stage = await acting(creating(ASK, title=TASK, objective=ASKED))
    root = await stage.say(SARA_L, ASK)
    await offer(stage, SARA_L, root)
    method = "conversations.replies" if in_thread else "conversations.history"
    # More often than a message may fail by itself.
    times = 2 if kind == "rate_limited" else MAX_FAILURES + 3
    await stage.bench.set_fault("slack", kind, method=method, times=times, delay_s=1)

    await stage.say(SARA_L, "yes, create it", thread=root if in_thread else None)

    await stage.bench.until(
        lambda: says(stage, "is waiting for Slack to say what else was said here…")
    )
    await stage.created(TASK)
    await stage.settled()
    assert await stage.creates_sent() == 1
    receipts = await stage.db.pool.fetch("select status, reason from slack_event_receipts")
    assert {row["status"] for row in receipts} == {"done"}


async def test_a_plain_yes_that_waited_in_vain_is_told_to_press(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting.LONGEST_S", 0.3)
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.set_fault("slack", "error_before", method="conversations.replies", times=99)

    await stage.say(SARA_L, "yes, create it", thread=root)

    await stage.bench.until(lambda: whispers_press(stage))
    assert await stage.creates_sent() == 0
    await stage.press(SARA_L, card, "Create task")
    await stage.reply_with(SARA_L, root, "Created “")


async def whispers_press(stage: Stage) -> bool:
    return any("Please press the card's button" in one for one in await stage.whispers(SARA_L))


@pytest.mark.parametrize("kind", ["error_before", "reset_before", "html"])
async def test_what_is_typed_stands_one_failed_question_to_slack(acting: Acting, kind: str) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("slack", kind, method="users.info", times=1, delay_s=1)
    await stage.bench.set_fault("slack", kind, method="conversations.open", times=1, delay_s=1)

    typed = await stage.bench.command(OPS, SARA_L, "/claw", "remember be brief")
    asked = await stage.bench.command(OPS, SARA_L, "/claw", "ask make the task")

    assert "be brief" in whole_text(typed["response"])
    assert "I'll answer you in our direct messages" in whole_text(asked["response"])


@pytest.mark.parametrize("kind", ["error_before", "reset_before", "html"])
async def test_the_form_and_the_home_tab_stand_one_failed_call(acting: Acting, kind: str) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.db.pool.execute("delete from slack_members")
    for method in ("views.open", "users.info"):
        await stage.bench.set_fault("slack", kind, method=method, times=1)

    await stage.press(SARA_L, card, "Edit")

    view = await stage.bench.until(lambda: top_view(stage))
    await stage.bench.submit_view(SARA_L, view["id"], {"title": "Another banner for the shop"})
    await stage.reply_with(SARA_L, root, "Another banner for the shop")


async def top_view(stage: Stage) -> dict[str, Any] | None:
    views = await stage.bench.views(SARA_L)
    return views[-1] if views else None


async def test_a_home_tab_that_slack_does_not_take_is_drawn_later(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("slack", "error_before", method="views.publish", times=2)

    await stage.bench.open_home(SARA_L)

    home = await stage.bench.until(lambda: stage.bench.home(SARA_L))
    assert "Waiting for you" in str(home)


@pytest.mark.usefixtures("brisk")
@pytest.mark.parametrize("kind", ["error_before", "reset_before", "html", "rate_limited"])
async def test_one_failed_call_to_clickup_costs_neither_an_answer_nor_an_effect(
    acting: Acting, kind: str
) -> None:
    listing = turn("list", call("list_tasks", client="Glintly Inc"), text("${list_tasks.message}"))
    stage = await acting(listing, creating(ASK, title=TASK, objective=ASKED))
    await stage.bench.set_fault("clickup", kind, times=1, delay_s=1)
    listed = await stage.say(INES, "list")
    told = whole_text(await stage.reply(INES, listed))
    assert "be reached right now" not in told
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.set_fault("clickup", kind, times=1, delay_s=1)

    await stage.press(SARA_L, card, "Create task")

    await stage.reply_with(SARA_L, root, "Created “")
    await stage.settled()
    assert len(await stage.tasks_named(TASK)) == 1


@pytest.mark.usefixtures("brisk")
@pytest.mark.parametrize("kind", ["error_before", "rate_limited", "html", "reset_before"])
async def test_what_can_not_be_prepared_while_clickup_is_away_waits_visibly_for_it(
    acting: Acting, kind: str
) -> None:
    stage = await acting(creating(ASK, title=TASK, objective=ASKED))
    await stage.bench.set_fault("clickup", kind, times=1_000)

    root = await stage.say(SARA_L, ASK)

    await stage.bench.until(lambda: says(stage, "is waiting for ClickUp to be reachable again…"))
    assert await stage.replies(SARA_L, root) == []
    await stage.bench.clear_faults()
    card = await offer(stage, SARA_L, root)
    await stage.press(SARA_L, card, "Create task")
    await stage.reply_with(SARA_L, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1


@pytest.mark.usefixtures("brisk")
async def test_what_waited_for_clickup_in_vain_is_told_that_clickup_failed(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting.LONGEST_S", 0.3)
    stage = await acting(creating(ASK, title=TASK, objective=ASKED))
    await stage.bench.set_fault("clickup", "error_before", times=1_000)

    root = await stage.say(SARA_L, ASK)

    told = whole_text(await stage.reply_with(SARA_L, root, "ClickUp is what failed"))
    assert "Nothing was changed." in told
    await stage.settled()
    assert await stage.proposals() == []
    assert await stage.db.pool.fetchval("select status from slack_event_receipts") == "done"
