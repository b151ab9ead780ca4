"""The demo's page moves the clock of what comes by itself; everything else keeps its time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from acting import ASKED, INES, TASK, ScriptedModel, calls, minded, offer
from fakes.judges import Reader
from stage import Stage
from test_reminder_flow import FIND, WORDS, told, was_told

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

DAILY = {"quote": "every day", "every": "day", "time": "09:00"}
SOON = {"quote": "in 2 minutes", "minutes": 2}

pytestmark = pytest.mark.usefixtures("brisk")


async def set_reminder(stage: Stage, said: str) -> None:
    root = await stage.say(INES, said)
    await stage.press(INES, await offer(stage, INES, root, "Set reminder"), "Set reminder")
    await stage.reply_with(INES, root, "I'll remind you")
    await stage.settled()


async def test_a_reminder_of_tomorrow_comes_once_the_clock_is_a_day_ahead(
    bench: Bench, agency: Database
) -> None:
    daily = ScriptedModel(FIND, calls("remind", words=WORDS, when=DAILY), "See the card.")
    async with minded(bench, agency, daily) as stage:
        await set_reminder(stage, f"remind me every day to {WORDS}")
        assert not await told(stage)

    moved = await Database.open(agency.dsn, ahead=timedelta(days=1))
    soon = ScriptedModel(FIND, calls("remind", words="stand up", when=SOON), "See the card.")
    try:
        async with minded(bench, moved, soon) as stage:
            assert WORDS in await was_told(stage)
            # What is set on the moved clock comes by it.
            await set_reminder(stage, "remind me in 2 minutes to stand up")
            at, rings = await agency.pool.fetchrow(
                "select s.next_at - now(), j.scheduled_at - now() from schedules s"
                " join procrastinate_jobs j on j.args ->> 'reminder_id' = s.id::text"
                " where s.words = 'stand up'"
            )
    finally:
        await moved.close()

    assert timedelta(days=1) < at < timedelta(days=1, minutes=4)
    assert timedelta() < rings < timedelta(minutes=4)


async def test_a_card_of_just_now_takes_a_yes_in_words_as_model_and_judge_are_told(
    bench: Bench, agency: Database
) -> None:
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    mind, judge = ScriptedModel(create, "It is on the card.", "It waits."), Reader()
    moved = await Database.open(agency.dsn, ahead=timedelta(days=3))
    try:
        async with minded(bench, moved, mind, judge=judge.model()) as stage:
            root = await stage.say(INES, f"make the task: {ASKED}")
            await offer(stage, INES, root, "Create task")
            await stage.say(INES, "does it wait?", thread=root)
            await stage.reply_with(INES, root, "It waits.")
            assert "their message stands below it now" in mind.heard()
            assert "too late" not in mind.heard()
            assert "waiting on its card" in judge.read[-1]
            assert "too late" not in judge.read[-1]
    finally:
        await moved.close()
