"""What keeps a card from being prepared is told in one answer, whatever a tool finds first."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from agencyclaw.domain.checklists import Checklist, ChecklistItem
from agencyclaw.domain.clients import SpaceClassification
from agencyclaw.domain.days import OnDate
from agencyclaw.domain.errors import NotFound, NotMapped, Refused, TooMuch, Unavailable
from agencyclaw.domain.quotes import QuotedDay
from agencyclaw.domain.task_requests import ChosenProcedure
from agencyclaw.domain.tasks import ListStatus
from agencyclaw.domain.watches import Check
from agencyclaw.tools.assignments import assign_person
from agencyclaw.tools.brand_records import create_brand
from agencyclaw.tools.bulk_changes import change_tasks
from agencyclaw.tools.kpi import kpi_target_upsert
from agencyclaw.tools.results import Ask
from agencyclaw.tools.schedules import When, ask_regularly, remind, watch_client
from agencyclaw.tools.task_changes import clickup_task_update
from agencyclaw.tools.task_checklists import clickup_task_checklist
from agencyclaw.tools.task_comments import comment_on_task
from agencyclaw.tools.tasks import create_task
from agencyclaw.tools.team import cc_team_member_archive
from tests.fakes.ports import Agency, a_place, a_row, context, demo_agency

BARE: dict[str, Any] = {"client": "Glintly Inc", "title": "Refresh the banner"}
NO_ID = "Yuki Tan has no ClickUp account linked"
WHAT_TO_DO = "What should be done"
STATUSES = (ListStatus(name="to do"), ListStatus(name="complete", is_last=True))


async def created(agency: Agency, said: str = "", **args: Any) -> Any:
    deps = replace(agency.run(request=said or BARE["title"]), calling="create_task")
    return await create_task(context(deps), **(BARE | args))


def with_tasks(*titles: str, **fields: Any) -> Agency:
    agency = demo_agency()
    agency.board.lists = {
        "g1": [a_row(title, id=f"86{title}", list_id="g1", **fields) for title in titles]
    }
    agency.board.statuses = STATUSES
    return agency


async def test_who_is_asked_what_to_do_reads_that_the_assignee_has_no_clickup_id() -> None:
    asked = await created(demo_agency(), assignee="Yuki Tan")

    assert isinstance(asked, Ask)
    assert WHAT_TO_DO in asked.question
    assert any(NO_ID in one for one in asked.missing)
    assert NO_ID in str(asked.model_dump())


async def test_who_is_asked_what_to_do_reads_which_of_their_facts_will_be_missing() -> None:
    unsaid = QuotedDay(quote="by Friday", day=OnDate(kind="date", date=date(2026, 12, 4)))

    asked = await created(demo_agency(), due=unsaid)

    assert isinstance(asked, Ask)
    assert any("Due" in one for one in asked.missing)


async def test_a_list_that_takes_no_tasks_is_told_at_once_and_the_rest_with_it() -> None:
    agency = demo_agency()
    agency.directory.standings["g"] = SpaceClassification("inactive")

    with pytest.raises(NotMapped) as refused:
        await created(agency, assignee="Yuki Tan")

    assert WHAT_TO_DO in refused.value.message
    assert NO_ID in refused.value.message
    assert refused.value.reason == "space_not_for_brands"


async def test_of_a_client_without_a_list_the_rest_that_is_missing_is_told_too() -> None:
    with pytest.raises(NotMapped) as refused:
        await created(demo_agency(), client="Northwater", assignee="Sara")

    assert WHAT_TO_DO in refused.value.message
    assert "Sara Lindqvist / Sara Okafor" in refused.value.message
    assert "Northwater" in refused.value.kept


async def test_a_procedure_that_is_not_there_hides_no_missing_list() -> None:
    with pytest.raises(NotMapped) as refused:
        await created(
            demo_agency(), client="Northwater", procedure=ChosenProcedure(title="Moon landing SOP")
        )

    assert "Moon landing SOP" in refused.value.message


async def test_who_has_to_be_asked_does_not_wait_for_clickup() -> None:
    agency = demo_agency()
    agency.board.faults["g1"] = Unavailable("away")

    assert isinstance(await created(agency), Ask)
    with pytest.raises(Unavailable):
        await created(agency, said="swap the picture", details="swap the picture for a new one")


async def test_a_change_says_of_all_its_parts_at_once_what_is_wrong() -> None:
    agency = with_tasks("Fix listing", due=date(2026, 12, 1))
    start = QuotedDay(quote="2026-12-24", day=OnDate(kind="date", date=date(2026, 12, 24)))
    deps = agency.run(request="start 2026-12-24")

    async def changed(**args: Any) -> Any:
        call = context(deps)
        return await clickup_task_update(call, "Fix listing", client="Glintly Inc", **args)

    asked = await changed(assignee="Sara", status="shipped")
    assert isinstance(asked, Ask)
    assert "Which Sara" in asked.question
    assert "no status “shipped”" in asked.question

    with pytest.raises(Refused) as refused:
        await changed(assignee="Yuki Tan", status="shipped", start=start)
    assert refused.value.reason == "no_clickup_id"
    assert NO_ID in refused.value.message
    assert "no status “shipped”" in refused.value.message
    assert "due before it starts" in refused.value.message


async def test_every_item_of_a_checklist_that_is_unclear_is_asked_about_at_once() -> None:
    agency = with_tasks("Fix listing")
    items = tuple(ChecklistItem(id=name, name=name) for name in ("Photos", "Prices"))
    agency.board.checklists["86Fix listing"] = (Checklist(id="c", name="Steps", items=items),)

    asked = await clickup_task_checklist(
        context(agency.run()),
        "Fix listing",
        client="Glintly Inc",
        tick=["Videos"],
        remove=["Texts"],
    )

    assert isinstance(asked, Ask)
    assert "Videos" in asked.question
    assert "Texts" in asked.question


async def test_many_tasks_say_at_once_who_cannot_have_them_and_that_they_are_too_many() -> None:
    agency = with_tasks(*(f"Task {at}" for at in range(40)))

    with pytest.raises(TooMuch) as refused:
        await change_tasks(
            context(agency.run()), client="Glintly Inc", new_assignee="Yuki Tan", status="shipped"
        )

    assert NO_ID in refused.value.message
    assert refused.value.message.count(NO_ID) == 1
    assert refused.value.message.count("no status “shipped”") == 1


async def test_a_comment_without_words_is_said_beside_the_question_which_task() -> None:
    agency = with_tasks("Fix listing", "Fix listing photos")

    with pytest.raises(Refused) as refused:
        await comment_on_task(context(agency.run()), "Fix lst", " ", client="Glintly Inc")

    assert refused.value.reason == "no_text"
    assert "Fix listing" in refused.value.message


async def test_a_role_is_refused_with_all_names_that_are_nobodys() -> None:
    with pytest.raises(NotFound) as refused:
        await assign_person(context(demo_agency().run()), "Nemo", "Astronaut", "Glintly Inc")

    assert "Astronaut" in refused.value.message
    assert "Nemo" in refused.value.message


async def test_a_target_asks_for_marketplace_period_and_figure_in_one_message() -> None:
    asked = await kpi_target_upsert(context(demo_agency().run()), "Glintly Inc")

    assert isinstance(asked, Ask)
    for word in ("marketplace", "month or for a year", "ACOS, TACOS or sales"):
        assert word in asked.question
    assert asked.labels == ("US",)


async def test_a_brand_is_refused_for_its_name_and_its_marketplace_at_once() -> None:
    with pytest.raises(Refused) as refused:
        await create_brand(
            context(demo_agency().run()), "Glintly Inc", "Glintly", marketplaces=["Narnia"]
        )

    assert "Narnia" in refused.value.message
    assert refused.value.reason == "duplicate_name"


async def test_who_leaves_and_who_takes_over_are_asked_for_together() -> None:
    asked = await cc_team_member_archive(context(demo_agency().run()), "Sara", successor="Sara")

    assert isinstance(asked, Ask)
    assert "Who should be archived?" in asked.question
    assert "Who takes their roles over?" in asked.question


async def test_a_watch_that_cannot_begin_is_refused_before_its_task_is_asked_for() -> None:
    agency = demo_agency()
    channel = a_place().model_copy(update={"channel_id": "C1", "is_direct": False})
    deps = replace(agency.run(request="prepare a task"), place=channel)

    with pytest.raises(Refused) as refused:
        await watch_client(context(deps), Check.DONE, then="prepare a task")

    assert refused.value.reason == "not_in_a_channel"


async def test_a_question_says_at_once_that_its_time_and_the_one_it_follows_are_wrong() -> None:
    deps = demo_agency().run(request="what is due? every day")
    when = When(quote="on the first", every="day", time="09:30")

    with pytest.raises(Refused) as refused:
        await ask_regularly(context(deps), "what is due?", when, after="the sales report")

    assert "on the first" in refused.value.message
    assert len(refused.value.message.splitlines()) == 2


async def test_a_reminder_says_at_once_that_its_words_and_its_time_are_nobodys() -> None:
    when = When(quote="on the first", time="09:30")

    with pytest.raises(Refused) as refused:
        await remind(context(demo_agency().run(request="hello")), "buy milk", when)

    assert "on the first" in refused.value.message
    assert len(refused.value.message.splitlines()) == 2
