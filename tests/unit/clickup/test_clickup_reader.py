"""What is read from ClickUp, and when an answer may be called empty."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest
from clickup_fake import TEAM, FakeClickUp, FakeTime, refused

from agencyclaw.clickup import lists
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.deps.board import TaskBoard
from agencyclaw.domain.errors import Misconfigured, NotFound, TooMuch, Unavailable
from agencyclaw.domain.tasks import Window, WindowKind, build_window

LISBON = ZoneInfo("Europe/Lisbon")
TODAY = date(2026, 11, 25)
WEEK = build_window(WindowKind.THIS_WEEK, TODAY)


def ms(moment: datetime) -> str:
    return str(int(moment.timestamp() * 1000))


def due(day: date, zone: ZoneInfo = LISBON, hour: int = 4) -> str:
    return ms(datetime(day.year, day.month, day.day, hour, tzinfo=zone))


def names(found: Sequence[Any]) -> list[str]:
    return [one.name for one in found]


def test_the_reader_is_a_task_board(reader: ClickUpReader) -> None:
    board: TaskBoard = reader
    assert board is reader


async def test_all_pages_are_read(reader: ClickUpReader, board: FakeClickUp) -> None:
    for _ in range(250):
        board.add()
    assert len((await reader.tasks("901", None, "due", fresh=True)).rows) == 250
    assert [r.url.params.get("page") for r in board.requests[1:]] == ["0", "1", "2"]


async def test_an_id_of_the_workspaces_own_is_asked_for_as_such(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    own = board.add()
    with pytest.raises(NotFound):
        await reader.task_state("DEV-123")
    await reader.task_state(str(own["id"]))

    asked = [dict(request.url.params) for request in board.requests if "/task/" in request.url.path]
    described = {"include_markdown_description": "true"}
    assert asked == [{"custom_task_ids": "true", "team_id": TEAM, **described}, described]


async def test_without_last_page_a_page_that_is_not_full_is_the_last(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    board.tells_last_page = False
    for _ in range(200):
        board.add()
    assert len((await reader.tasks("901", None, "due", fresh=True)).rows) == 200
    assert len(board.requests) == 1 + 3


async def test_a_short_page_that_says_more_will_come_is_not_the_last(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    board.page_size = 60
    for _ in range(90):
        board.add()
    assert len((await reader.tasks("901", None, "due", fresh=True)).rows) == 90


async def test_a_task_that_moved_to_the_next_page_is_told_once(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    tasks = [board.add() for _ in range(150)]
    await reader.zone()
    board.fails(
        httpx.Response(200, json={"tasks": tasks[:100], "last_page": False}),
        httpx.Response(200, json={"tasks": tasks[98:], "last_page": True}),
    )
    found = (await reader.tasks("901", None, "due", fresh=True)).rows
    assert len(found) == len({row.id for row in found}) == 150


async def test_finished_tasks_are_those_whose_end_is_in_the_window(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    def at(day: int) -> str:
        return ms(datetime(2026, 11, day, 9, tzinfo=UTC))

    closed, done = ({"status": kind, "type": kind} for kind in ("closed", "done"))
    board.add(name="Closed", status=closed, date_done=at(17), date_closed=at(17))
    board.add(name="Done", status=done, date_done=at(19))
    board.add(name="Only closed", status=closed, date_closed=at(18))
    board.add(name="Earlier", status=closed, date_done=at(10))
    board.add(name="Later", status=closed, date_done=at(24))
    board.add(name="Archived", status=closed, date_done=at(18), archived=True)
    board.add(name="Opened again", date_done=at(18))
    last_week = build_window(WindowKind.LAST_WEEK, date(2026, 11, 25))

    found = (await reader.tasks("901", last_week, "done", fresh=True)).rows

    assert [row.name for row in found] == ["Done", "Only closed", "Closed"]
    asked = board.requests[-1].url.params
    assert asked["include_closed"] == "true"
    assert {"date_done_gt", "date_done_lt"} <= asked.keys()


async def test_a_list_without_end_is_refused_in_words(
    reader: ClickUpReader, board: FakeClickUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "MOST_PAGES", 2)
    board.page_size = 10
    for _ in range(21):
        board.add()
    with pytest.raises(TooMuch, match="shorter stretch of time"):
        await reader.tasks("901", None, "due", fresh=True)


async def test_one_page_that_can_not_be_read_spoils_the_whole_list(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    for _ in range(150):
        board.add()
    await reader.zone()
    page = httpx.Response(200, json={"tasks": list(board.tasks.values())[:100]})
    board.fails(page, *[httpx.Response(500)] * 3)
    with pytest.raises(Unavailable):
        await reader.tasks("901", None, "due", fresh=True)


async def test_a_row_says_what_a_list_shows(reader: ClickUpReader, board: FakeClickUp) -> None:
    people = [{"id": 1, "username": "Sara Okafor"}, {"id": 2, "email": "m@x.example"}, {"id": 3}]
    board.add(
        name="Check\0 the\u202e listing",
        due_date=due(TODAY),
        date_updated=ms(datetime(2026, 11, 24, 9, tzinfo=UTC)),
        assignees=people,
        priority={"id": "2", "priority": "High"},
    )
    [row] = (await reader.tasks("901", None, "due", fresh=True)).rows
    assert row.model_dump() == {
        "id": "86b0001",
        "name": "Check the listing",
        "status": "to do",
        "is_closed": False,
        "assignees": ("Sara Okafor", "m@x.example", "3"),
        "assignee_ids": (1, 2, 3),
        "priority": "high",
        "start": None,
        "due": TODAY,
        "updated": datetime(2026, 11, 24, 9, tzinfo=UTC),
        "done": None,
        "url": "https://app.clickup.com/t/86b0001",
        "list_id": "901",
        "list_name": "Backlog",
        "brand": None,
        "client": None,
    }


async def test_only_open_tasks_are_listed(reader: ClickUpReader, board: FakeClickUp) -> None:
    board.add(name="Open")
    for kind in ("closed", "done"):
        board.add(name=kind, status={"status": kind, "type": kind})
    board.add(name="Archived", archived=True)
    await reader.zone()
    board.fails(httpx.Response(200, json={"tasks": list(board.tasks.values())}))
    assert names((await reader.tasks("901", None, "due", fresh=True)).rows) == ["Open"]


async def test_fields_in_a_form_we_do_not_know_are_as_if_absent(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    odd = {"status": "to do", "assignees": [{"no": "id"}], "list": 1, "due_date": "soon"}
    await reader.zone()
    board.fails(httpx.Response(200, json={"tasks": [{"id": 1, "name": "Odd", **odd}]}))
    [row] = (await reader.tasks("901", None, "due", fresh=True)).rows
    assert (row.id, row.status, row.assignees, row.due) == ("1", "", (), None)


async def test_a_half_emoji_in_a_title_hides_nothing(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    board.add()
    await reader.zone()
    page = '{"tasks": [{"id": "1", "name": "Half \\ud83d"}, {"id": 2, "name": "Whole"}]}'
    board.fails(httpx.Response(200, text=page))
    assert names((await reader.tasks("901", None, "due", fresh=True)).rows) == ["Half", "Whole"]


@pytest.mark.parametrize(
    "zone", ["Europe/Lisbon", "America/Los_Angeles", "Asia/Tokyo", "Pacific/Auckland", "UTC"]
)
async def test_due_dates_are_calendar_days_wherever_the_account_is(
    reader: ClickUpReader, board: FakeClickUp, zone: str
) -> None:
    board.fails(httpx.Response(200, json={"user": {"id": 1, "timezone": zone}}))
    for day in (22, 23, 29, 30):
        moment = due(date(2026, 11, day), ZoneInfo(zone))
        board.add(name=f"due {day}", due_date=moment)
    board.add(name="not due")
    found = (await reader.tasks("901", WEEK, "due", fresh=True)).rows
    assert [(row.name, row.due) for row in found] == [
        ("due 23", date(2026, 11, 23)),
        ("due 29", date(2026, 11, 29)),
    ]


async def test_changes_are_instants(reader: ClickUpReader, board: FakeClickUp) -> None:
    monday = datetime(2026, 11, 23, tzinfo=UTC)
    for name, moment in {
        "too early": monday - timedelta(milliseconds=1),
        "first": monday,
        "last": monday + timedelta(days=7, milliseconds=-1),
        "too late": monday + timedelta(days=7),
    }.items():
        board.add(name=name, date_updated=ms(moment))
    assert names((await reader.tasks("901", WEEK, "updated", fresh=True)).rows) == ["last", "first"]


async def test_the_first_day_of_the_calendar_can_be_asked_for(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    board.add(due_date=due(TODAY))
    window = Window(start=datetime.min.replace(tzinfo=UTC), end=WEEK.end, label="ever")
    assert len((await reader.tasks("901", window, "due", fresh=True)).rows) == 1


async def test_what_is_due_first_comes_first(reader: ClickUpReader, board: FakeClickUp) -> None:
    board.add(name="never")
    board.add(name="late", due_date=due(date(2026, 12, 1)))
    board.add(name="early", due_date=due(TODAY))
    assert names((await reader.tasks("901", None, "due", fresh=True)).rows) == [
        "early",
        "late",
        "never",
    ]


async def test_the_account_is_asked_for_its_zone_once(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    await reader.tasks("901", None, "due", fresh=True)
    await reader.tasks("901", None, "due", fresh=True)
    assert [r.url.path for r in board.requests].count("/api/v2/user") == 1


async def test_an_account_without_a_zone_is_in_utc(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    board.fails(httpx.Response(200, json={"user": {"id": "7"}}))
    assert await reader.zone() == ZoneInfo("UTC")


async def test_a_list_is_remembered_for_five_minutes(
    reader: ClickUpReader, board: FakeClickUp, time: FakeTime
) -> None:
    space = {"id": "90", "name": "Brightkettle"}
    board.places["/list/901"] = {"id": 901, "name": "Backlog", "space": space}
    first = await reader.list_ref("901")
    assert first.model_dump() == {
        "id": "901",
        "name": "Backlog",
        "space_id": "90",
        "space_name": "Brightkettle",
        "folder_name": None,
        "statuses": (),
    }
    board.places["/list/901"]["name"] = "Inbox"
    time.passed += 299
    assert await reader.list_ref("901") == first
    assert len(board.requests) == 1
    time.passed += 1
    assert (await reader.list_ref("901")).name == "Inbox"


async def test_a_list_that_could_not_be_read_is_not_remembered(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    with pytest.raises(NotFound):
        await reader.list_ref("901")
    board.places["/list/901"] = {"id": "901", "name": "Backlog"}
    assert (await reader.list_ref("901")).space_id is None


@pytest.mark.parametrize(
    ("loose", "housed", "inbox"),
    [
        (["Inbox"], [], "Inbox"),
        (["Ideas", " BACKLOG"], ["Inbox"], "BACKLOG"),
        (["Ideas"], ["Other", "inbox"], "inbox"),
        (["Brightkettle"], [], "Brightkettle"),
        ([], ["Brightkettle"], "Brightkettle"),
        (["Inbox", "Backlog"], [], None),
        (["Inbox", "Inbox"], [], None),
        (["Ideas"], ["Inbox", "Backlog"], None),
        (["Ideas", "Other"], [], None),
        (["Ideas"], ["Other"], None),
        (["My Inbox", "Other"], [], None),
        ([], [], None),
    ],
)
@pytest.mark.parametrize("folders_tell_lists", [True, False])
async def test_a_space_has_an_inbox_only_when_it_is_clear_which(
    reader: ClickUpReader,
    board: FakeClickUp,
    loose: list[str],
    housed: list[str],
    inbox: str | None,
    folders_tell_lists: bool,
) -> None:
    def lists(names: list[str], first: int) -> list[dict[str, Any]]:
        space = {"id": "90", "name": "Pawtrail"}
        old = {"id": str(first), "name": "Inbox", "archived": True}
        live = [{"id": str(n), "name": name, "space": space} for n, name in enumerate(names, 910)]
        return [old, *live]

    folder: dict[str, Any] = {"id": "95", "name": "Sub-brands"}
    if folders_tell_lists:
        folder["lists"] = lists(housed, 8)
    board.places["/space/90/list"] = {"lists": lists(loose, 9)}
    board.places["/space/90/folder"] = {"folders": [folder]}
    board.places["/folder/95/list"] = {"lists": lists(housed, 8)}
    found = await reader.inbox_of("90")
    assert (found.name if found else None) == inbox
    assert found is None or (found.space_id, found.space_name) == ("90", "Pawtrail")


async def test_a_space_that_can_not_be_seen_has_no_inbox_but_an_error(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    board.fails(refused(401, "OAUTH_027"))
    with pytest.raises(NotFound, match="no such space"):
        await reader.inbox_of("90")


async def test_a_task_is_read_by_its_id(reader: ClickUpReader, board: FakeClickUp) -> None:
    board.add()
    task = await reader.task_state("86b0001")
    assert (task.id, task.facts.title) == ("86b0001", "Task 1")
    with pytest.raises(NotFound, match="no such task"):
        await reader.task_state("86b9999")


async def test_what_is_odd_in_a_task_hides_nothing_else_of_it(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    awaited = board.add(name="Photos taken")
    items = [{"name": "Photos", "resolved": False}, {"name": None, "resolved": False}]
    waits = [{"task_id": "86b0002", "depends_on": awaited["id"]}]
    one = board.add(
        checklists=[{"id": "c", "items": items}, {"id": "d", "items": None}],
        dependencies=[*waits, {"task_id": "86b0002", "depends_on": None}],
    )
    said = {"id": "9", "comment_text": "fine", "user": None, "date": None}
    odd = {"id": None, "comment_text": "odd"}
    board.places[f"/task/{one['id']}/comment"] = {"comments": [odd, said]}

    text = await reader.task_text("86b0002")

    assert [item.name for item in text.checklist] == ["Photos"]
    assert [task.title for task in text.waits_for] == ["Photos taken"]
    assert [comment.text for comment in text.comments] == ["fine"]
    assert (text.odd, text.unread, text.not_asked) == (4, 0, 0)


async def test_the_doctor_can_ask_who_and_where_we_are(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    seat = {"user": {"id": 2, "username": None, "email": "marta@lanternfish.example", "role": 3}}
    team = {"id": TEAM, "name": "Lanternfish", "members": [seat, {"user": {"id": 3}}]}
    board.places["/team"] = {"teams": [{"id": 1, "name": "Another"}, team]}
    board.places[f"/team/{TEAM}/space"] = {"spaces": [{"id": 90, "name": "Pawtrail", "private": 1}]}
    me = await reader.whoami()
    assert (me.id, me.name, me.timezone) == (700001, "AgencyClaw", "Europe/Lisbon")
    members = [(who.id, who.name, who.email) for who in await reader.members()]
    assert members == [(2, None, "marta@lanternfish.example"), (3, None, None)]
    assert [(space.id, space.name) for space in await reader.spaces()] == [("90", "Pawtrail")]


async def test_a_workspace_that_is_not_ours_names_the_setting(
    client: ClickUpClient, board: FakeClickUp
) -> None:
    board.places["/team"] = {"teams": [{"id": "1", "name": "Another"}]}
    with pytest.raises(Misconfigured, match="CLICKUP_TEAM_ID to one of: 1"):
        await ClickUpReader(client, TEAM).members()


async def test_an_assignee_in_an_unknown_form_does_not_hide_the_others(
    reader: ClickUpReader, board: FakeClickUp
) -> None:
    board.add(assignees=[{"id": "a team"}, {"id": 7, "username": "Noor"}])
    [row] = (await reader.tasks("901", None, "due", fresh=True)).rows
    assert row.assignees == ("Noor",)
