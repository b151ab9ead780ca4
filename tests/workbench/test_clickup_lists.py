"""Which tasks a list answer holds, in which order, page by page; and what the demo starts with."""

from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from clickup_stand import (
    BRIGHTKETTLE,
    CASA_MUNDO,
    GLINTLY,
    REPORTING,
    TEAM,
    WEDNESDAY,
    Stand,
    StillClock,
    ms,
    open_stand,
)

from workbench.clickup.seed import seed_clickup
from workbench.storage import Storage

EMPTY = "901005000091"
DAY = 86_400_000


@pytest.fixture
async def stand() -> AsyncGenerator[Stand]:
    async with open_stand() as stand:
        yield stand


async def test_250_tasks_come_in_three_pages_without_repetition(stand: Stand) -> None:
    pages = [await stand.get(f"/list/{CASA_MUNDO}/task", page=page) for page in range(4)]
    assert [len(page["tasks"]) for page in pages] == [100, 100, 50, 0]
    assert [page["last_page"] for page in pages] == [False, False, True, True]
    assert len({task["id"] for page in pages for task in page["tasks"]}) == 250
    assert len({task["name"] for page in pages for task in page["tasks"]}) == 250


async def test_a_page_that_is_exactly_full_is_the_last(stand: Stand) -> None:
    for number in range(100):
        await stand.create(EMPTY, name=f"Task {number}")
    page = await stand.get(f"/list/{EMPTY}/task")
    assert (len(page["tasks"]), page["last_page"]) == (100, True)


async def test_closed_archived_and_subtasks_are_hidden_until_asked_for(stand: Stand) -> None:
    parent = await stand.create(EMPTY, name="Parent")
    await stand.create(EMPTY, name="Child", parent=parent["id"])
    await stand.create(EMPTY, name="Closed", status="complete")
    await stand.create(EMPTY, name="Archived", archived=True)
    path = f"/list/{EMPTY}/task"
    assert await stand.names(path) == ["Parent"]
    assert await stand.names(path, subtasks="true") == ["Child", "Parent"]
    assert await stand.names(path, include_closed="true") == ["Closed", "Parent"]
    assert await stand.names(path, archived="true") == ["Archived"]
    assert await stand.names(f"/team/{TEAM}/task", parent=parent["id"]) == ["Child"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"statuses[]": ["review", "in progress"]}, ["B", "A"]),
        ({"statuses": ["review"]}, ["C", "B", "A"]),
        ({"assignees[]": ["100005"]}, ["B"]),
        ({"tags[]": ["promo"]}, ["C"]),
        ({"due_date_gt": ms(WEDNESDAY)}, ["B"]),
        ({"due_date_lt": ms(WEDNESDAY)}, ["A"]),
        ({"due_date_gt": ms(WEDNESDAY) - DAY, "due_date_lt": ms(WEDNESDAY) + 9 * DAY}, ["B", "A"]),
        ({"date_created_gt": ms(WEDNESDAY) + 1000}, ["C", "B"]),
        ({"date_created_lt": ms(WEDNESDAY) + 2000}, ["A"]),
        ({"date_updated_gt": ms(WEDNESDAY) + 2000}, ["C"]),
        ({"date_updated_lt": ms(WEDNESDAY) + 3000}, ["B", "A"]),
        ({"order_by": "created", "reverse": "true"}, ["A", "B", "C"]),
        ({"order_by": "due_date", "reverse": "true"}, ["A", "B", "C"]),
        ({"order_by": "due_date"}, ["B", "A", "C"]),
        ({"order_by": "updated"}, ["C", "B", "A"]),
    ],
)
async def test_filters_and_order(stand: Stand, query: dict[str, Any], found: list[str]) -> None:
    week = ms(WEDNESDAY) + 7 * DAY
    plans = (
        {"name": "A", "status": "review", "due_date": ms(WEDNESDAY)},
        {"name": "B", "status": "in progress", "due_date": week, "assignees": [100005, 100001]},
        {"name": "C", "tags": ["promo"]},
    )
    for plan in plans:
        stand.clock.at += 1
        await stand.create(EMPTY, **plan)
    assert await stand.names(f"/list/{EMPTY}/task", **query) == found


