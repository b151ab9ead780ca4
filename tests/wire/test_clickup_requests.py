"""Exactly what goes out to ClickUp, header by header and byte by byte."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import UTC, date, datetime
from typing import Any

import httpx
import logfire
import pytest
import pytest_asyncio
from inline_snapshot import snapshot

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.shapes import NewTask
from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.domain.tasks import WindowKind, build_window

BODY = "Take 20% off — “Black Friday” 🎟️\n\n- [ ] Build it\n\nagencyclaw key=5a1c"
# What the HTTP library adds by what is installed beside it.
ITS_OWN = {"accept-encoding", "connection"}
WEEK = build_window(WindowKind.THIS_WEEK, date(2026, 11, 25))
TASK = {"id": "86b1", "name": "Create a coupon"}
ANSWERS: dict[str, Any] = {
    "/user": {"user": {"id": 1, "timezone": "Europe/Lisbon"}},
    "/team": {"teams": [{"id": "90010001", "name": "Lanternfish"}]},
    "/team/90010001/space": {"spaces": []},
    "/space/90100010/list": {"lists": []},
    "/space/90100010/folder": {"folders": [{"id": "95", "name": "Sub-brands"}]},
    "/folder/95/list": {"lists": []},
    "/list/901000100001": {"id": "901000100001", "name": "Backlog"},
    "/task/86b1": TASK,
    "/task/86b1/comment": {"comments": []},
}


class Wire:
    """Answers with as little as is enough, and writes down what was sent."""

    def __init__(self) -> None:
        self.sent: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        path = request.url.path.removeprefix("/api/v2")
        if request.method == "POST":
            return httpx.Response(200, json=TASK)
        return httpx.Response(200, json=ANSWERS.get(path, {"tasks": []}))

    def lines(self) -> list[str]:
        """A line for each request and for each part of its query."""
        return [
            f"{one.method} {part}" if number == 0 else f"    {part}"
            for one in self.sent
            for number, part in enumerate(re.split("(?=[?&])", one.url.raw_path.decode()))
        ]

    def whole(self) -> str:
        [one] = self.sent
        headers = [f"{name}: {text}" for name, text in one.headers.items() if name not in ITS_OWN]
        content = one.content.decode().replace(',"', ',\n"')
        return "\n".join([*self.lines(), *headers, "", *([content] if content else [])])


@pytest.fixture(scope="module", autouse=True)
def _telemetry_stays_here() -> None:
    logfire.configure(send_to_logfire=False, console=False, metrics=False)


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest_asyncio.fixture
async def client(wire: Wire) -> AsyncGenerator[ClickUpClient]:
    client = ClickUpClient(
        "pk_1_SECRET",
        "https://api.clickup.com/api/v2",
        transport=httpx.MockTransport(wire),
    )
    yield client
    await client.aclose()


async def test_the_smallest_task(wire: Wire, client: ClickUpClient) -> None:
    await ClickUpWriter(client).create_task("901000100001", NewTask(name="Create a coupon"))
    assert wire.whole() == snapshot("""\
POST /api/v2/list/901000100001/task
host: api.clickup.com
authorization: pk_1_SECRET
accept: application/json
user-agent: AgencyClaw
content-length: 26
content-type: application/json

{"name":"Create a coupon"}\
""")


async def test_a_task_with_everything_that_can_be_sent(wire: Wire, client: ClickUpClient) -> None:
    task = NewTask(
        name="Create a coupon",
        markdown_content=BODY,
        assignees=(700002, 700003, 700002),
        start_date=date(2026, 11, 30),
        due_date=date(2027, 7, 2),
        timezone="Europe/Lisbon",
    )
    await ClickUpWriter(client).create_task("901000100001", task)
    assert wire.whole() == snapshot("""\
POST /api/v2/list/901000100001/task
host: api.clickup.com
authorization: pk_1_SECRET
accept: application/json
user-agent: AgencyClaw
content-length: 258
content-type: application/json

{"name":"Create a coupon",
"markdown_content":"Take 20% off — “Black Friday” 🎟️\\n\\n- [ ] Build it\\n\\nagencyclaw key=5a1c",
"assignees":[700002,700003],
"start_date":1796040000000,
"start_date_time":false,
"due_date":1814526000000,
"due_date_time":false}\
""")


async def test_a_comment(wire: Wire, client: ClickUpClient) -> None:
    await ClickUpWriter(client).comment("86b1", "Sara Okafor: Done.")
    assert wire.whole() == snapshot("""\
POST /api/v2/task/86b1/comment
host: api.clickup.com
authorization: pk_1_SECRET
accept: application/json
user-agent: AgencyClaw
content-length: 56
content-type: application/json

{"comment_text":"Sara Okafor: Done.",
"notify_all":false}\
""")


async def test_the_headers_of_a_read(wire: Wire, client: ClickUpClient) -> None:
    await ClickUpReader(client, "90010001").whoami()
    assert wire.whole() == snapshot("""\
