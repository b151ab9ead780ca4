"""Which task a title means, and what is said when that can't be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from agencyclaw.domain.days import FromDay, Lasting, OnDate, OnMonthDay, OnWeekday
from agencyclaw.domain.errors import NotAllowed, NotFound, Refused, Unavailable
from agencyclaw.domain.people import ScopeKind, Tier
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.quotes import QuotedDay
from agencyclaw.domain.task_changes import DESCRIPTION_LIMIT, UpdateTask
from agencyclaw.domain.task_fields import FieldValue, TaskCustomField
from agencyclaw.domain.task_texts import TaskText
from agencyclaw.domain.tasks import ListStatus
from agencyclaw.tools.results import Ask
from agencyclaw.tools.task_changes import clickup_task_update
from agencyclaw.tools.task_fields import FieldChange
from tests.fakes.ports import Agency, a_brand, a_row, a_slot, an_id, context, demo_agency

LATER = date(2026, 12, 14)


async def pushed(agency: Agency, task: str, client: str = "Glintly Inc") -> UpdateTask | Ask:
    deps = agency.run(request=f"push it to {LATER}")
    due = QuotedDay(day=OnDate(kind="date", date=LATER), quote=f"to {LATER}")
    return await clickup_task_update(context(deps), task, client=client, due=due)


async def test_of_two_tasks_of_one_title_each_can_be_chosen() -> None:
    agency = demo_agency()
    rows = [
        a_row("Fix listing", id="86a", due=date(2026, 11, 20)),
        a_row("Fix listing", id="86b", status="review", assignees=("Sara Okafor",)),
        a_row("Restock", id="86c"),
    ]
    agency.board.lists = {"g1": rows}

    asked = await pushed(agency, "fix listing")
    assert isinstance(asked, Ask)
    assert len(asked.labels) == 2

    chosen = [await pushed(agency, option) for option in asked.labels]
    assert [one.task_id for one in chosen if isinstance(one, UpdateTask)] == ["86a", "86b"]


async def test_of_tasks_that_look_the_same_the_link_is_asked_for() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Fix listing", id="86a"), a_row("Fix listing", id="86b")]}

    asked = await pushed(agency, "fix listing")

    assert isinstance(asked, Ask)
    assert "Which link" in asked.question
    assert asked.labels == ()


async def test_by_its_link_a_task_is_found_without_asking_every_space() -> None:
    agency = demo_agency()
    others = [a_brand("Glintly Inc", f"Line {n}", space_id=f"s{n}") for n in range(40)]
    agency.directory.all_brands += others
    agency.board.lists = {"h-inbox": [a_row("Fix listing", id="86h")]}

    found = await pushed(agency, "https://app.clickup.com/t/9015/86h")

    assert isinstance(found, UpdateTask)
    assert found.client.name == "Hearthlane"
    assert agency.board.reads == ["h"]


async def test_a_linked_task_is_nobody_elses_because_clickup_does_not_say_whose_it_is() -> None:
    agency = demo_agency()
    agency.board.lists = {"h-inbox": [a_row("Fix listing", id="86h")]}
    agency.board.faults = {"h": Unavailable("502")}

    with pytest.raises(Unavailable):
        await pushed(agency, "https://app.clickup.com/t/9015/86h")


async def test_a_task_that_was_not_found_may_be_on_a_list_that_could_not_be_read() -> None:
    agency = demo_agency()
    agency.board.faults = {"p2": Unavailable("502")}

    with pytest.raises(Refused) as unread:
        await pushed(agency, "Restock", client="Pawtrail")
    with pytest.raises(NotFound) as absent:
        await pushed(agency, "Restock")

    assert not isinstance(unread.value, NotFound)
    assert "The list of Pawtrail Pro can't be read just now" in unread.value.message
    assert "just now" not in absent.value.message


async def test_a_task_of_another_clients_list_is_not_changed_by_its_title() -> None:
    agency = demo_agency()
    shown = a_row("Fix listing", id="86h")
    agency.board.lists = {"h-inbox": [shown], "g1": [shown]}

    with pytest.raises(NotAllowed) as refused:
        await pushed(agency, "Fix listing")

    assert refused.value.message.startswith(
        "That task is shown in the list of Glintly Inc, but its own"
    )


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/t/86h",
        "https://app.clickup.com.evil.example/t/86h",
        "https://app.clickup.com@evil.example/t/86h",
        "https://evil.example/?to=https://app.clickup.com/t/86h",
    ],
)
async def test_a_task_is_not_taken_from_somebody_elses_address(link: str) -> None:
    agency = demo_agency()
    agency.board.lists = {"h-inbox": [a_row("Fix listing", id="86h")]}

    with pytest.raises(Refused) as refused:
        await pushed(agency, link)

    assert refused.value.reason == "no_task_address"


async def test_on_a_card_that_cannot_be_edited_no_team_decides_between_namesakes() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Fix listing", id="86a")]}
    deps = replace(agency.run(), calling="clickup_task_update")

    async def given(name: str) -> UpdateTask | Ask:
        return await clickup_task_update(
            context(deps), "Fix listing", client="Glintly Inc", assignee=name
        )

    doubtful, short = await given("Sara"), await given("Sara O.")

    assert isinstance(doubtful, Ask)
    assert set(doubtful.labels) == {"Sara Lindqvist", "Sara Okafor"}
    assert isinstance(short, UpdateTask)
    assert [one.name for one in short.after.assignees] == ["Sara Okafor"]


async def test_a_role_that_was_named_stands_on_the_card_with_its_holder() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Fix listing", id="86a")]}
    slots = [a_slot("Sara Okafor", "PPC Strategist")]
    agency.directory.slots[an_id("client Glintly Inc")] = slots
    deps = replace(agency.run(), calling="clickup_task_update")

    made = await clickup_task_update(
        context(deps), "Fix listing", client="Glintly Inc", assignee="the ppc strategist"
    )

    assert isinstance(made, UpdateTask)
    assert made.changes() == (
        ("Assignees", "nobody → Sara Okafor (PPC Strategist of Glintly Inc)"),
    )


async def test_a_due_day_is_counted_from_the_one_the_task_has() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Fix listing", id="86a", due=date(2026, 12, 11))]}
    deps = agency.run(request="make fix listing due a week earlier")
    earlier = FromDay(kind="from", date=date(2026, 12, 11), count=-1, unit="weeks")
    due = QuotedDay(day=earlier, quote="due a week earlier")

    made = await clickup_task_update(context(deps), "fix listing", client="Glintly Inc", due=due)

    assert isinstance(made, UpdateTask)
    assert made.after.due == date(2026, 12, 4)
    assert [one.reading for one in made.field_sources] == ["1 week before Fri 11 Dec 2026"]


async def test_how_long_work_takes_counts_from_its_start_in_the_change_on_the_card_or_now() -> None:
    agency = demo_agency()
    said = "start on the 30th, and it takes two weeks"
    start = QuotedDay(day=OnMonthDay(kind="month_day", day=30), quote="start on the 30th")
    due = QuotedDay(day=Lasting(kind="lasting", count=2, unit="weeks"), quote="it takes two weeks")

    both = await changed(agency, said, start=start, due=due)
    begun = await changed(agency, said, start=start)
    assert isinstance(begun, UpdateTask)
    waiting = [await agency.proposals.draft(begun)]
    later = await changed(agency, said, waiting, due=due)

    for change in (both, later):
        assert isinstance(change, UpdateTask)
        assert (change.after.start, change.after.due) == (date(2026, 11, 30), date(2026, 12, 13))
    with pytest.raises(Refused, match="not known"):
        await changed(agency, said, due=due)


async def test_how_long_work_takes_does_not_count_from_the_old_start_if_a_new_one_is_unclear() -> (
    None
):
    agency = demo_agency()
    said = "start on the 30th"
    start = QuotedDay(day=OnMonthDay(kind="month_day", day=30), quote=said)
    begun = await changed(agency, said, start=start)
    assert isinstance(begun, UpdateTask)
    waiting = [await agency.proposals.draft(begun)]
    said = "no, start when Sara is back, and it takes two weeks"
    start = QuotedDay(day=OnMonthDay(kind="month_day", day=7), quote="start when Sara is back")
    due = QuotedDay(day=Lasting(kind="lasting", count=2, unit="weeks"), quote="it takes two weeks")

    later = await changed(agency, said, waiting, start=start, due=due)

    assert isinstance(later, UpdateTask)
    assert later.after.due is None


STATUSES = (
    ListStatus(name="to do"),
    ListStatus(name="in progress"),
    ListStatus(name="complete", is_last=True),
)


async def changed(
    agency: Agency, request: str = "", waiting: Sequence[Proposal] = (), **arguments: Any
) -> UpdateTask | Ask:
    agency.board.lists = {"g1": [a_row("Fix listing", id="86a", status="to do")]}
    deps = agency.run(request=request)
    deps = replace(deps, calling="clickup_task_update", revised=tuple(waiting))
    return await clickup_task_update(
        context(deps), "fix listing", client="Glintly Inc", **arguments
    )


@pytest.mark.parametrize(("asked", "meant"), [("In Progress", "in progress"), ("done", "complete")])
async def test_a_status_is_one_of_the_lists_own(asked: str, meant: str) -> None:
    agency = demo_agency()
    agency.board.statuses = STATUSES
    change = await changed(agency, status=asked)

    assert isinstance(change, UpdateTask)
    assert change.after.status == meant


async def test_a_status_that_the_list_has_not_is_asked_about() -> None:
    agency = demo_agency()
    agency.board.statuses = STATUSES
    asked = await changed(agency, status="waiting")

    assert isinstance(asked, Ask)
    assert asked.labels == ("to do", "in progress", "complete")


async def test_done_is_asked_about_where_several_statuses_are_last() -> None:
    agency = demo_agency()
    agency.board.statuses = (*STATUSES, ListStatus(name="cancelled", is_last=True))
    asked = await changed(agency, status="done")

    assert isinstance(asked, Ask)
    assert asked.labels == ("complete", "cancelled")


async def test_a_text_is_added_below_a_description_and_shown_alone() -> None:
    agency = demo_agency()
    agency.board.texts = {"86a": TaskText(description="Old text.\n")}
    change = await changed(agency, "add: ask Amazon", add_text="Ask Amazon.")

    assert isinstance(change, UpdateTask)
    assert change.after.description == "Old text.\n\nAsk Amazon."
    assert change.preview().body == "Ask Amazon."
    assert ("Description", "this is added below it") in change.preview().fields
    assert change.prose() == {"New text": "Ask Amazon."}


@pytest.mark.parametrize(
    ("present", "whole", "shown"),
    [
        ("", "Ask Amazon.", "this is added; there is none yet"),
        ("Old.  ", "Old.  \n\nAsk Amazon.", "this is added below it"),
        ("Old.\n\n\n", "Old.\n\n\nAsk Amazon.", "this is added below it"),
        ("\n  Old.", "\n  Old.\n\nAsk Amazon.", "this is added below it"),
    ],
)
async def test_an_added_text_is_called_added_whatever_the_description_is(
    present: str, whole: str, shown: str
) -> None:
    agency = demo_agency()
    agency.board.texts = {"86a": TaskText(description=present)}
    change = await changed(agency, "add: ask Amazon", add_text="Ask Amazon.")

    assert isinstance(change, UpdateTask)
    assert change.after.description == whole
    assert ("Description", shown) in change.preview().fields
    assert change.preview().body == "Ask Amazon."


async def test_a_text_can_be_added_to_a_new_description() -> None:
    agency = demo_agency()
    agency.board.texts = {"86a": TaskText(description="Old.")}
    change = await changed(agency, new_description="New.", add_text="And more.")

    assert isinstance(change, UpdateTask)
    assert change.after.description == "New.\n\nAnd more."


async def test_a_second_change_of_a_task_has_what_its_waiting_card_would_change() -> None:
    agency = demo_agency()
    agency.board.texts = {"86a": TaskText(description="Old.")}
    agency.board.statuses = STATUSES
    first = await changed(agency, "urgent, add: ask Amazon", priority="urgent", add_text="Ask.")
    assert isinstance(first, UpdateTask)
    waiting = await agency.proposals.draft(first)

    second = await changed(agency, waiting=[waiting], status="done", add_text="Twice.")
    other = await changed(agency, waiting=[waiting], priority="low")
    alone = await changed(agency, waiting=[waiting], instead=True, status="done")

    assert isinstance(second, UpdateTask)
    assert (second.after.priority, second.after.status) == ("urgent", "complete")
    assert second.after.description == "Old.\n\nAsk.\n\nTwice."
    assert isinstance(other, UpdateTask)
    assert other.after.priority == "low"
    assert isinstance(alone, UpdateTask)
    assert alone.fields == ("status",)


async def test_how_a_days_words_were_read_goes_with_the_day() -> None:
    agency = demo_agency()
    today = QuotedDay(day=OnWeekday(kind="weekday", weekday="wednesday"), quote="Wednesday")
    first = await changed(agency, "due Wednesday", due=today)
    assert isinstance(first, UpdateTask)
    assert first.remarks
    waiting = [await agency.proposals.draft(first)]
    later = QuotedDay(day=OnDate(kind="date", date=LATER), quote=str(LATER))

    moved = await changed(agency, f"no, {LATER}", waiting, due=later)
    again = await changed(agency, "Wednesday, and urgent", waiting, due=today, priority="urgent")
    kept = await changed(agency, "and urgent", waiting, priority="urgent")

    assert isinstance(moved, UpdateTask)
    assert moved.remarks == ()
    assert isinstance(again, UpdateTask)
    assert isinstance(kept, UpdateTask)
    assert again.remarks == kept.remarks == first.remarks


async def test_a_kept_day_of_a_custom_field_keeps_its_source_however_the_field_was_called() -> None:
    agency = demo_agency()
    agency.board.statuses = STATUSES
    launch = FieldValue(id="f1", name="Launch Date", kind="date")
    agency.board.fields = {"86a": (TaskCustomField(value=launch),)}
    later = QuotedDay(day=OnDate(kind="date", date=LATER), quote=str(LATER), source="pasted")
    value = FieldChange(field="launch date", value=later)
    first = await changed(agency, f"The mail says: launch date {LATER}", fields=[value])
    assert isinstance(first, UpdateTask)

    waiting = [await agency.proposals.draft(first)]
    second = await changed(agency, "and done", waiting, status="complete")
    emptied = await changed(
        agency, "no date, done", waiting, fields=[FieldChange(field="launch date")], status="done"
    )

    assert isinstance(second, UpdateTask)
    assert second.field_sources == first.field_sources
    assert second.field_sources[0].needs_press
    assert isinstance(emptied, UpdateTask)
    assert emptied.field_sources == ()


async def test_a_replaced_description_is_shown_as_a_difference() -> None:
    agency = demo_agency()
    agency.board.texts = {"86a": TaskText(description="Keep.\nDrop.")}
    change = await changed(agency, new_description="Keep.\nNew.")

    assert isinstance(change, UpdateTask)
    assert change.preview().body == "- before: Drop.\n- now: New."


async def test_a_change_of_something_else_carries_no_description() -> None:
    agency = demo_agency()
    agency.board.texts = {"86a": TaskText(description="A long text.")}
    change = await changed(agency, priority="urgent")

    assert isinstance(change, UpdateTask)
    assert (change.before.description, change.after.description) == ("", "")
    assert change.changes() == (("Priority", "none → urgent"),)


async def test_a_text_is_added_to_what_the_description_is_by_then() -> None:
    agency = demo_agency()
    agency.board.texts = {"86a": TaskText(description="Old.")}
    change = await changed(agency, add_text="New.")
    assert isinstance(change, UpdateTask)
    now = change.before.model_copy(update={"description": "Older."})

    renewed = change.onto(now)

    assert renewed
    assert renewed.after.description == "Older.\n\nNew."


async def test_a_description_too_long_for_a_card_is_refused() -> None:
    agency = demo_agency()
    agency.board.texts = {"86a": TaskText(description="x" * DESCRIPTION_LIMIT)}

    with pytest.raises(Refused) as refused:
        await changed(agency, add_text="New.")
    assert refused.value.reason == "too_long"


async def test_with_a_card_whose_text_has_no_room_any_more_no_further_one_is_prepared() -> None:
    agency = demo_agency()
    agency.board.texts = {"86a": TaskText(description="Old.")}
    first = await changed(agency, add_text="x" * 100)
    assert isinstance(first, UpdateTask)
    waiting = await agency.proposals.draft(first)
    agency.board.texts = {"86a": TaskText(description="y" * (DESCRIPTION_LIMIT - 50))}

    with pytest.raises(Refused) as refused:
        await changed(agency, waiting=[waiting], add_text="More.")
    assert refused.value.reason == "too_long"


@pytest.mark.parametrize("task", ["Fix listing", "https://app.clickup.com/t/86a"])
@pytest.mark.parametrize("tier", [Tier.ADMIN, Tier.MEMBER])
async def test_a_task_in_a_list_of_two_clients_is_not_changed_by_who_sees_one_of_them_either(
    task: str, tier: Tier
) -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Fix listing", id="86a", list_id="g1")]}
    agency.directory.visible = {"Glintly Inc"}
    agency.directory.all_brands.append(a_brand("Casa Mundo", "Glintly Home", list_id="g1"))
    deps = agency.run(tier=tier, request=f"push it to {LATER}")
    due = QuotedDay(day=OnDate(kind="date", date=LATER), quote=f"to {LATER}")
    here = replace(
        deps,
        surface=deps.surface.model_copy(
            update={"scope": ScopeKind.CLIENT_SCOPED, "client_id": an_id("client Glintly Inc")}
        ),
    )

    for run in (deps, here):
        with pytest.raises(Refused):
            await clickup_task_update(context(run), task, client="Glintly Inc", due=due)