@pytest.mark.parametrize(
    "query",
    [
        {"page": "-1"},
        {"page": "one"},
        {"due_date_gt": "soon"},
        {"order_by": "name"},
        {"custom_fields": "[]"},
    ],
)
async def test_a_filter_that_is_not_understood_is_refused(
    stand: Stand, query: dict[str, str]
) -> None:
    answer = await stand.http.get(f"/list/{EMPTY}/task", params=query)
    assert (answer.status_code, set(answer.json())) == (400, {"err", "ECODE"})


async def test_a_shared_task_shows_in_its_other_list_only_when_asked_for(stand: Stand) -> None:
    shared = "Monthly advertising report for Copperleaf, Nordvent and Tessera"
    path = f"/list/{REPORTING}/task"
    assert shared not in await stand.names(path)
    assert shared in await stand.names(path, include_timl="true")
    tasks = (await stand.get(f"/list/{BRIGHTKETTLE}/task"))["tasks"]
    (task,) = [task for task in tasks if task["name"] == shared]
    assert task["locations"] == [{"id": REPORTING, "name": "Reporting Requests"}]


async def test_a_look_into_one_list_reads_no_other(stand: Stand) -> None:
    """Or every look would take longer with every task of the workspace."""
    before = await stand.names(f"/list/{BRIGHTKETTLE}/task", include_timl="true")
    stand.storage.put(f"clickup_task:{CASA_MUNDO}", "nobody can read this", {})
    assert await stand.names(f"/list/{BRIGHTKETTLE}/task", include_timl="true") == before


async def test_the_team_form_narrows_by_space_folder_and_list(stand: Stand) -> None:
    path = f"/team/{TEAM}/task"
    pro, lite = "Set up Sponsored Products for the Pawtrail Pro harness", "Compare Pawtrail"
    assert len(await stand.names(path)) == 100
    assert len(await stand.names(path, **{"space_ids[]": ["90100500006"]})) == 4
    folder = await stand.names(path, **{"project_ids[]": ["90100600061"]})
    assert sorted(name[: len(lite)] for name in folder) == [lite, pro[: len(lite)]]
    assert await stand.names(path, **{"list_ids[]": ["901005000062"]}) == [pro]
    lists = {"list_ids[]": [BRIGHTKETTLE, GLINTLY], "include_closed": "true"}
    assert len(await stand.names(path, **lists)) == 15 + 6


LISBON = ZoneInfo("Europe/Lisbon")


@pytest.mark.parametrize("day", range(7))
async def test_on_every_weekday_the_demo_has_its_late_its_weeks_and_its_done_tasks(
    day: int,
) -> None:
    now = WEDNESDAY + timedelta(days=day)
    monday = datetime.combine(
        now.date() - timedelta(days=now.weekday()), datetime.min.time(), LISBON
    )
    week = {"due_date_gt": ms(monday), "due_date_lt": ms(monday + timedelta(days=7))}
    async with open_stand(clock=StillClock(now)) as stand:
        late = await stand.names(f"/team/{TEAM}/task", due_date_lt=ms(monday))
        brightkettle = await stand.get(f"/list/{BRIGHTKETTLE}/task", **week)
        team = await stand.names(f"/team/{TEAM}/task", **week)
        closed = {"include_closed": "true", "statuses[]": ["complete"]}
        done = await stand.names(f"/team/{TEAM}/task", **closed)
        dates = [task["due_date"] for task in brightkettle["tasks"]]
    assert (len(late), len(dates), len(team), len(done)) == (3, 7, 9, 4)
    today = datetime.combine(now.date(), datetime.min.time(), LISBON)
    assert all(int(date) > ms(today) for date in dates)


async def test_the_demo_has_undated_and_recently_changed_tasks(stand: Stand) -> None:
    tasks = (await stand.get(f"/list/{BRIGHTKETTLE}/task"))["tasks"]
    assert [task["name"] for task in tasks if task["due_date"] is None] == [
        "Collect product photos for the Tessera storage tins"
    ]
    recent = ms(WEDNESDAY) - 2 * DAY
    assert len([task for task in tasks if int(task["date_updated"]) > recent]) >= 4
    assert all(int(task["date_created"]) <= int(task["date_updated"]) for task in tasks)


def test_seeding_a_second_time_changes_nothing() -> None:
    storage, clock = Storage(":memory:"), StillClock()
    seed_clickup(storage, clock)
    before = storage.all(f"clickup_task:{BRIGHTKETTLE}")
    seed_clickup(storage, StillClock(WEDNESDAY + timedelta(days=30)))
    assert storage.all(f"clickup_task:{BRIGHTKETTLE}") == before
    storage.close()
