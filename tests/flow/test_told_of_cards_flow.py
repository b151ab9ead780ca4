"""What the model is told of cards: what is so at the moment that it answers."""

from __future__ import annotations

from acting import ASKED, INES, ScriptedModel, calls, minded
from stage import Stage

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

TITLE = "Order the spring samples"
CARD, NEW_CARD, GLAD = "It is on the card.", "It is on the new card.", "Good to know."
MADE = {"client": "Glintly Inc", "objective": ASKED, "title": TITLE}
MISSED = "Their plain yes or no decided about no card"
TOO_OLD = "Press if it is still right."


async def asked(stage: Stage) -> str:
    """Ask for the task; returns the thread of its card."""
    root = await stage.say(INES, "make the task")
    await stage.reply_with(INES, root, CARD)
    await stage.settled()
    return root


async def say(stage: Stage, root: str, words: str, answer: str) -> None:
    """Say words in a thread and wait for their answer."""
    await stage.say(INES, words, thread=root)
    await stage.reply_with(INES, root, answer)
    await stage.settled()


async def words_over(stage: Stage) -> None:
    await stage.db.pool.execute("update proposals set words_until = now() - interval '1 second'")


async def test_a_card_that_is_too_old_for_words_is_not_told_to_take_them_later(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(calls("create_task", **MADE), CARD, GLAD)
    async with minded(bench, agency, mind) as stage:
        root = await asked(stage)
        await words_over(stage)
        await say(stage, root, "does it still wait?", GLAD)

    [line] = [line for line in mind.heard().splitlines() if line.startswith("Proposal “")]
    assert "too late for a yes in words unless it is shown again; Cancel on it" in line
    assert " until " not in line.partition(". On the card")[0]


async def test_below_a_message_a_card_is_not_told_to_take_words_before_it_is_shown_again(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(calls("create_task", **MADE), CARD, GLAD, "It waits in its own thread.")
    async with minded(bench, agency, mind) as stage:
        root = await asked(stage)
        await say(stage, root, "thursday is fine too", GLAD)
        below = mind.heard()
        other = await stage.say(INES, "what waits?")
        await stage.reply_with(INES, other, "It waits in its own thread.")

    assert "their message stands below it now, so a yes or no in words counts only once" in below
    assert "in another thread: waiting for a yes or no right below it" in mind.heard()


async def test_why_a_yes_decided_nothing_is_told(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(calls("create_task", **MADE), CARD, GLAD, "It did not count.")
    async with minded(bench, agency, mind) as stage:
        root = await asked(stage)
        await say(stage, root, "thursday is fine too", GLAD)
        assert MISSED not in mind.heard()
        await say(stage, root, "yes", "It did not count.")

        assert f"{MISSED}: something else was said or shown between" in mind.heard()
        [proposal] = await stage.proposals()
        assert proposal["state"] == "open"


async def test_why_a_no_decided_nothing_is_told(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(
        *(calls("create_task", **MADE), CARD),
        *(calls("create_task", **{**MADE, "title": "Order the autumn samples"}), NEW_CARD),
        "Which one?",
    )
    async with minded(bench, agency, mind) as stage:
        root = await asked(stage)
        await say(stage, root, "and the autumn ones", NEW_CARD)
        await say(stage, root, "no", "Which one?")

    assert f"{MISSED}: several cards wait" in mind.heard()


async def test_what_was_said_of_a_card_is_not_told_any_more_once_it_is_replaced(
    bench: Bench, agency: Database
) -> None:
    again = calls("create_task", **MADE, replaces=TITLE)
    mind = ScriptedModel(calls("create_task", **MADE), CARD, again, NEW_CARD, GLAD)
    async with minded(bench, agency, mind) as stage:
        root = await asked(stage)
        await words_over(stage)
        await say(stage, root, "yes", TOO_OLD)

        await say(stage, root, "then prepare it again", NEW_CARD)
        await say(stage, root, "thursday is fine too", GLAD)

    assert f"Proposal “{TITLE}”" in mind.heard()
    assert TOO_OLD not in mind.heard()