GET /api/v2/user
host: api.clickup.com
authorization: pk_1_SECRET
accept: application/json
user-agent: AgencyClaw
""")


READS: dict[str, tuple[Callable[[ClickUpReader], Awaitable[object]], Any]] = {
    "every open task": (
        lambda reader: reader.tasks("901000100001", None, "due", fresh=True),
        snapshot(
            [
                "GET /api/v2/user",
                "GET /api/v2/list/901000100001/task",
                "    ?include_timl=true",
                "    &page=0",
            ]
        ),
    ),
    "due this week": (
        lambda reader: reader.tasks("901000100001", WEEK, "due", fresh=True),
        snapshot(
            [
                "GET /api/v2/user",
                "GET /api/v2/list/901000100001/task",
                "    ?include_timl=true",
                "    &due_date_gt=1795305600000",
                "    &due_date_lt=1796083200000",
                "    &page=0",
            ]
        ),
    ),
    "changed this week": (
        lambda reader: reader.tasks("901000100001", WEEK, "updated", fresh=True),
        snapshot(
            [
                "GET /api/v2/user",
                "GET /api/v2/list/901000100001/task",
                "    ?include_timl=true",
                "    &date_updated_gt=1795391999999",
                "    &date_updated_lt=1795996800001",
                "    &page=0",
            ]
        ),
    ),
    "finished this week": (
        lambda reader: reader.tasks("901000100001", WEEK, "done", fresh=True),
        snapshot(
            [
                "GET /api/v2/user",
                "GET /api/v2/list/901000100001/task",
                "    ?include_timl=true",
                "    &include_closed=true",
                "    &date_done_gt=1795391999999",
                "    &date_done_lt=1795996800001",
                "    &page=0",
            ]
        ),
    ),
    "one person's of several lists due this week": (
        lambda reader: reader.tasks_together(
            ["901000100001", "901000100002"], WEEK, "due", {700002}, fresh=True
        ),
        snapshot(
            [
                "GET /api/v2/user",
                "GET /api/v2/team/90010001/task",
                "    ?due_date_gt=1795305600000",
                "    &due_date_lt=1796083200000",
                "    &order_by=due_date",
                "    &reverse=true",
                "    &assignees%5B%5D=700002",
                "    &list_ids%5B%5D=901000100001",
                "    &list_ids%5B%5D=901000100002",
                "    &page=0",
            ]
        ),
    ),
    "a look for a marker": (
        lambda reader: reader.find_by_marker(
            "901000100001", "agencyclaw key=1", datetime(2026, 11, 25, 10, tzinfo=UTC)
        ),
        snapshot(
            [
                "GET /api/v2/list/901000100001/task",
                "    ?include_closed=true",
                "    &subtasks=true",
                "    &include_timl=true",
                "    &include_markdown_description=true",
                "    &archived=false",
                "    &date_created_gt=1795600500000",
                "    &page=0",
                "GET /api/v2/list/901000100001/task",
                "    ?include_closed=true",
                "    &subtasks=true",
                "    &include_timl=true",
                "    &include_markdown_description=true",
                "    &archived=true",
                "    &date_created_gt=1795600500000",
                "    &page=0",
            ]
        ),
    ),
    "a list": (
        lambda reader: reader.list_ref("901000100001"),
        snapshot(["GET /api/v2/list/901000100001"]),
    ),
    "the inbox of a space": (
        lambda reader: reader.inbox_of("90100010"),
        snapshot(
            [
                "GET /api/v2/space/90100010/list",
                "    ?archived=false",
                "GET /api/v2/space/90100010/folder",
                "    ?archived=false",
                "GET /api/v2/folder/95/list",
                "    ?archived=false",
            ]
        ),
    ),
    "a task": (
        lambda reader: reader.task_state("86b1"),
        snapshot(
            ["GET /api/v2/task/86b1", "    ?include_markdown_description=true", "GET /api/v2/user"]
        ),
    ),
    "what stands in a task": (
        lambda reader: reader.task_text("86b1"),
        snapshot(
            [
                "GET /api/v2/user",
                "GET /api/v2/task/86b1",
                "    ?include_markdown_description=true",
                "GET /api/v2/task/86b1/comment",
            ]
        ),
    ),
    "members": (lambda reader: reader.members(), snapshot(["GET /api/v2/team"])),
    "spaces": (
        lambda reader: reader.spaces(),
        snapshot(["GET /api/v2/team/90010001/space", "    ?archived=false"]),
    ),
}


@pytest.mark.parametrize("name", READS)
async def test_what_is_asked_to_read(wire: Wire, client: ClickUpClient, name: str) -> None:
    read, expected = READS[name]
    await read(ClickUpReader(client, "90010001"))
    assert wire.lines() == expected
