"""What somebody changed lately: their own confirmed changes, in whatever thread."""

from __future__ import annotations

from datetime import timedelta

from acting import (
    ASKED,
    CLAW,
    INES,
    OPS,
    SARA_L,
    TASK,
    ScriptedModel,
    calls,
    minded,
    offer,
    offer_in,
)
from stage import Stage, dm, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

FIND = calls("search_tools", queries=["what did you change for me"])
LIST = calls("list_own_changes")
CREATE = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
ASK = "what did you change today?"


async def create_and_ask(stage: Stage, mind: ScriptedModel, asker: str) -> str:
    """Create a task for Ines, then have somebody ask in a new thread; returns what was found."""
    root = await stage.say(INES, f"make the task: {ASKED}")
    await stage.press(INES, await offer(stage, INES, root, "Create task"), "Create task")
    await stage.settled()
    mind.answers(FIND, LIST, "That is all.")
    await stage.reply(asker, await stage.say(asker, ASK))
    return mind.heard()


async def test_a_change_of_another_thread_is_listed_with_its_result_and_its_undo(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(CREATE, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        seen = await create_and_ask(stage, mind, INES)

    assert '"total":1' in seen
    assert f"{TASK}" in seen
    assert '"outcome":"created"' in seen
    assert '"undo":"the Undo button of its card' in seen
    [card] = [one for one in await bench.messages(dm(INES)) if "Undo" in str(one.get("blocks"))]
    assert f"/archives/{dm(INES)}/p{card['ts'].replace('.', '')}" in seen


async def test_what_an_older_version_made_is_counted_though_it_cannot_be_read(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(CREATE, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        await create_and_ask(stage, mind, INES)
        await stage.db.pool.execute(
            """update proposals set arguments = arguments || '{"colour": "red"}'"""
        )
        mind.answers(FIND, LIST, "That is all.")
        await stage.reply(INES, await stage.say(INES, ASK))

    seen = mind.heard()
    assert "Not listed: 1 change of another version" in seen
    assert "confirmed nothing" not in seen


async def test_where_the_clock_is_moved_a_change_made_just_now_is_found_and_can_be_undone(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(CREATE, "It is on the card.")
    moved = await Database.open(agency.dsn, ahead=timedelta(days=3))
    try:
        async with minded(bench, moved, mind) as stage:
            seen = await create_and_ask(stage, mind, INES)
    finally:
        await moved.close()

    assert '"total":1' in seen
    assert '"undo":"the Undo button of its card' in seen


async def test_an_undone_change_is_said_to_be_undone_and_offers_no_undo(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(CREATE, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        await create_and_ask(stage, mind, INES)
        [card] = [one for one in await bench.messages(dm(INES)) if "Undo" in str(one.get("blocks"))]
        await stage.press(INES, card, "Undo")
        await stage.settled()
        mind.answers(FIND, LIST, "It was undone.")
        await stage.reply(INES, await stage.say(INES, ASK))

    seen = mind.heard()
    assert '"outcome":"created, and undone since"' in seen
    assert '"undo":' not in seen


async def test_nobody_sees_what_somebody_else_changed(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(CREATE, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        seen = await create_and_ask(stage, mind, SARA_L)

    assert "They confirmed nothing in that time." in seen
    assert TASK not in seen


async def test_in_a_channel_it_is_answered_in_direct_messages(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(CREATE, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        await create_and_ask(stage, mind, INES)
        mind.answers(FIND, LIST, f"I created “{TASK}”.")
        root = await bench.post_message(OPS, INES, f"<@{CLAW}> {ASK}")
        answer = await stage.reply_in(OPS, root)

    assert TASK not in whole_text(answer)


async def test_cards_that_wait_out_of_sight_are_counted_with_the_tool_that_lists_them(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(CREATE, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, INES, f"<@{CLAW}> make the task: {ASKED}")
        await offer_in(stage, OPS, root)
        mind.answers("Nothing of yours is late.")
        await stage.reply(INES, await stage.say(INES, "what waits for me?"))
        seen = mind.heard()
        await stage.reply(SARA_L, await stage.say(SARA_L, "what waits for me?"))

    assert "Besides, 1 card of theirs waits elsewhere, which list_own_changes lists." in seen
    assert "list_own_changes" not in mind.heard()


async def test_a_card_of_another_thread_that_waits_is_listed_to_its_person_alone(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(CREATE, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, f"make the task: {ASKED}")
        await offer(stage, INES, root, "Create task")
        await stage.settled()
        for asker in (INES, SARA_L):
            mind.answers(FIND, LIST, "That is all.")
            await stage.reply(asker, await stage.say(asker, "what is still waiting for me?"))
            assert ('"where":"another thread, and their Home tab"' in mind.heard()) is (
                asker == INES
            )
