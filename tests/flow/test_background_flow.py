"""A turn that reaches its time offers to go on; pressed, it goes on beside the conversation."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from acting import ASKED, CLAW, INES, OPS, TASK, TOMAS, ScriptedModel, calls, minded, offer, states
from deadlines import AMPLE_S, Deadlines
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from stage import Message, Stage, buttons, dm, eventually, whole_text
from test_edited_flow import change, noticed
from test_home_flow import home_with
from test_stream_flow import OPENING, Writer, growing, written_by

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import GOES_ON, Incoming, ReceiptKind
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Database
from agencyclaw.store.going_on import read_work
from agencyclaw.store.receipts import keep_settled
from workbench.fixture import Bench

LOOK = calls("search_kb", query="coupon")
RESULT = "By the Coupons Promotion SOP, coupons at Copperleaf are made on the promotions page."
OFFER = "I can also go on with it in the background"
GO_ON, STOP = "Go on in the background", "Stop"

pytestmark = pytest.mark.usefixtures("brisk")


async def forever(_: object, __: object) -> str:
    await asyncio.Event().wait()
    return ""


async def out_of_time(
    stage: Stage, mind: ScriptedModel, deadlines: Deadlines, who: str = INES
) -> tuple[str, Message]:
    """Ask something whose turn reaches its time; returns the thread and the offer."""
    asked = len(mind.told)
    root = await stage.say(who, "how do coupons work at Copperleaf?")
    await stage.bench.until(lambda: len(mind.told) == asked + 2)
    deadlines.come()
    return root, await stage.reply_with(who, root, OFFER)


async def pressed(stage: Stage, offer: Message, who: str = INES) -> None:
    assert (await stage.press(who, offer, GO_ON))["ok"]


async def task_card(stage: Stage, root: str, words: str, who: str = INES) -> Message:
    """Wait for the card of the work in the background with these words."""

    async def there() -> Message | None:
        for one in await stage.replies(who, root):
            is_card = any(block["type"] == "task_card" for block in one.get("blocks") or [])
            if is_card and words in whole_text(one):
                return one
        return None

    return await stage.bench.until(there)


def kinds(message: Message) -> list[Any]:
    return [block.get("status") for block in message["blocks"] if block["type"] == "task_card"]


def titles(message: Message) -> list[Any]:
    return [block["title"] for block in message["blocks"] if block["type"] == "task_card"]


def looked_up(mind: ScriptedModel) -> list[str]:
    """The tools whose results the model was given when it was asked last, in this run."""
    request = mind.told[-1]
    return [
        part.tool_name
        for message in request
        for part in message.parts
        if isinstance(part, ToolReturnPart) and message.run_id == request[-1].run_id
    ]


async def test_what_reached_its_time_goes_on_from_where_it_was_and_posts_once(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    mind = ScriptedModel(LOOK, forever, RESULT)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        await pressed(stage, offer)
        await pressed(stage, offer)
        await stage.reply_with(INES, root, RESULT)
        card = await task_card(stage, root, "Finished after less than a minute.")
        await stage.settled()
        results = [m for m in await stage.replies(INES, root) if RESULT in whole_text(m)]

    # The look-up was made again for today's facts, but the model was not asked for it again.
    assert len(mind.told) == 3
    assert looked_up(mind) == ["search_kb"]
    assert kinds(card) == ["complete"]
    assert STOP not in buttons(card)
    assert len(results) == 1
    assert len(await stage.events("went_on")) == 1


async def went_on(stage: Stage, root: str) -> Message:
    """Wait until the offer says what became of it."""
    return await stage.reply_with(INES, root, "✓ Went on in the background")


async def test_the_offer_says_what_became_of_it(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    mind = ScriptedModel(LOOK, forever, RESULT)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        assert GO_ON in buttons(offer)
        await pressed(stage, offer)
        shown = await went_on(stage, root)
        await stage.settled()

    assert shown["ts"] == offer["ts"]
    assert GO_ON not in buttons(shown)
    assert OFFER in whole_text(shown)


async def test_the_offer_of_an_answer_that_grew_says_so_too(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    writer = Writer([OPENING, asyncio.Event()], [RESULT])
    async with written_by(bench, agency, writer, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        grown = await growing(stage, root, "best seller")
        deadlines.come()
        offer = await stage.reply_with(INES, root, OFFER)
        await pressed(stage, offer)
        shown = await went_on(stage, root)
        await stage.settled()

    assert shown["ts"] == grown["ts"]
    assert GO_ON not in buttons(shown)


async def test_who_presses_before_the_offer_is_called_sent_sees_it_replaced_all_the_same(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    may_end = asyncio.Event()

    async def held(_: object, __: object) -> ModelResponse:
        await may_end.wait()
        return ModelResponse(parts=[TextPart(RESULT)])

    mind = ScriptedModel(LOOK, forever, held)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        await stage.settled()
        sent = "update outbox set sent_ts = $1 where body ->> 'goes_on' is not null"
        await agency.pool.execute(sent, None)
        await pressed(stage, offer)
        await bench.until(lambda: stage.events("went_on"))
        await agency.pool.execute(sent, offer["ts"])
        may_end.set()
        await went_on(stage, root)
        await stage.settled()


async def test_it_can_be_seen_and_stopped_while_the_conversation_goes_on(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    mind = ScriptedModel(LOOK, forever, forever, "You have nothing due today.", RESULT)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        await pressed(stage, offer)
        card = await task_card(stage, root, "In the background since")
        await bench.until(lambda: len(mind.told) == 3)
        other = await stage.say(INES, "what are you working on?")
        await stage.reply_with(INES, other, "You have nothing due today.")
        assert "how do coupons work at Copperleaf?" in mind.heard()
        assert "In the background since" in mind.heard()

        assert kinds(card) == ["in_progress"]
        assert (await stage.press(INES, card, STOP))["ok"]
        card = await task_card(stage, root, "Stopped after less than a minute.")
        said = whole_text(await stage.reply_with(INES, root, "Stopped, as you asked."))
        await stage.settled()

    assert kinds(card) == ["error"]
    assert not buttons(card)
    assert "I was at this: Searching the procedures" in said
    assert not any(RESULT in whole_text(m) for m in await stage.replies(INES, root))


async def test_what_goes_on_is_named_among_what_runs_by_itself_until_it_has_ended(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    mind = ScriptedModel(LOOK, forever, forever, calls("recall"), "One is under way.", RESULT)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        assert "nothing of yours goes on" in str(await schedules_of(stage, INES))
        await pressed(stage, offer)
        await task_card(stage, root, "In the background since")
        await bench.until(lambda: len(mind.told) == 3)
        other = await stage.say(INES, "what of mine runs in the background?")
        await stage.reply_with(INES, other, "One is under way.")
        [listed] = (await stage.result("recall"))["in_background"]
        assert "“how do coupons work at Copperleaf?”. In the background since" in listed
        assert "Stop, below its card" in listed
        assert "how do coupons work" not in str(await schedules_of(stage, TOMAS))

        reply = await schedules_of(stage, INES)
        assert "how do coupons work at Copperleaf? (In the background since" in whole_text(reply)
        assert STOP in str(reply["blocks"])
        await bench.open_home(INES)
        view = await home_with(stage, INES, "In the background since")
        [stop] = [
            {**block["accessory"], "block_id": block["block_id"]}
            for block in view["blocks"]
            if block.get("accessory", {}).get("action_id") == "claw_background_stop"
        ]
        await bench.interact_in_view(INES, view["id"], stop)
        await task_card(stage, root, "Stopped after less than a minute.")
        await stage.settled()
        assert "nothing of yours goes on" in str(await schedules_of(stage, INES))

        async def is_drawn_again() -> bool:
            return "In the background since" not in str(await bench.home(INES))

        await bench.until(is_drawn_again)


async def schedules_of(stage: Stage, who: str) -> Message:
    return (await stage.bench.command(dm(who), who, "/claw", "schedules"))["response"]


async def test_what_is_deleted_while_it_goes_on_ends_without_a_result(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    may_end = asyncio.Event()

    async def held(_: object, __: object) -> ModelResponse:
        await may_end.wait()
        return ModelResponse(parts=[TextPart(RESULT)])

    mind = ScriptedModel(LOOK, forever, held)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        await pressed(stage, offer)
        await bench.until(lambda: len(mind.told) == 3)
        change(bench, dm(INES), root, None)
        await noticed(stage, root)
        may_end.set()
        card = await task_card(stage, root, "Ended without a result after")
        await stage.settled()

    assert kinds(card) == ["error"]
    assert "(a deleted message)" in titles(card)
    assert not any(RESULT in whole_text(m) for m in await stage.replies(INES, root))


async def test_who_may_not_ask_any_more_gets_no_result(agency: Database) -> None:
    run = uuid4()
    key = f"{GOES_ON}{run}"
    place = Place(team_id="T01", channel_id=OPS, thread_ts="1.0", is_direct=False)
    again = Incoming(
        key=key,
        source="interactions",
        kind=ReceiptKind.MESSAGE,
        place=place,
        slack_ts="1.0",
        slack_user_id=INES,
        text="how do coupons work?",
    )
    async with agency.transaction() as conn:
        receipt = await keep_settled(conn, again, reason="unlinked_actor")
        assert receipt is not None
        work = await read_work(conn, receipt)

    assert work is not None
    assert "Ended without a result" in work.note(0, "").text


async def test_a_word_stops_it_too(bench: Bench, agency: Database, deadlines: Deadlines) -> None:
    mind = ScriptedModel(LOOK, forever, forever, RESULT)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        await pressed(stage, offer)
        await bench.until(lambda: len(mind.told) == 3)
        await stage.say(INES, "stop", thread=root)
        await task_card(stage, root, "Stopped after less than a minute.")
        await stage.settled()

    assert not any(RESULT in whole_text(m) for m in await stage.replies(INES, root))


async def test_a_process_that_dies_leaves_it_to_the_next_which_asks_the_model_nothing_twice(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    second = ModelResponse(parts=[ToolCallPart("search_kb", {"query": "promotion"})])
    mind = ScriptedModel(LOOK, forever, second, forever, RESULT)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        await pressed(stage, offer)
        await bench.until(lambda: len(mind.told) == 4)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        await stage.reply_with(INES, root, RESULT)
        await task_card(stage, root, "Finished after less than a minute.")
        await stage.settled()
        results = [m for m in await stage.replies(INES, root) if RESULT in whole_text(m)]

    assert len(mind.told) == 5
    assert looked_up(mind) == ["search_kb", "search_kb"]
    assert len(results) == 1


async def test_a_card_that_it_was_about_to_change_is_cancelled_when_it_is_stopped(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    made = {"client": "Glintly Inc", "objective": ASKED}
    revise = calls("create_task", **made, title="The other banner", replaces=TASK)
    mind = ScriptedModel(
        calls("create_task", **made, title=TASK), "On the card.", LOOK, forever, revise, forever
    )
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        await offer(stage, INES, await stage.say(INES, f"make the task: {ASKED}"))
        root, offered = await out_of_time(stage, mind, deadlines)
        await pressed(stage, offered)
        card = await task_card(stage, root, "In the background since")
        await bench.until(lambda: len(mind.told) == 6)
        assert (await stage.proposals())[0]["suspended_by"]
        assert (await stage.press(INES, card, STOP))["ok"]
        await task_card(stage, root, "Stopped after less than a minute.")
        await stage.settled()

        assert await states(stage) == ["cancelled"]


async def test_of_two_presses_at_once_the_second_is_told_that_it_has_begun(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    mind = ScriptedModel(LOOK, forever, RESULT)
    waiting = """
        select count(*) = 2 from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())
    """
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        team_id = await agency.pool.fetchval("select team_id from slack_event_receipts")
        async with agency.transaction() as conn:
            await lock_until_commit(conn, LockKind.BACKGROUND, team_id)
            presses = asyncio.gather(pressed(stage, offer), pressed(stage, offer))
            await eventually(lambda: agency.pool.fetchval(waiting))
        await presses
        await stage.reply_with(INES, root, RESULT)
        await bench.until(lambda: stage.whispers(INES))
        await stage.settled()

        assert any("gone on with it already" in one for one in await stage.whispers(INES))
        assert len(await stage.events("went_on")) == 1


async def test_the_sixth_is_told_to_wait(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    mind = ScriptedModel(LOOK, forever)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root, offer = await out_of_time(stage, mind, deadlines)
        await agency.pool.execute(
            "insert into slack_event_receipts (event_key, event_source, event_type, team_id,"
            " channel_id, thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)"
            " select 'goes_on:' || gen_random_uuid(), 'interactions', 'message', team_id,"
            " 'D0X', '', n::text, true, 'U01TOMAS', 'background:' || n, '{}'"
            " from slack_event_receipts, generate_series(1, 5) n where slack_ts = $1",
            root,
        )
        await pressed(stage, offer)
        await bench.until(lambda: stage.whispers(INES))
        [told] = await stage.whispers(INES)
        assert "I am at 5 things in the background already" in told
        await agency.pool.execute("delete from slack_event_receipts where channel_id = 'D0X'")
        await stage.settled()

    assert not await stage.events("went_on")


async def test_nobody_else_can_let_it_go_on(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    mind = ScriptedModel(LOOK, forever)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        ts = await bench.post_message(OPS, INES, f"<@{CLAW}> how do coupons work at Copperleaf?")
        await bench.until(lambda: len(mind.told) == 2)
        deadlines.come()
        offer = await stage.card_in(OPS, ts)
        assert (await bench.interact(OPS, offer["ts"], TOMAS, GO_ON))["ok"]
        await bench.until(lambda: stage.whispers(TOMAS))
        await stage.settled()

    assert "Only the person who asked for it" in (await stage.whispers(TOMAS))[0]
    assert not await stage.events("went_on")


async def test_an_ordinary_failure_offers_nothing(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(LOOK, "I called list_tasks for you.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "how do coupons work?")
        said = await stage.reply_with(INES, root, "full of my own machinery")

    assert GO_ON not in buttons(said)
