"""Stop, sessions, and who waits behind what takes long; the model ponders until it may end."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from acting import (
    ASKED,
    INES,
    OPS,
    SARA_L,
    TASK,
    ScriptedModel,
    calls,
    minded,
    offer,
    offer_in,
    states,
    whispered,
)
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from slack_sdk.web.async_client import AsyncWebClient
from stage import Stage, dm, eventually, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

STOPPED = "Stopped, as you asked. Nothing was changed."


class Ponder:
    """A model that thinks until it is let go, and knows how its thinking ended."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.free = asyncio.Event()
        self.ended = asyncio.Event()

    async def __call__(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        """Think."""
        self.begun.set()
        try:
            await self.free.wait()
        finally:
            self.ended.set()
        return ModelResponse(parts=[TextPart("Here is what I found: seven are due.")])


@pytest.fixture
def ponder() -> Ponder:
    return Ponder()


@pytest.fixture
async def pondering(bench: Bench, agency: Database, ponder: Ponder) -> AsyncIterator[Stage]:
    async with minded(bench, agency, ScriptedModel(ponder)) as stage:
        yield stage


async def session_is(stage: Stage, root: str, status: str) -> dict[str, Any]:
    """Wait until the thread's session stands so."""

    async def stands() -> dict[str, Any] | None:
        found = (await stage.bench.sessions()).get(root)
        return found if found and found["status"] == status else None

    return await stage.bench.until(stands)


async def receipt(stage: Stage, ts: str) -> dict[str, Any]:
    row = await stage.db.pool.fetchrow("select * from slack_event_receipts where slack_ts = $1", ts)
    return dict(row)


async def is_stored(stage: Stage, ts: str) -> bool:
    found = "select exists (select from slack_event_receipts where slack_ts = $1)"
    return await stage.db.pool.fetchval(found, ts)


async def test_a_turn_shows_as_a_session_with_the_question_as_its_title(
    pondering: Stage, ponder: Ponder
) -> None:
    root = await pondering.say(INES, "what is due <soon>?")
    session = await session_is(pondering, root, "processing")
    assert session["title"] == "what is due <soon>?"
    assert session["initiator_user_id"] == INES
    ponder.free.set()
    await session_is(pondering, root, "active")
    assert "seven are due" in whole_text(await pondering.reply(INES, root))


async def test_a_session_is_suspended_while_a_proposal_waits(
    bench: Bench, agency: Database
) -> None:
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    mind = ScriptedModel(create, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        card = await offer(stage, INES, root)
        await session_is(stage, root, "suspended")
        await stage.press(INES, card, "Cancel")
        await session_is(stage, root, "active")


async def test_a_thread_whose_proposal_was_replaced_in_another_one_waits_no_longer(
    bench: Bench, agency: Database
) -> None:
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    mind = ScriptedModel(create, "It is on the card.", create, "It is on a new card.")
    async with minded(bench, agency, mind) as stage:
        first = await stage.say(INES, f"make the task: {ASKED}")
        await session_is(stage, first, "suspended")
        second = await stage.say(INES, f"once more, make the task: {ASKED}")
        await session_is(stage, second, "suspended")
        assert await states(stage) == ["superseded", "open"]
        await session_is(stage, first, "active")


async def test_a_thread_waits_on_after_a_press_that_is_answered_in_private(
    bench: Bench, agency: Database
) -> None:
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    async with minded(bench, agency, ScriptedModel(create, "It is on the card.")) as stage:
        root = await bench.post_message(OPS, INES, f"<@U01CLAW> make the task: {ASKED}")
        card = await offer_in(stage, OPS, root)
        await bench.interact(OPS, card["ts"], SARA_L, "Create task")
        await whispered(stage, SARA_L, "Only Ines")
        await session_is(stage, root, "suspended")


async def test_stop_ends_model_and_run_and_says_so(pondering: Stage, ponder: Ponder) -> None:
    root = await pondering.say(INES, "what is due?")
    await asyncio.wait_for(ponder.begun.wait(), 300)
    await session_is(pondering, root, "processing")
    assert (await pondering.bench.stop(dm(INES), INES, root))["ok"]
    await asyncio.wait_for(ponder.ended.wait(), 300)
    assert STOPPED in whole_text(await pondering.reply(INES, root))
    await session_is(pondering, root, "active")
    ended = await receipt(pondering, root)
    assert (ended["status"], ended["reason"]) == ("done", "stopped")
    run = await pondering.db.pool.fetchrow("select * from agent_runs")
    assert (run["status"], run["error_message"]) == ("cancelled", "stopped")
    assert len(await pondering.events("turn_stopped")) == 1
    await pondering.settled()
    assert len(await pondering.replies(INES, root)) == 1


async def test_stop_drops_what_the_run_had_drafted(
    bench: Bench, agency: Database, ponder: Ponder
) -> None:
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    async with minded(bench, agency, ScriptedModel(create, ponder)) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await asyncio.wait_for(ponder.begun.wait(), 300)
        assert await states(stage) == ["draft"]
        await session_is(stage, root, "processing")
        await bench.stop(dm(INES), INES, root)
        assert STOPPED in whole_text(await stage.reply(INES, root))
        await stage.settled()
        assert await states(stage) == []
        assert len(await stage.replies(INES, root)) == 1


@pytest.mark.parametrize(("who", "state"), [(INES, "cancelled"), (SARA_L, "open")])
async def test_a_card_that_a_stopped_message_was_to_change_is_cancelled_by_its_own_person_alone(
    bench: Bench, agency: Database, ponder: Ponder, who: str, state: str
) -> None:
    made = {"client": "Glintly Inc", "objective": ASKED}
    revise = calls("create_task", **made, title="The other banner", replaces=TASK)
    mind = ScriptedModel(calls("create_task", **made, title=TASK), "On the card.", revise, ponder)
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, INES, f"<@U01CLAW> make the task: {ASKED}")
        await offer_in(stage, OPS, root)
        await session_is(stage, root, "suspended")
        await bench.post_message(OPS, INES, "<@U01CLAW> call it the other banner", root)
        await asyncio.wait_for(ponder.begun.wait(), 300)
        await session_is(stage, root, "processing")
        assert (await stage.proposals())[0]["suspended_by"]
        await bench.stop(OPS, who, root)
        await asyncio.wait_for(ponder.ended.wait(), 300)
        await stage.settled()
        [card] = await stage.proposals()

    assert card["state"] == state
    assert card["suspended_by"] is None


@pytest.mark.parametrize("word", ["stop", "STOP!"])
async def test_a_typed_stop_acts_at_once(pondering: Stage, ponder: Ponder, word: str) -> None:
    root = await pondering.say(INES, "what is due?")
    await asyncio.wait_for(ponder.begun.wait(), 300)
    await pondering.say(INES, word, thread=root)
    await asyncio.wait_for(ponder.ended.wait(), 300)
    assert STOPPED in whole_text(await pondering.reply(INES, root))
    await pondering.settled()
    assert len(await pondering.replies(INES, root)) == 1


async def test_a_stop_in_another_thread_of_the_dm_is_answered_there_too(
    pondering: Stage, ponder: Ponder
) -> None:
    root = await pondering.say(INES, "what is due?")
    await asyncio.wait_for(ponder.begun.wait(), 300)
    elsewhere = await pondering.say(INES, "stop")
    assert STOPPED in whole_text(await pondering.reply(INES, root))
    assert STOPPED in whole_text(await pondering.reply(INES, elsewhere))


async def test_nobody_elses_word_stops_a_turn_but_slacks_own_button_does(
    bench: Bench, agency: Database, ponder: Ponder
) -> None:
    async with minded(bench, agency, ScriptedModel(ponder)) as stage:
        root = await bench.post_message(OPS, INES, "<@U01CLAW> what is due?")
        await asyncio.wait_for(ponder.begun.wait(), 300)
        await session_is(stage, root, "processing")
        said = await bench.post_message(OPS, SARA_L, "stop", root)
        await eventually(lambda: is_stored(stage, said))
        assert not ponder.ended.is_set()
        await bench.stop(OPS, SARA_L, root)
        await asyncio.wait_for(ponder.ended.wait(), 300)


async def test_a_turn_of_another_worker_is_stopped_too(pondering: Stage, ponder: Ponder) -> None:
    root = await pondering.say(INES, "what is due?")
    await asyncio.wait_for(ponder.begun.wait(), 300)
    # What another worker's Stop leaves in the rows, and nothing else.
    await pondering.db.pool.execute(
        "update slack_event_receipts set status = 'done', reason = 'stopped' where slack_ts = $1",
        root,
    )
    await asyncio.wait_for(ponder.ended.wait(), 300)
    await pondering.settled()
    assert await pondering.replies(INES, root) == []


async def test_a_message_behind_a_long_one_is_noted_once_and_answered(
    pondering: Stage, ponder: Ponder
) -> None:
    root = await pondering.say(INES, "what is due?")
    await asyncio.wait_for(ponder.begun.wait(), 300)
    second = await pondering.say(INES, "and for Glintly Inc?", thread=root)
    await pondering.say(INES, "and for Brightkettle?", thread=root)
    await whispered(pondering, INES, "this comes next")
    ponder.free.set()

    async def all_answered() -> bool:
        return len(await pondering.replies(INES, root)) == 3

    await eventually(all_answered)
    notes = [one["text"] for one in await pondering.bench.ephemerals(INES)]
    assert sum("this comes next" in note for note in notes) == 1
    assert (await receipt(pondering, second))["status"] == "done"


async def test_an_answer_that_was_ready_when_stop_came_is_not_said(
    pondering: Stage, ponder: Ponder
) -> None:
    """The rows decide: who ends the message first has ended it."""
    root = await pondering.say(INES, "what is due?")
    await asyncio.wait_for(ponder.begun.wait(), 300)
    async with pondering.db.transaction() as conn:
        await conn.execute(
            "update slack_event_receipts set status = 'done', reason = 'stopped'"
            " where slack_ts = $1",
            root,
        )
        ponder.free.set()
    await pondering.settled()
    assert await pondering.replies(INES, root) == []


async def test_a_thread_that_a_dead_process_left_at_work_is_put_right_by_the_next(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Seven are due.")) as stage:
        root = await stage.say(INES, "what is due?")
        await stage.reply_with(INES, root, "Seven are due")
        await session_is(stage, root, "active")
        await stage.settled()
    slack: Any = AsyncWebClient("xoxb-workbench", base_url=bench.slack_api_url)
    left = {"channel_id": dm(INES), "thread_ts": root, "status": "processing"}
    await slack.api_call("agents.sessions.setStatus", json=left)
    assert (await bench.sessions())[root]["status"] == "processing"
    # As somebody leaves it who dies between the call and its answer.
    await agency.pool.execute("update slack_sessions set shown = 'unclear', changed_at = now()")

    async with minded(bench, agency, ScriptedModel("Nothing else.")) as stage:
        await session_is(stage, root, "active")
