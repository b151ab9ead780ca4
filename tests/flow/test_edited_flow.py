"""A message to us that was edited or deleted counts as it stands, answered or not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acting import ASKED, CLAW, INES, OPS, SARA_L, TASK, ScriptedModel, calls, minded, offer
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, dm, eventually, whole_text
from test_stream_flow import END, OPENING, Writer, growing, written_by

from agencyclaw.store.engine import Database
from workbench.fixture import Bench
from workbench.slack.workspace import WORKSPACE

GREEN, BLUE = "we take the green banner", "we take the blue banner"


def change(bench: Bench, channel: str, ts: str, text: str | None, **fields: Any) -> None:
    """Edit a message, or delete it."""
    workspace = bench.app[WORKSPACE]
    place, old = workspace.records.channel(channel), workspace.records.message(channel, ts)
    assert place
    assert old
    if text is None:
        workspace.posts.remove(place, old)
    else:
        edited = {"user": old["user"], "ts": workspace.records.new_ts()}
        workspace.posts.replace(place, old, {**old, "text": text, "edited": edited, **fields})


async def noticed(stage: Stage, ts: str) -> None:
    """Wait until a change of a message has arrived."""
    arrived = "select edited_at is not null from slack_event_receipts where slack_ts = $1"
    await eventually(lambda: stage.db.pool.fetchval(arrived, ts))


class Holding:
    """Holds its first answer back until it is let go."""

    def __init__(self, answer: ModelResponse | None = None) -> None:
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()
        self.answer = answer or ModelResponse(parts=[TextPart("First.")])

    async def __call__(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        self.asked.set()
        await self.go_on.wait()
        return self.answer


@pytest.mark.parametrize("text", [None, BLUE])
@pytest.mark.parametrize("channel", [OPS, dm(INES)])
async def test_what_was_answered_is_read_again_as_it_stands(
    bench: Bench, agency: Database, channel: str, text: str | None
) -> None:
    call = "" if channel == dm(INES) else f"<@{CLAW}> "
    mind = ScriptedModel("All right.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(channel, INES, f"{call}{GREEN}")
        await stage.reply_in(channel, root)
        change(bench, channel, root, text and f"{call}{text}")
        await noticed(stage, root)

        await bench.post_message(channel, INES, f"{call}what do we take?", root)
        await stage.reply_in(channel, root, index=1)

    assert GREEN not in mind.heard()
    assert (text or "(deleted since)") in mind.heard()


async def test_a_message_that_waits_is_answered_as_it_was_edited_to(
    bench: Bench, agency: Database
) -> None:
    holding = Holding()
    mind = ScriptedModel(holding, "Second.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "hello")
        await holding.asked.wait()
        waiting = await stage.say(INES, GREEN, thread=root)
        await eventually(lambda: _is_there(stage, waiting))
        change(bench, dm(INES), waiting, BLUE)
        await noticed(stage, waiting)
        holding.go_on.set()
        await stage.reply(INES, root, index=1)

    assert mind.heard().rstrip().endswith(BLUE)
    assert GREEN not in mind.heard()


@pytest.mark.parametrize("text", [BLUE, None])
async def test_who_edits_a_message_that_is_being_answered_learns_that_its_first_words_count(
    bench: Bench, agency: Database, text: str | None
) -> None:
    holding = Holding()
    async with minded(bench, agency, ScriptedModel(holding)) as stage:
        root = await stage.say(INES, GREEN)
        await holding.asked.wait()
        change(bench, dm(INES), root, text)
        await noticed(stage, root)
        holding.go_on.set()
        await stage.settled()

        notes = [note for note in await stage.whispers(INES) if "as it read before" in note]
        assert len(notes) == (1 if text else 0)


async def test_a_message_that_was_deleted_while_it_waited_is_not_answered(
    bench: Bench, agency: Database
) -> None:
    holding = Holding()
    mind = ScriptedModel(holding, "Second.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "hello")
        await holding.asked.wait()
        waiting = await stage.say(INES, GREEN, thread=root)
        await eventually(lambda: _is_there(stage, waiting))
        change(bench, dm(INES), waiting, None)
        await noticed(stage, waiting)
        holding.go_on.set()
        await stage.reply(INES, root)
        await stage.settled()

    assert len(mind.told) == 1


async def test_what_was_prepared_for_a_message_goes_with_it_when_it_is_deleted(
    bench: Bench, agency: Database
) -> None:
    holding = Holding()
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    async with minded(bench, agency, ScriptedModel(create, holding, "Prepared.")) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await holding.asked.wait()
        assert len(await stage.proposals()) == 1

        change(bench, dm(INES), root, None)

        # At once: the process that prepared it may be gone.
        await eventually(lambda: _is_over(stage))
        assert await stage.proposals() == []
        holding.go_on.set()
        await stage.settled()
        assert await stage.replies(INES, root) == []


async def test_what_was_shown_of_an_answer_is_taken_back_when_its_message_is_deleted(
    bench: Bench, agency: Database
) -> None:
    more = asyncio.Event()
    async with written_by(bench, agency, Writer([OPENING, more, END])) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        grown = await growing(stage, root, "best seller")
        change(bench, dm(INES), root, None)
        shown = await stage.reply_with(INES, root, "was taken back, so I stopped")
        assert await bench.streams() == []
        more.set()
        await stage.settled()

    # A row that grows for ever would keep every later yes of the thread from counting.
    assert await agency.pool.fetchval("select array_agg(state) from outbox") == ["sent"]
    assert shown["ts"] == grown["ts"]
    assert "best seller" not in whole_text(shown)


async def test_nothing_is_prepared_any_more_for_a_message_that_was_deleted(
    bench: Bench, agency: Database
) -> None:
    holding = Holding(calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED))
    mind = ScriptedModel(holding, "Prepared.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await holding.asked.wait()
        change(bench, dm(INES), root, None)
        await noticed(stage, root)

        holding.go_on.set()
        await eventually(lambda: _has_heard(mind, "was stopped or deleted"))

        await stage.settled()
        assert await stage.proposals() == []
        assert await stage.replies(INES, root) == []


CREATE = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
REVISE = calls(
    "create_task", client="Glintly Inc", title="The other banner", objective=ASKED, replaces=TASK
)


@pytest.mark.parametrize("is_deleted_first", [False, True])
async def test_a_card_that_a_deleted_message_was_to_change_can_be_pressed_again(
    bench: Bench, agency: Database, *, is_deleted_first: bool
) -> None:
    holding = Holding(REVISE if is_deleted_first else None)
    changing = [holding] if is_deleted_first else [REVISE, holding]
    mind = ScriptedModel(CREATE, "It is on the card.", *changing, "Prepared.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        card = await offer(stage, INES, root)
        asked = await stage.say(INES, "call it the other banner", thread=root)
        await holding.asked.wait()
        assert (await _suspended(stage) == []) is is_deleted_first
        change(bench, dm(INES), asked, None)
        await eventually(lambda: _is_unsaid(stage, asked))
        # At once: the process that suspended it may be gone.
        assert await _suspended(stage) == []

        holding.go_on.set()
        await stage.settled()
        assert await _suspended(stage) == []
        await stage.press(INES, card, "Create task")
        await stage.settled()
        assert [row["state"] for row in await stage.proposals()] == ["done"]


async def test_a_run_whose_message_another_worker_has_answered_leaves_no_card_suspended(
    bench: Bench, agency: Database
) -> None:
    holding = Holding()
    mind = ScriptedModel(CREATE, "It is on the card.", REVISE, holding, "Prepared.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await offer(stage, INES, root)
        await stage.say(INES, "call it the other banner", thread=root)
        await holding.asked.wait()
        await agency.pool.execute("update slack_event_receipts set status = 'done'")
        holding.go_on.set()

        await stage.settled()
        assert [row["state"] for row in await stage.proposals()] == ["open"]
        assert await _suspended(stage) == []


async def _is_unsaid(stage: Stage, ts: str) -> bool:
    unsaid = "select reason from slack_event_receipts where slack_ts = $1 and status <> 'received'"
    return "unsaid" in [row["reason"] for row in await stage.db.pool.fetch(unsaid, ts)]


async def _suspended(stage: Stage) -> list[str]:
    rows = await stage.proposals()
    return [row["arguments"]["title"] for row in rows if row["suspended_by"]]


async def _has_heard(mind: ScriptedModel, words: str) -> bool:
    return words in mind.heard()


@pytest.mark.parametrize("is_prepared", [False, True])
async def test_a_run_whose_message_another_worker_has_answered_leaves_nothing_under_way(
    bench: Bench, agency: Database, *, is_prepared: bool
) -> None:
    holding = Holding()
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    mind = ScriptedModel(*([create, holding] if is_prepared else [holding]), "Prepared.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await holding.asked.wait()
        await agency.pool.execute("update slack_event_receipts set status = 'done'")
        holding.go_on.set()

        await eventually(lambda: _is_over(stage))
        assert await stage.proposals() == []
        assert await stage.replies(INES, root) == []


async def _is_over(stage: Stage) -> bool:
    return await stage.db.pool.fetchval("select status = 'cancelled' from agent_runs")


async def test_an_edit_by_somebody_else_changes_no_message_and_one_into_a_yes_neither(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("All right.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, INES, f"<@{CLAW}> {GREEN}")
        await stage.reply_in(OPS, root)
        other = await bench.post_message(OPS, SARA_L, f"<@{INES}> fine", root)
        change(bench, OPS, root, f"<@{CLAW}> yes")
        change(bench, OPS, other, f"<@{INES}> all the same")
        await bench.post_message(OPS, INES, f"<@{CLAW}> what do we take?", root)
        await stage.reply_in(OPS, root, index=1)
        rows = await agency.pool.fetch("select edited_at from slack_event_receipts")

    assert GREEN in mind.heard()
    assert {row["edited_at"] for row in rows} == {None}


async def _is_there(stage: Stage, ts: str) -> bool:
    stored = "select exists (select from slack_event_receipts where slack_ts = $1)"
    return await stage.db.pool.fetchval(stored, ts)
