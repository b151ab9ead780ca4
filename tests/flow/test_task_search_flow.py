"""A task is found by words of its title, among those of all clients the person may see."""

from __future__ import annotations

import pytest
from acting import INES, YUKI, ScriptedModel, calls, minded

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "which one was the coupon task again?"
FIND = calls("search_tools", queries=["search tasks by title"])
COUPON = "Set up the 15% Prime coupon for the Nordvent Tower Fan"


async def test_words_of_a_title_find_the_task_of_whichever_client_in_one_request(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, calls("search_tasks", words="the coupon task"), "That one.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, ASK))

    seen = mind.heard()
    assert COUPON in seen
    assert '"client":"Brightkettle Group"' in seen
    assert "Screen Wipes" not in seen
    assert await bench.log(target="clickup", operation="list_tasks") == []


async def test_finished_tasks_are_found_on_request(bench: Bench, agency: Database) -> None:
    search = calls("search_tasks", words="duplicate ASIN", finished=True)
    mind = ScriptedModel(FIND, search, "That one.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "when did we close the duplicate ASIN?"))

    assert "Close the duplicate ASIN of the Copperleaf Garlic Press" in mind.heard()


async def test_nobody_finds_tasks_of_clients_that_are_not_theirs(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, calls("search_tasks", words="the coupon task"), "I see none.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(YUKI, await stage.say(YUKI, ASK))

    assert COUPON not in mind.heard()
    assert "No open task has such words in its title" in mind.heard()


@pytest.mark.parametrize("words", ["", "  "])
async def test_without_words_no_task_is_looked_for(
    bench: Bench, agency: Database, words: str
) -> None:
    mind = ScriptedModel(FIND, calls("search_tasks", words=words), "Which one?")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, ASK))

    assert '"tasks":' not in mind.heard()
    assert COUPON not in mind.heard()
