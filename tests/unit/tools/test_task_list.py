"""The task list: every list once, honest about what it leaves out."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from agencyclaw.domain.bulk_changes import UpdateTasks
from agencyclaw.domain.errors import NotFound, NotMapped, Refused, Unavailable
from agencyclaw.domain.people import ScopeKind, Tier
from agencyclaw.domain.text import canonical_json, one_line
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools.arguments import Day, Days, Identifiers, Top
from agencyclaw.tools.brands import BrandList, lookup_brand
from agencyclaw.tools.bulk_changes import change_tasks
from agencyclaw.tools.finished_tasks import finished_tasks
from agencyclaw.tools.results import NAMED_AT_MOST, Ask
from agencyclaw.tools.tasks import TaskList, list_tasks
from tests.fakes.ports import SHARED_LIST, Agency, a_brand, a_person, a_row, context, demo_agency

FRIDAY = date(2026, 11, 20)


async def listed(agency: Agency, client: str, **arguments: Any) -> TaskList:
    answer = await list_tasks(context(agency.run()), client, **arguments)
    assert isinstance(answer, TaskList)
    return answer


async def test_tasks_of_all_brands_with_link_status_and_assignees() -> None:
    agency = demo_agency()
    agency.board.lists = {
        "p1": [a_row("Collar listing", due=FRIDAY, assignees=("Miguel Duarte",))],
        "p2": [a_row("Leash coupon", due=date(2026, 11, 17), status="review")],
    }
    answer = await listed(agency, "Pawtrail")

    assert answer.client == "Pawtrail"
    assert answer.range == "this week, Mon 16 Nov – Sun 22 Nov 2026"
    assert [(task.title, task.status, task.brand) for task in answer.tasks] == [
        ("Leash coupon", "review", "Pawtrail Pro"),
        ("Collar listing", "open", "Pawtrail"),
    ]
    assert answer.tasks[1].assignees == ("Miguel Duarte",)
    assert answer.tasks[1].url == "https://app.clickup.com/t/86collarlisting"


async def test_an_empty_range_names_the_brands_that_were_checked() -> None:
    answer = await listed(demo_agency(), "Pawtrail")

    assert (answer.total, answer.tasks) == (0, ())
    assert "Brands checked: Pawtrail, Pawtrail Pro, Pawtrail Lite." in answer.note


async def test_overdue_is_due_before_today_whatever_else_was_asked() -> None:
    agency = demo_agency()
    answer = await listed(agency, "Pawtrail", window="overdue", date_kind="updated", first=FRIDAY)
    today = agency.run().today

    assert answer.range == f"overdue, due before {today:%a %d %b %Y}"
    assert answer.date_kind == "due"
    assert answer.note.startswith("No open task is in what was asked for (overdue, due before ")


async def pages(agency: Agency, **arguments: Any) -> list[TaskList]:
    """All pages of a list, as its notes say how to go on."""
    found = [await listed(agency, "Glintly Inc", **arguments)]
    while f"page {len(found) + 1} has the next" in found[-1].note:
        found.append(await listed(agency, "Glintly Inc", page=len(found) + 1, **arguments))
    return found


async def test_a_long_list_comes_in_pages_of_which_none_is_long_and_nothing_is_lost() -> None:
    agency = demo_agency()
    rows = [
        a_row(f"Task {n} {'with a long title ' * (n % 9)}", due=FRIDAY, assignees=("Sara Okafor",))
        for n in range(450)
    ]
    agency.board.lists = {"g1": rows}
    found = await pages(agency)
    titles = [task.title for page in found for task in page.tasks]

    assert sorted(titles) == sorted(one_line(row.name, 160) for row in rows)
    assert all(count_tokens(canonical_json(page)) < 2_500 for page in found)
    assert {page.total for page in found} == {450}
    assert found[0].note.startswith(f"Tasks 1 to {found[0].shown} of 450; page 2 has the next.")
    assert "of 450, the last ones." in found[-1].note
    beyond = await listed(agency, "Glintly Inc", page=len(found) + 1)
    assert beyond.tasks == ()
    assert f"There is no page {len(found) + 1}" in beyond.note


async def test_a_list_that_was_limited_goes_on_within_its_limit() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row(f"Task {n}", due=FRIDAY) for n in range(450)]}

    assert sum(page.shown for page in await pages(agency, top=120)) == 120
    assert len(await pages(agency, top=3)) == 1


async def test_a_task_in_two_lists_is_one_and_a_shared_list_is_read_once() -> None:
    agency = demo_agency()
    shared = a_row("Both", due=FRIDAY)
    agency.board.lists = {"p1": [shared], "p2": [shared], SHARED_LIST: [a_row("X", due=FRIDAY)]}

    answer = await listed(agency, "Pawtrail")
    assert [(task.title, task.brand) for task in answer.tasks] == [("Both", None)]

    agency.board.reads.clear()
    assert (await listed(agency, "Brightkettle")).total == 1
    assert agency.board.reads == [SHARED_LIST]


async def test_of_a_list_that_brands_share_no_task_is_said_to_be_one_brands() -> None:
    agency = demo_agency()
    agency.board.lists = {SHARED_LIST: [a_row("X", due=FRIDAY)]}

    answer = await listed(agency, "Brightkettle", brand="Copperleaf")

    assert [(task.title, task.brand) for task in answer.tasks] == [("X", None)]
    assert "Copperleaf and " in answer.note
    assert " share a list: these are the tasks of all of them" in answer.note


async def test_a_client_without_a_linked_brand_is_explained() -> None:
    with pytest.raises(NotMapped) as refused:
        await listed(demo_agency(), "Northwater")
    assert "Northwater isn't linked to a ClickUp list" in refused.value.message


async def test_a_week_is_monday_to_sunday() -> None:
    agency = demo_agency()
    days = [date(2026, 11, day) for day in (15, 16, 22, 23)]
    agency.board.lists = {"g1": [a_row(f"Due {day}", due=day) for day in days]}
    answer = await listed(agency, "Glintly Inc")

    assert [task.due for task in answer.tasks] == days[1:3]


@pytest.mark.parametrize(
    ("timezone", "first"), [("America/New_York", 16), ("UTC", 23), ("Asia/Tokyo", 23)]
)
async def test_which_week_it_is_says_the_calendar_of_whoever_asks(
    timezone: str, first: int
) -> None:
    agency = demo_agency()
    sunday_night_in_new_york = datetime(2026, 11, 23, 3, tzinfo=UTC)
    deps = agency.run(timezone=timezone, now=sunday_night_in_new_york)
    answer = await list_tasks(context(deps), "Glintly Inc")

    assert isinstance(answer, TaskList)
    assert f"Mon {first} Nov" in answer.range


async def test_the_top_five_are_five() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row(f"Task {n}", due=FRIDAY) for n in range(8)]}
    answer = await listed(agency, "Glintly Inc", top=5)

    assert (answer.shown, answer.total) == (5, 8)
    assert "5 of 8 tasks are shown." in answer.note


@pytest.mark.parametrize("value", [14, "14", 1, 365])
def test_days_are_numbers_or_numerals(value: Any) -> None:
    assert TypeAdapter(Days).validate_python(value) == int(value)


@pytest.mark.parametrize("value", [True, False, "abc", 0, 366, -1, 1e300, None])
def test_nothing_else_is(value: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Days).validate_python(value)


@pytest.mark.parametrize("value", ["2026-02-30", "9999-01-01", "1999-12-31", 0, 1e12, True, "soon"])
def test_a_day_is_a_day_of_the_calendar(value: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Day).validate_python(value)


def test_arguments_are_bounded() -> None:
    assert TypeAdapter(Top).validate_python(201) == 200
    with pytest.raises(ValidationError):
        TypeAdapter(Top).validate_python(0)
    with pytest.raises(ValidationError):
        TypeAdapter(Identifiers).validate_python(["x" * 201])
    with pytest.raises(ValidationError):
        TypeAdapter(Identifiers).validate_python(["x"] * 51)


async def test_the_tasks_of_one_person_are_chosen_from_what_there_is() -> None:
    agency = demo_agency()
    agency.board.lists = {
        "g1": [
            a_row("One", due=FRIDAY, assignees=("Sara Okafor",)),
            a_row("Two", due=FRIDAY, assignees=("Sara Lindqvist", "Miguel Duarte")),
            a_row("Three", due=FRIDAY, assignees=("Miguel Duarte",)),
            a_row("Four", due=FRIDAY),
            a_row("Five", due=FRIDAY, assignees=("Ines Varga",)),
        ]
    }

    async def titles(who: str) -> list[str]:
        return [task.title for task in (await listed(agency, "Glintly Inc", assignee=who)).tasks]

    assert await titles("Miguel") == ["Three", "Two"]
    assert await titles("me") == ["Five"]
    assert await titles("nobody") == ["Four"]
    assert await titles("Hana") == []
    assert await titles("guel") == []
    both = await listed(agency, "Glintly Inc", assignee="Sara")
    assert [task.title for task in both.tasks] == ["One", "Two"]
    assert "“Sara” fits Sara Okafor, Sara Lindqvist: the tasks of all are counted." in both.note


async def test_who_has_none_is_named_as_people_write_it() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("One", due=FRIDAY, assignees=("Sara Okafor",))]}

    assert (
        "Nothing in this range is assigned to Ines Varga."
        in (await listed(agency, "Glintly Inc", assignee="me")).note
    )
    assert (
        "Nothing in this range is assigned to Hana."
        in (await listed(agency, "Glintly Inc", assignee="Hana")).note
    )


async def test_a_list_that_fails_is_skipped_and_named() -> None:
    agency = demo_agency()
    agency.board.lists = {"p1": [a_row("Fine", due=FRIDAY)]}
    agency.board.faults = {"p2": Unavailable("502")}
    answer = await listed(agency, "Pawtrail")

    assert [task.title for task in answer.tasks] == ["Fine"]
    assert answer.skipped == ("Pawtrail Pro",)
    assert "Not read: Pawtrail Pro." in answer.note


async def test_all_lists_failing_is_a_failure() -> None:
    agency = demo_agency()
    agency.board.faults = {name: Unavailable("502") for name in ("p1", "p2", "p3")}

    with pytest.raises(Unavailable):
        await listed(agency, "Pawtrail")


async def test_a_space_without_a_clear_list_is_skipped_and_named() -> None:
    agency = demo_agency()
    agency.board.inboxes.clear()
    answer = await listed(agency, "Hearthlane")

    assert answer.skipped == ("Hearthlane",)


async def test_one_brand_can_be_asked_for() -> None:
    agency = demo_agency()
    agency.board.lists = {"p1": [a_row("A", due=FRIDAY)], "p2": [a_row("B", due=FRIDAY)]}
    answer = await listed(agency, "Pawtrail", brand="pawtrail pro")

    assert (answer.brands, answer.total) == (("Pawtrail Pro",), 1)


async def test_a_client_named_by_its_brand_means_that_brand() -> None:
    assert (await listed(demo_agency(), "Copperleaf")).brands == ("Copperleaf",)


async def test_a_brand_that_fits_several_is_a_question() -> None:
    answer = await list_tasks(context(demo_agency().run()), "Brightkettle", brand="Zephyr")

    assert isinstance(answer, Ask)
    assert answer.labels == ("Copperleaf", "Nordvent", "Tessera")


async def test_the_day_a_task_was_finished_is_the_persons_day() -> None:
    """Sunday evening in Los Angeles is Monday in UTC."""
    agency = demo_agency()
    sunday, monday = (datetime(2026, 11, day, 1, tzinfo=UTC) for day in (16, 17))
    done = [a_row("Sunday", done=sunday), a_row("Monday", done=monday)]
    agency.board.lists = {"g1": done}
    deps = agency.run(timezone="America/Los_Angeles", now=datetime(2026, 11, 20, 12, tzinfo=UTC))

    last_week = await finished_tasks(context(deps), "Glintly Inc", window="last_week")
    this_week = await finished_tasks(context(deps), "Glintly Inc", window="this_week")

    assert isinstance(last_week, TaskList)
    assert isinstance(this_week, TaskList)
    assert [(one.title, one.done) for one in last_week.tasks] == [("Sunday", date(2026, 11, 15))]
    assert [(one.title, one.done) for one in this_week.tasks] == [("Monday", date(2026, 11, 16))]


async def test_due_and_updated_are_different_questions() -> None:
    agency = demo_agency()
    agency.board.lists = {
        "g1": [
            a_row("Due", due=FRIDAY),
            a_row("Changed", updated=datetime(2026, 11, 17, 9, tzinfo=UTC)),
        ]
    }
    due = await listed(agency, "Glintly Inc")
    changed = await listed(agency, "Glintly Inc", date_kind="updated")

    assert [task.title for task in due.tasks] == ["Due"]
    assert [task.title for task in changed.tasks] == ["Changed"]
    assert "tasks without one are not in it" in due.note
    assert "not by due date" in changed.note


async def test_of_tasks_due_on_one_day_the_most_urgent_comes_first() -> None:
    agency = demo_agency()
    ranks = {"Any": None, "Low": "low", "Urgent": "urgent", "High": "high"}
    agency.board.lists = {
        "g1": [a_row(name, due=FRIDAY, priority=rank) for name, rank in ranks.items()]
    }
    due = await listed(agency, "Glintly Inc")

    assert [task.title for task in due.tasks] == ["Urgent", "High", "Low", "Any"]
    assert due.tasks[0].priority == "urgent"


async def test_what_changed_says_when() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Changed", updated=datetime(2026, 11, 17, 9, tzinfo=UTC))]}
    changed = await listed(agency, "Glintly Inc", date_kind="updated")
    everything = await listed(agency, "Glintly Inc", window="any_time")

    assert [task.updated for task in changed.tasks] == [date(2026, 11, 17)]
    assert [task.updated for task in everything.tasks] == [None]


async def test_windows_by_dates_and_without_any() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Early", due=date(2026, 1, 5)), a_row("Undated")]}
    dates = await listed(
        agency, "Glintly Inc", window="dates", first=date(2026, 1, 1), last=date(2026, 1, 31)
    )
    everything = await listed(agency, "Glintly Inc", window="any_time")

    assert [task.title for task in dates.tasks] == ["Early"]
    assert [task.title for task in everything.tasks] == ["Early", "Undated"]
    assert everything.range == "any time"


@pytest.mark.parametrize(
    ("window", "label"),
    [
        ("last_n_days", "the last 3 days, Mon 16 Nov – Wed 18 Nov 2026"),
        ("next_n_days", "the next 3 days, Wed 18 Nov – Fri 20 Nov 2026"),
        ("this_month", "this month, Sun 01 Nov – Mon 30 Nov 2026"),
    ],
)
async def test_windows_have_words(window: str, label: str) -> None:
    assert (await listed(demo_agency(), "Glintly Inc", window=window, days=3)).range == label


async def test_dates_the_wrong_way_round_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        await listed(demo_agency(), "Glintly Inc", first=date(2026, 2, 1), last=date(2026, 1, 1))
    assert refused.value.reason == "bad_window"


async def everywhere(agency: Agency, who: str = "Ines Varga", **arguments: Any) -> TaskList:
    answer = await list_tasks(context(agency.run(who=who)), **arguments)
    assert isinstance(answer, TaskList)
    return answer


def of_two_clients() -> Agency:
    agency = demo_agency()
    ines, miguel = {"assignee_ids": (100001,)}, {"assignee_ids": (100005,)}
    agency.board.lists = {
        "g1": [
            a_row("Bids", due=FRIDAY, assignees=("I. Varga",), **ines),
            a_row("Wipes", due=date(2026, 11, 13), assignees=("I. Varga",), **ines),
        ],
        "p2": [
            a_row("Leash", due=FRIDAY, assignees=("Miguel Duarte",), **miguel),
            a_row("Collar", due=FRIDAY),
        ],
    }
    return agency


async def test_without_a_client_the_tasks_of_all_are_read_with_one_look() -> None:
    agency = of_two_clients()
    mine = await everywhere(agency, assignee="me")

    assert [(task.title, task.client, task.brand) for task in mine.tasks] == [
        ("Bids", "Glintly Inc", "Glintly")
    ]
    assert mine.client == ""
    assert agency.board.reads == ["h", f"{SHARED_LIST}+g1+cm1+h-inbox+hk1+p1+p2+p3+r1"]
    assert "Not linked to a ClickUp list, so not in it: Northwater." in mine.note


async def test_whose_tasks_without_a_client_are_a_persons_a_roles_or_nobodys() -> None:
    agency = of_two_clients()

    async def titles(who: str | None) -> list[str]:
        return sorted(task.title for task in (await everywhere(agency, assignee=who)).tasks)

    assert await titles(None) == ["Bids", "Collar", "Leash"]
    assert await titles("Miguel") == ["Leash"]
    assert await titles("ppc specialist") == ["Leash"]
    assert await titles("nobody") == ["Collar"]


async def test_of_two_who_share_a_first_name_the_account_tells_whose_a_task_is() -> None:
    agency = of_two_clients()
    agency.board.lists["p2"].append(
        a_row("Harness", due=FRIDAY, assignees=("Miguel Santos",), assignee_ids=(999,))
    )

    answer = await listed(agency, "Pawtrail", assignee="Miguel")

    assert [task.title for task in answer.tasks] == ["Leash"]


async def test_who_has_left_or_never_had_a_profile_is_not_taken_for_a_namesake() -> None:
    agency = of_two_clients()
    agency.directory.former.append(a_person("Miguel Reyes", "888"))
    agency.board.lists["p2"] += [
        a_row("Harness", due=FRIDAY, assignees=("Miguel Santos",), assignee_ids=(999,)),
        a_row("Bowl", due=FRIDAY, assignees=("Miguel Reyes",), assignee_ids=(888,)),
    ]

    left = await listed(agency, "Pawtrail", assignee="Miguel Reyes")
    unknown = await everywhere(agency, assignee="Miguel Santos")

    assert [task.title for task in left.tasks] == ["Bowl"]
    assert "Harness" in [task.title for task in unknown.tasks]
    assert "“Miguel Santos” fits" in unknown.note


@pytest.mark.parametrize("called", ["Yuki Tan", "Yuki", "yuki.tan@lanternfish.example"])
async def test_who_is_not_linked_to_clickup_has_the_same_tasks_for_a_change_of_many(
    called: str,
) -> None:
    agency = of_two_clients()
    theirs = {"assignees": (called,), "assignee_ids": (77,), "list_id": "g1"}
    agency.board.lists["g1"] = [a_row("Bids", due=FRIDAY, **theirs)]
    deps = agency.run(request="make Yuki's tasks urgent")

    found = await listed(agency, "Glintly Inc", assignee="Yuki")
    change = await change_tasks(context(deps), "Glintly Inc", assignee="Yuki", priority="urgent")

    assert [task.title for task in found.tasks] == ["Bids"]
    assert isinstance(change, UpdateTasks)
    assert [task.before.title for task in change.tasks] == ["Bids"]


@pytest.mark.parametrize("display_name", ["Yuki", "Yuki Mori"])
async def test_a_change_of_many_takes_nobodys_tasks_by_a_name_that_two_are_called_by(
    display_name: str,
) -> None:
    agency = of_two_clients()
    mori = a_person("Yuki Mori", "77").model_copy(update={"display_name": display_name})
    agency.directory.staff.append(mori)
    agency.board.lists["g1"] = [a_row("Bids", due=FRIDAY, assignees=("Yuki",), assignee_ids=(77,))]
    deps = agency.run(request="make Yuki Tan's tasks urgent")

    with pytest.raises(NotFound):
        await change_tasks(context(deps), "Glintly Inc", assignee="Yuki Tan", priority="urgent")


async def test_a_role_means_who_holds_it_and_an_open_one_is_said() -> None:
    agency = of_two_clients()
    held = await everywhere(agency, assignee="PPC Specialist")
    open_role = await listed(agency, "Pawtrail", assignee="PPC Specialist")

    assert "Only tasks of Miguel Duarte, PPC Specialist." in held.note
    assert open_role.tasks == ()
    assert "Nobody is PPC Specialist there: the role is open." in open_role.note


async def test_what_is_overdue_is_said_beside_what_is_due() -> None:
    agency = of_two_clients()
    week = await everywhere(agency, assignee="me")
    of_one = await listed(agency, "Glintly Inc")
    changed = await listed(agency, "Glintly Inc", date_kind="updated")

    for answer in (week, of_one):
        assert [task.title for task in answer.due_before] == ["Wipes"]
        assert [task.title for task in answer.tasks] == ["Bids"]
        assert "Due before that time, not among these: 1, 1 of them overdue" in answer.note
    assert changed.due_before == ()


async def test_tasks_of_several_people_are_counted_by_whose_they_are_on_every_page() -> None:
    agency = demo_agency()
    both = ("Sara Okafor", "Miguel Duarte")
    agency.board.lists = {
        "g1": [a_row(f"Both {n}", due=FRIDAY, assignees=both) for n in range(300)],
        "p1": [a_row("Open", due=FRIDAY), a_row("Hers", due=FRIDAY, assignees=both[:1])],
    }
    everywhere = await list_tasks(context(agency.run()), page=2)
    hers = await listed(agency, "Pawtrail")

    assert isinstance(everywhere, TaskList)
    assert everywhere.total > everywhere.shown
    assert everywhere.by_assignee == {"Sara Okafor": 301, "Miguel Duarte": 300, "nobody": 1}
    assert hers.by_assignee == {}


async def test_of_the_first_few_there_is_no_further_page() -> None:
    found = await listed(of_two_clients(), "Glintly Inc", window="any_time", top=1, page=2)

    assert "all there is, 1 task, is before it" in found.note


async def test_whoever_is_not_among_the_first_is_counted_with_the_others() -> None:
    agency = demo_agency()
    owners = [(f"Person {n}",) for n in range(30)]
    agency.board.lists = {
        "g1": [a_row(f"Task {n}", due=FRIDAY, assignees=of) for n, of in enumerate(owners)]
    }
    counted = (await listed(agency, "Glintly Inc")).by_assignee

    assert sum(counted.values()) == 30
    assert counted["all others"] == 30 - NAMED_AT_MOST


async def test_what_is_due_before_next_week_is_overdue_only_if_that_day_is_past() -> None:
    agency = of_two_clients()
    next_week = await listed(agency, "Glintly Inc", window="next_week")
    agency.board.lists["g1"] = [a_row("Bids", due=FRIDAY)]
    none_late = await listed(agency, "Glintly Inc", window="next_week")

    assert [task.title for task in next_week.due_before] == ["Wipes", "Bids"]
    assert "Due before that time, not among these: 2, 1 of them overdue" in next_week.note
    assert "not among these: 1, none of them overdue." in none_late.note
    assert (await listed(agency, "Glintly Inc", window="overdue")).total == 0


async def test_an_empty_week_ahead_says_how_many_are_due_in_the_days_after_it() -> None:
    agency = demo_agency()
    after, later = date(2026, 11, 30), date(2026, 12, 7)
    agency.board.lists = {"g1": [a_row("After", due=after), a_row("Much later", due=later)]}
    for empty in (
        await listed(agency, "Glintly Inc", window="next_week"),
        await everywhere(agency, window="next_week"),
    ):
        assert empty.total == 0
        assert "In the same number of days right after it: 1 task." in empty.note
        assert "not among these" not in empty.note

    agency.board.lists["g1"] = [a_row("After", due=after), a_row("Bids", due=date(2026, 11, 24))]
    some = await listed(agency, "Glintly Inc", window="next_week")
    assert [task.title for task in some.tasks] == ["Bids"]
    assert "right after it" not in some.note


async def test_an_empty_past_week_says_how_many_ended_in_the_days_after_it() -> None:
    agency = demo_agency()
    days = {"Monday": 16, "Tuesday": 17}
    done = [a_row(name, done=datetime(2026, 11, day, 9, tzinfo=UTC)) for name, day in days.items()]
    agency.board.lists = {"g1": done, "p1": [a_row("Older", done=datetime(2026, 9, 1, tzinfo=UTC))]}
    run = context(agency.run())
    empty = await finished_tasks(run, "Glintly Inc", window="last_week")
    everywhere = await finished_tasks(run, window="last_week")
    none_at_all = await finished_tasks(run, "Pawtrail", window="last_week")

    for answer in (empty, everywhere):
        assert isinstance(answer, TaskList)
        assert answer.total == 0
        assert "In the same number of days right after it: 2 tasks." in answer.note
    assert isinstance(none_at_all, TaskList)
    assert "right after it" not in none_at_all.note


async def test_more_tasks_than_are_read_at_once_are_not_passed_over() -> None:
    agency = of_two_clients()
    agency.board.is_cut = True

    assert (
        "There are more tasks than the 4 that are read at once" in (await everywhere(agency)).note
    )


async def test_a_member_sees_the_tasks_of_their_clients_alone() -> None:
    agency = of_two_clients()
    agency.directory.visible = {"Glintly Inc"}
    run = agency.run(who="Yuki Tan", tier=Tier.MEMBER)
    answer = await list_tasks(context(run))

    assert isinstance(answer, TaskList)
    assert agency.board.reads == ["g1"]
    assert "clients" in answer.reach


async def test_whose_view_ends_at_their_clients_is_not_shown_anybodys_whole_work() -> None:
    less = "so it does not measure anybody's whole work"
    agency = of_two_clients()
    whole = await everywhere(agency, assignee="Miguel")
    agency.directory.visible = {"Pawtrail"}
    run = agency.run(who="Yuki Tan", tier=Tier.MEMBER)
    part = await list_tasks(context(run), assignee="Miguel", window="any_time")
    everybodys = await list_tasks(context(run), window="any_time")

    assert isinstance(part, TaskList)
    assert isinstance(everybodys, TaskList)
    assert [less in one.note for one in (whole, part, everybodys)] == [False, True, False]


async def test_a_brand_that_takes_no_tasks_is_told_by_the_list_as_by_the_look_up() -> None:
    agency = demo_agency()
    lite = next(brand for brand in agency.directory.all_brands if brand.name == "Pawtrail Lite")
    agency.directory.all_brands.remove(lite)
    agency.directory.all_brands.append(lite.model_copy(update={"is_routable": False}))
    answer = await listed(agency, "Pawtrail")
    found = await lookup_brand(context(agency.run()), "Pawtrail Lite")

    assert "Not linked to a ClickUp list, so not in it: Pawtrail Lite." in answer.note
    assert isinstance(found, BrandList)
    assert [one.takes_tasks for one in found.brands] == [False]


async def test_a_list_is_also_that_of_a_brand_whose_space_puts_its_tasks_there() -> None:
    agency = demo_agency()
    agency.board.lists = {"h-inbox": [a_row("X", due=FRIDAY)]}
    agency.directory.all_brands.append(
        a_brand("Hearthlane", "Hearthlane Pets", space_id="h", list_id="h-inbox")
    )
    names = ("Hearthlane Pets", "Hearthlane")
    for brand, other in (names, names[::-1]):
        answer = await listed(agency, "Hearthlane", brand=brand)
        assert [(task.title, task.brand) for task in answer.tasks] == [("X", None)]
        assert f"{brand} and {other} share a list" in answer.note


async def test_in_a_clients_channel_no_list_is_shown_that_takes_another_clients_tasks() -> None:
    agency = demo_agency()
    agency.board.lists = {"h-inbox": [a_row("X", due=FRIDAY)]}
    agency.directory.all_brands.append(
        a_brand("Pawtrail", "Pawtrail Home", space_id="h", list_id="h-inbox")
    )
    channel = agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Pawtrail")
    there = await list_tasks(context(channel), window="any_time")

    assert isinstance(there, TaskList)
    assert there.tasks == ()
    assert "Not read: Pawtrail Home." in there.note

    agency.board.faults["h"] = Unavailable("502")
    with pytest.raises(Unavailable):
        await list_tasks(context(channel), window="any_time")


async def test_of_a_list_on_record_without_its_space_clickup_says_whose_tasks_go_there() -> None:
    agency = demo_agency()
    agency.board.lists = {"h-inbox": [a_row("X", due=FRIDAY)]}
    agency.directory.all_brands += [
        a_brand("Hearthlane", "Hearthlane Pets", list_id="h-inbox"),
        a_brand("Pawtrail", "Pawtrail Home", list_id="h-inbox"),
    ]
    channel = agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Pawtrail")
    of_own = await listed(agency, "Hearthlane", brand="Hearthlane Pets")
    there = await list_tasks(context(channel), window="any_time")

    assert [(task.title, task.brand) for task in of_own.tasks] == [("X", None)]
    assert isinstance(there, TaskList)
    assert there.tasks == ()
    assert "Not read: Pawtrail Home." in there.note


async def test_in_a_clients_channel_no_list_is_shown_that_another_client_has_too() -> None:
    agency = demo_agency()
    agency.board.lists = {
        "p1": [a_row("Coupon one", due=date(2026, 11, 20))],
        "p2": [a_row("Coupon two", due=date(2026, 11, 20))],
    }
    agency.directory.all_brands.append(a_brand("Casa Mundo", "Perro", list_id="p2"))
    everywhere = await list_tasks(context(agency.run()), client="Pawtrail", brand="Pawtrail Pro")
    channel = agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Pawtrail")
    there = await list_tasks(context(channel), window="any_time")

    assert isinstance(everywhere, TaskList)
    assert [one.title for one in everywhere.tasks] == ["Coupon two"]
    assert isinstance(there, TaskList)
    assert [one.title for one in there.tasks] == ["Coupon one"]
    assert "Not read: Pawtrail Pro." in there.note
    with pytest.raises(Refused, match="not this client's alone"):
        await list_tasks(context(channel), client="Pawtrail", brand="Pawtrail Pro")
