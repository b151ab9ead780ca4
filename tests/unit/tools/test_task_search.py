"""The search for tasks by words of their titles: over all clients, and only ever a reading one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from agencyclaw.domain.errors import NotFound, Unavailable
from agencyclaw.domain.people import Tier
from agencyclaw.domain.task_changes import UpdateTask
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.tools.results import Ask
from agencyclaw.tools.task_changes import clickup_task_update
from agencyclaw.tools.task_search import search_tasks
from agencyclaw.tools.task_texts import TaskReading, read_task
from agencyclaw.tools.tasks import TaskList
from tests.fakes.ports import SHARED_LIST, Agency, a_row, context, demo_agency

FILLERS = [a_row(f"Check the listing {number}") for number in range(12)]


def agency_with(**lists: list[TaskRow]) -> Agency:
    agency = demo_agency()
    agency.board.lists = lists
    return agency


async def searched(agency: Agency, words: str, tier: Tier = Tier.ADMIN, **more: Any) -> TaskList:
    answer = await search_tasks(context(agency.run(tier=tier)), words, **more)
    assert isinstance(answer, TaskList)
    return answer


async def test_words_of_a_title_find_the_task_among_all_clients() -> None:
    agency = agency_with(
        g1=[*FILLERS, a_row("Set up the 20% coupon for the screen wipes")],
        p1=[a_row("Order the collar boxes")],
    )

    found = await searched(agency, "the coupon task")

    assert [one.title for one in found.tasks] == ["Set up the 20% coupon for the screen wipes"]
    assert found.tasks[0].client == "Glintly Inc"


async def test_the_closest_title_comes_first_and_a_mistyped_word_is_found() -> None:
    agency = agency_with(
        g1=[*FILLERS, a_row("Coupon for the lens spray"), a_row("Coupon for the screen wipes")]
    )

    found = await searched(agency, "cupon screen wipes", client="Glintly Inc")

    assert found.tasks[0].title == "Coupon for the screen wipes"


async def test_finished_tasks_are_searched_on_request_only() -> None:
    finished = a_row("Launch the coupon", done=datetime(2026, 11, 2, tzinfo=UTC))
    agency = agency_with(g1=[*FILLERS], cm1=[finished])

    found = await searched(agency, "coupon", finished=True)

    assert [(one.title, one.done) for one in found.tasks] == [
        ("Launch the coupon", date(2026, 11, 2))
    ]
    assert "the last 365 days" in found.range


async def test_where_no_title_has_the_words_it_says_where_it_looked() -> None:
    found = await searched(agency_with(g1=[*FILLERS]), "coupon", client="Glintly Inc")

    assert found.total == 0
    assert found.note.startswith("No open task has such words in its title (any time).")


async def test_a_list_that_cannot_be_read_is_named_beside_what_was_not_found() -> None:
    agency = agency_with(p1=[*FILLERS])
    agency.board.faults = {"p2": Unavailable("502")}

    found = await searched(agency, "coupon", client="Pawtrail")

    assert found.skipped == ("Pawtrail Pro",)
    assert "Not read: Pawtrail Pro." in found.note


async def test_tasks_of_clients_that_are_not_theirs_are_not_searched() -> None:
    agency = agency_with(**{SHARED_LIST: [a_row("Coupon")]})
    agency.directory.visible = {"Glintly Inc"}

    assert (await searched(agency, "coupon", tier=Tier.VIEWER)).total == 0
    with pytest.raises(NotFound):
        await searched(agency, "coupon", tier=Tier.VIEWER, client="Brightkettle")


async def test_words_of_a_title_are_enough_to_read_a_task_and_never_to_change_it() -> None:
    agency = agency_with(g1=[*FILLERS, a_row("Set up the 20% coupon for the screen wipes")])
    deps = agency.run()

    read = await read_task(context(deps), "the coupon task", "Glintly Inc")
    change = await clickup_task_update(
        context(replace(deps, calling="clickup_task_update")), "the coupon task", "Glintly Inc"
    )

    assert isinstance(read, TaskReading)
    assert not isinstance(change, UpdateTask)
    assert isinstance(change, Ask)
    assert change.labels == ("Set up the 20% coupon for the screen wipes",)
