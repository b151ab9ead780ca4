"""A client brief that an admin has posted regularly in the client's channel."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date, timedelta

import pytest
from acting import BRIGHT, INES, MIGUEL, TOMAS, ScriptedModel, calls, minded, offer_in
from stage import Stage, eventually, whole_text
from test_question_flow import begun, comes_due, firings, posts

from agencyclaw.domain.replies import NOTHING_TO_SAY
from agencyclaw.store.engine import Database
from agencyclaw.tools.client_risks import TASKS_UNREAD
from workbench.fixture import Bench

# Not today or tomorrow: its own time must not come while a test runs.
DAY = f"{date.today() + timedelta(days=3):%A}"
WORDS = "brief us on Brightkettle"
SAID = f"every {DAY} at 9: {WORDS}"
WHEN = {"quote": f"every {DAY} at 9", "time": "09:00", "every": "week", "weekdays": [DAY.lower()]}
FIND = calls("search_tools", queries=["recurring question"])
PREPARE = calls("ask_regularly", words=WORDS, when=WHEN)
LOOK = calls("search_tools", queries=["client brief"])
BRIEF = calls("client_brief", client="Brightkettle")
OTHER = calls("client_brief", client="Glintly Inc")
POSTED = "Two tasks are late: the listing of the Tower Fan and the A-to-z claim."
PAUSED = "select paused_because from schedules where active"
GONE = {"target": "clickup", "method": "list_team_tasks", "kind": "error_before", "times": 40}


@asynccontextmanager
async def briefed(bench: Bench, db: Database) -> AsyncGenerator[tuple[Stage, ScriptedModel]]:
    """Run the assistant with a brief in the client's channel that has begun."""
    mind = ScriptedModel(FIND, PREPARE, "I'm trying it.", LOOK, BRIEF, "As a trial: two are late.")
    async with minded(bench, db, mind) as stage:
        root = await bench.post_message(BRIGHT, INES, f"<@U01CLAW> {SAID}")
        card = await offer_in(stage, BRIGHT, root, "Start")
        await bench.interact(BRIGHT, card["ts"], INES, "Start")
        await eventually(lambda: begun(stage))
        await stage.settled()
        yield stage, mind


async def test_it_is_posted_once_and_a_reply_below_is_answered_from_it(
    bench: Bench, agency: Database
) -> None:
    async with briefed(bench, agency) as (stage, mind):
        mind.answers(LOOK, BRIEF, POSTED)
        await comes_due(stage)
        [post] = await posts(stage, BRIGHT, POSTED)
        assert '"late":{"total":2' in mind.heard()

        mind.answers("Miguel Duarte has it.")
        asked = "who has the listing?"
        await bench.post_message(BRIGHT, MIGUEL, asked, thread_ts=post["ts"])

        async def answered() -> bool:
            replies = await stage.replies_in(BRIGHT, post["ts"])
            return any("Miguel Duarte has it." in whole_text(one) for one in replies)

        await eventually(answered)
        assert POSTED in mind.heard()


async def test_it_has_nothing_of_another_client(bench: Bench, agency: Database) -> None:
    async with briefed(bench, agency) as (stage, mind):
        mind.answers(LOOK, OTHER, "There is nothing that I may show here.")
        await comes_due(stage)

        assert "Screen Wipes" not in mind.heard()


async def test_without_clickup_it_says_what_is_missing(bench: Bench, agency: Database) -> None:
    async with briefed(bench, agency) as (stage, mind):
        await stage.db.pool.execute("delete from clickup_reads")
        await bench.control("POST", "faults", GONE)
        mind.answers(LOOK, BRIEF, "ClickUp could not be read; three brands have no target.")
        await comes_due(stage)

        assert TASKS_UNREAD in mind.heard()
        assert await posts(stage, BRIGHT, "three brands have no target")


async def test_where_nothing_is_worth_a_word_nothing_is_posted(
    bench: Bench, agency: Database
) -> None:
    async with briefed(bench, agency) as (stage, mind):
        before = len(await bench.messages(BRIGHT))
        mind.answers(LOOK, BRIEF, calls(NOTHING_TO_SAY))
        await comes_due(stage)

        assert len(await bench.messages(BRIGHT)) == before
        [receipt] = await firings(stage)
        assert receipt["reason"] == "nothing_to_say"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["link Glintly Inc"], "belongs to somebody else"),
        (["link internal"], "belongs to somebody else"),
        (["unlink", "link Glintly Inc"], "belongs to nobody"),
    ],
)
async def test_in_a_channel_that_is_somebody_elses_now_it_is_paused_and_posts_nothing(
    bench: Bench, agency: Database, words: list[str], why: str
) -> None:
    async with briefed(bench, agency) as (stage, mind):
        before = len(await bench.messages(BRIGHT))
        mind.answers("Nothing of Brightkettle may be shown here.")
        await bench.command(BRIGHT, TOMAS, "/claw", "link Brightkettle Group")
        assert await stage.db.pool.fetchval(PAUSED) is None
        for one in words:
            await bench.command(BRIGHT, TOMAS, "/claw", one)
        await comes_due(stage, which="paused_because is null")

        assert why in await stage.db.pool.fetchval(PAUSED)
        assert len(await bench.messages(BRIGHT)) == before


async def test_the_home_tab_of_its_owner_says_at_once_that_it_is_paused(
    bench: Bench, agency: Database
) -> None:
    async with briefed(bench, agency):
        await bench.open_home(INES)

        async def shows(words: str) -> bool:
            return words in whole_text(await bench.home(INES) or {})

        await bench.until(lambda: shows("Question, every"))
        await bench.command(BRIGHT, TOMAS, "/claw", "link internal")

        await bench.until(lambda: shows("Question, paused"))
