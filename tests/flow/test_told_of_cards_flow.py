"""What the model is told of cards: what is so at the moment that it answers."""

from __future__ import annotations

from acting import ASKED, INES, ScriptedModel, calls, minded
from stage import Stage

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

TITLE = "Order the spring samples"
CARD, NEW_CARD, GLAD = "It is on the card.", "It is on the new card.", "Good to know."
MADE = {"client": "Glintly Inc", "objective": ASKED, "title": TITLE}
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
