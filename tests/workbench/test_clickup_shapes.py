"""The exact shapes of ClickUp's answers."""

from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

import pytest
from clickup_stand import BRIGHTKETTLE, TEAM, WEDNESDAY, Stand, ms, open_stand
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Milliseconds = Annotated[str, StringConstraints(pattern=r"^\d+$")]
NOW = str(ms(WEDNESDAY))


class Answer(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class Person(Answer):
    id: int
    username: str | None
    color: str | None
    initials: str
    email: str
    profilePicture: None


class Status(Answer):
    id: str
    status: str
    color: str
    orderindex: int
    type: Literal["open", "custom", "done", "closed"]


class Tag(Answer):
    name: str
    tag_fg: str
    tag_bg: str
    creator: int


class Priority(Answer):
    id: Literal["1", "2", "3", "4"]
    priority: Literal["urgent", "high", "normal", "low"]
    color: str
    orderindex: str


class Named(Answer):
    id: str
    name: str


class ListName(Named):
    access: bool


class FolderName(Named):
    hidden: bool
    access: bool


class SpaceId(Answer):
    id: str


class TaskAnswer(Answer):
    id: Annotated[str, StringConstraints(pattern=r"^86b[0-9a-z]{6}$")]
    custom_id: None
    custom_item_id: int
    name: str
    text_content: str
    description: str
    markdown_description: str = ""
    status: Status
    orderindex: Annotated[str, StringConstraints(pattern=r"^\d+\.0{32}$")]
    date_created: Milliseconds
    date_updated: Milliseconds
    date_closed: Milliseconds | None
    date_done: Milliseconds | None
    due_date: Milliseconds | None
    start_date: Milliseconds | None
    archived: bool
    creator: Person
    assignees: list[Person]
    group_assignees: list[Any]
    watchers: list[Person]
    checklists: list[Any]
    tags: list[Tag]
    parent: str | None
    top_level_parent: str | None
    priority: Priority | None
    points: float | None
    time_estimate: int | None
    time_spent: int
    custom_fields: list[dict[str, Any]]
    dependencies: list[Any]
    linked_tasks: list[Any]
    locations: list[Named]
    team_id: Literal["90100400001"]
    url: str
    sharing: dict[str, Any]
    permission_level: str
    list_: ListName = Field(alias="list")
    project: FolderName
    folder: FolderName
    space: SpaceId
    attachments: list[Any] = []
    subtasks: list[Any] = []


@pytest.fixture
async def stand() -> AsyncGenerator[Stand]:
    async with open_stand() as stand:
        yield stand


async def test_a_created_task_is_answered_as_clickup_answers_it(stand: Stand) -> None:
    task = await stand.create(
        name="Create a coupon for the garlic press",
        markdown_content="## Goal\n20% off [B0CF7GARL1](https://lanternfish.example/p)",
        assignees=[100005],
        priority=2,
        tags=["promo"],
        due_date=ms(WEDNESDAY),
    )
    task_id, fields = task.pop("id"), task.pop("custom_fields")
    assert [field["name"] for field in fields[:2]] == ["Marketplace", "ASIN"]
    assert not any("value" in field for field in fields)
    bot = {
        "id": 100099,
        "username": "AgencyClaw",
        "color": "#4466ff",
        "initials": "A",
        "email": "agencyclaw@lanternfish.example",
        "profilePicture": None,
    }
    folder = {"id": "900005000011", "name": "hidden", "hidden": True, "access": True}
    assert task == {
        "custom_id": None,
        "custom_item_id": 0,
        "name": "Create a coupon for the garlic press",
        "text_content": "Goal\n20% off B0CF7GARL1",
        "description": "Goal\n20% off B0CF7GARL1",
        "status": {
            "id": "p901005000011_0",
            "status": "to do",
            "type": "open",
            "color": "#667085",
            "orderindex": 0,
        },
        "orderindex": task["orderindex"],
        "date_created": NOW,
        "date_updated": NOW,
        "date_closed": None,
        "date_done": None,
        "due_date": "1795579200000",
        "start_date": None,
        "archived": False,
        "creator": bot,
        "assignees": [
            {
                "id": 100005,
                "username": "Miguel Duarte",
                "color": "#3db88b",
                "initials": "MD",
                "email": "miguel.duarte@lanternfish.example",
                "profilePicture": None,
            }
        ],
        "group_assignees": [],
        "watchers": [bot],
        "checklists": [],
        "tags": [{"name": "promo", "tag_fg": "#ffffff", "tag_bg": "#5f55ee", "creator": 100099}],
        "parent": None,
        "top_level_parent": None,
        "priority": {"id": "2", "priority": "high", "color": "#f8ae00", "orderindex": "2"},
        "points": None,
        "time_estimate": None,
        "time_spent": 0,
        "dependencies": [],
        "linked_tasks": [],
        "locations": [],
        "team_id": "90100400001",
        "url": f"{stand.origin}/t/{task_id}",
        "sharing": {"public": False, "public_fields": [], "token": None, "seo_optimized": False},
        "permission_level": "create",
        "list": {"id": "901005000011", "name": "Brightkettle Backlog", "access": True},
        "project": folder,
        "folder": folder,
        "space": {"id": "90100500001"},
    }


async def test_every_answer_about_tasks_has_the_same_shape(stand: Stand) -> None:
    created = await stand.create()
    listed = await stand.get(f"/list/{BRIGHTKETTLE}/task", include_closed=True)
    everywhere = await stand.get(f"/team/{TEAM}/task", include_markdown_description=True)
    single = await stand.get(f"/task/{created['id']}", include_subtasks=True)
    changed = await stand.update(created["id"], priority=1)
    for task in (*listed["tasks"], *everywhere["tasks"], created, single, changed):
        TaskAnswer.model_validate(task)


async def test_a_dependency_is_shown_on_both_of_its_tasks(stand: Stand) -> None:
    page = await stand.get(f"/team/{TEAM}/task")
    told = [
        (task["id"], one["task_id"], one["depends_on"])
        for task in page["tasks"]
        for one in task["dependencies"]
    ]

    [(_, waiting, awaited)] = {(0, *one[1:]) for one in told}
    assert {shown for shown, *_ in told} == {waiting, awaited}


async def test_an_ordinary_task_has_a_null_priority_and_no_markdown(stand: Stand) -> None:
    task = await stand.create(markdown_content="**bold**")
    assert task["priority"] is None
    assert "markdown_description" not in task


async def test_a_list_inside_a_folder_names_it(stand: Stand) -> None:
    task = await stand.create("901005000062")
    assert task["folder"] == {
        "id": "90100600061",
        "name": "Sub-brands",
        "hidden": False,
        "access": True,
    }


async def test_the_token_belongs_to_the_assistants_own_user(stand: Stand) -> None:
    user = (await stand.get("/user"))["user"]
    assert (user["id"], user["username"], user["timezone"]) == (
        100099,
        "AgencyClaw",
        "Europe/Lisbon",
    )


async def test_the_team_lists_everybody_with_role_and_mail(stand: Stand) -> None:
    (team,) = (await stand.get("/team"))["teams"]
    users = [member["user"] for member in team["members"]]
    assert (team["id"], team["name"]) == (TEAM, "Lanternfish")
    assert {user["email"]: (user["id"], user["username"], user["role"]) for user in users} == {
        "ines.varga@lanternfish.example": (100001, "Ines Varga", 1),
        "tomas.reed@lanternfish.example": (100002, "Tomas Reed", 2),
        "sara.lindqvist@lanternfish.example": (100003, "Sara Lindqvist", 3),
        "sara.okafor@lanternfish.example": (100004, "Sara Okafor", 3),
        "miguel.duarte@lanternfish.example": (100005, "Miguel Duarte", 3),
        "paul.brandt@lanternfish.example": (100007, "Paul Brandt", 3),
        "hana.idris@lanternfish.example": (100008, "Hana Idris", 3),
        "marta.ruiz@lanternfish.example": (100009, None, 3),
        "dana@brightkettle.example": (100010, "Dana Whitlock", 4),
        "agencyclaw@lanternfish.example": (100099, "AgencyClaw", 3),
    }


async def test_a_pending_invitee_never_joined(stand: Stand) -> None:
    (team,) = (await stand.get("/team"))["teams"]
    pending = next(one["user"] for one in team["members"] if one["user"]["username"] is None)
    assert (pending["date_joined"], pending["last_active"]) == (None, None)


async def test_every_brand_has_its_space_and_lists(stand: Stand) -> None:
    found: dict[str, list[str]] = {}
    for space in (await stand.get(f"/team/{TEAM}/space", archived=False))["spaces"]:
        lists = (await stand.get(f"/space/{space['id']}/list"))["lists"]
        for folder in (await stand.get(f"/space/{space['id']}/folder"))["folders"]:
            lists += (await stand.get(f"/folder/{folder['id']}/list"))["lists"]
            assert lists[-len(folder["lists"]) :] == folder["lists"]
        found[f"{space['id']} {space['name']}"] = [f"{one['id']} {one['name']}" for one in lists]
    assert found == {
        "90100500001 Brightkettle Group": ["901005000011 Brightkettle Backlog"],
        "90100500002 Glintly": ["901005000021 Glintly Backlog"],
        "90100500003 Casa Mundo [Glintly]": ["901005000031 Inbox"],
        "90100500004 Hearthlane": ["901005000041 Ideas", "901005000042 Inbox"],
        "90100500005 Hearthlane Kids": ["901005000051 Hearthlane Kids"],
        "90100500006 Pawtrail": [
            "901005000061 Pawtrail",
            "901005000062 Pawtrail Pro",
            "901005000063 Pawtrail Lite",
        ],
        "90100500007 Roderick": ["901005000071 Rodric"],
        "90100500008 Reporting Requests": ["901005000081 Reporting Requests"],
        "90100500009 New Space 7": ["901005000091 New Space 7"],
        "90100500010 Oldfern Archive": [],
    }


async def test_archived_places_are_another_question(stand: Stand) -> None:
    assert await stand.get(f"/team/{TEAM}/space", archived="true") == {"spaces": []}
    assert await stand.get("/space/90100500004/list", archived="true") == {"lists": []}


async def test_a_list_tells_its_statuses_and_how_much_is_open(stand: Stand) -> None:
    place = await stand.get(f"/list/{BRIGHTKETTLE}")
    statuses = [(status["status"], status["type"]) for status in place["statuses"]]
    assert statuses == [
        ("to do", "open"),
        ("in progress", "custom"),
        ("review", "custom"),
        ("complete", "closed"),
    ]
    assert (place["name"], place["task_count"]) == ("Brightkettle Backlog", 12)
    assert place["space"] == {"id": "90100500001", "name": "Brightkettle Group", "access": True}


async def test_a_space_has_statuses_and_tags(stand: Stand) -> None:
    space = await stand.get("/space/90100500001")
    assert (space["name"], len(space["statuses"])) == ("Brightkettle Group", 4)
    tags = (await stand.get("/space/90100500001/tag"))["tags"]
    assert [Tag.model_validate(tag).name for tag in tags] == [
        "agencyclaw",
        "catalog",
        "listing",
        "ppc",
        "promo",
        "reporting",
    ]


async def test_list_members_are_only_those_who_were_given_the_list(stand: Stand) -> None:
    members = (await stand.get(f"/list/{BRIGHTKETTLE}/member"))["members"]
    names = [Person.model_validate(member).username for member in members]
    assert names == ["Sara Lindqvist", "Miguel Duarte", "Dana Whitlock"]


async def test_custom_fields_belong_to_some_lists(stand: Stand) -> None:
    fields = (await stand.get(f"/list/{BRIGHTKETTLE}/field"))["fields"]
    assert [(field["name"], field["type"]) for field in fields] == [
        ("Marketplace", "drop_down"),
        ("ASIN", "short_text"),
        ("Budget", "currency"),
        ("Go-live", "date"),
        ("Approved by client", "checkbox"),
        ("Channels", "labels"),
        ("Reviewer", "users"),
        ("Progress", "automatic_progress"),
    ]
    options = fields[0]["type_config"]["options"]
    assert [(one["name"], one["orderindex"]) for one in options] == [
        ("US", 0),
        ("CA", 1),
        ("UK", 2),
        ("MX", 3),
    ]
    assert await stand.get("/list/901005000061/field") == {"fields": []}
