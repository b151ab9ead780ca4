"""The client's requests and the workbench's answers, both held against ClickUp's own schemas.

`CLICKUP_CONTRACT` is the path of the part of ClickUp's published description that is used, without
its prose. It is ClickUp's, so it is not in the repository; without it these tests are skipped.
Without the tests, client and stand-in could share a mistake.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema
import httpx
import pytest
import pytest_asyncio
from clickup_stand import BRIGHTKETTLE, CASA_MUNDO, GLINTLY, TEAM, StillClock, open_stand

from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.shapes import NewTask, TaskEdit
from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.domain.checklists import lines_of, new_line
from agencyclaw.domain.tasks import WindowKind, build_window

CONTRACT = os.environ.get("CLICKUP_CONTRACT", "")
pytestmark = pytest.mark.skipif(not CONTRACT, reason="CLICKUP_CONTRACT names no description")
TODAY = date(2026, 11, 25)
WEEK = build_window(WindowKind.THIS_WEEK, TODAY)
SPACE = "90100500001"
_OPTION = "5f1c7c1e-3a52-4d7e-9a0b-2f6f3d1e0"
# A value for every kind of custom field that the demo agency has and that can be set.
VALUES = {
    "Marketplace": (f"{_OPTION}102",),
    "ASIN": ("B0GLINT001",),
    "Budget": ("1250.5",),
    "Go-live": ("2026-12-14",),
    "Approved by client": ("true",),
    "Channels": (f"{_OPTION}200", f"{_OPTION}202"),
    "Reviewer": ("100005",),
}
# The contract has neither Docs, which are of another version of the API, nor tokens of apps.
OUTSIDE = re.compile(r"/api/v3/")
# What the copy at hand lacks, and is checked once it has it.
GAPS = re.compile(r"(POST|PUT|DELETE) .*/checklist|DELETE .*/field/")


@cache
def contract() -> dict[str, Any]:
    return json.loads(Path(CONTRACT).read_text("utf-8"))


@cache
def operations() -> list[tuple[str, re.Pattern[str], dict[str, Any]]]:
    """Every operation of the contract: its method, the form of its path, and what it says."""
    return [
        (method.upper(), re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), operation)
        for path, methods in contract()["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post", "put", "delete")
    ]


def operation_of(method: str, path: str) -> dict[str, Any] | None:
    found = (one for name, form, one in operations() if name == method and form.fullmatch(path))
    return next(found, None)


@cache
def validator_of(operation_id: str, part: str) -> Callable[[Any], Any]:
    """Return what checks a request's body or a good answer; it raises JsonSchemaException."""
    [operation] = [one for _, _, one in operations() if one["operationId"] == operation_id]
    content = operation["requestBody"] if part == "request" else operation["responses"]["200"]
    schema = content["content"]["application/json"]["schema"]
    whole = {"$schema": "http://json-schema.org/draft-07/schema#", "allOf": [schema]}
    return fastjsonschema.compile(whole | {"components": contract()["components"]})


def faults_of(request: httpx.Request, answer: httpx.Response) -> list[str]:
    """Return where a request or its answer differs from the contract."""
    path = request.url.path.partition("/api")[2]
    operation = operation_of(request.method, path)
    if operation is None:
        asked = f"{request.method} {path}"
        return [] if GAPS.match(asked) else [f"{asked} is not in the contract"]
    known = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
    sent = set(request.url.params)
    faults = [f"{path}: no parameter is called {name}" for name in sorted(sent - known)]
    if request.content:
        faults += _wrong(operation, "request", json.loads(request.content))
    if answer.status_code == 200:
        faults += _wrong(operation, "answer", answer.json())
    return faults


def _wrong(operation: dict[str, Any], part: str, body: Any) -> list[str]:
    try:
        validator_of(operation["operationId"], part)(body)
    except fastjsonschema.JsonSchemaException as wrong:
        return [f"{operation['operationId']}, {part}: {wrong}"]
    return []


class Exchanges(httpx.AsyncBaseTransport):
    """Passes requests on, and keeps each with its answer."""

    def __init__(self) -> None:
        self._inner = httpx.AsyncHTTPTransport()
        self.kept: list[tuple[httpx.Request, httpx.Response]] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._inner.handle_async_request(request)
        await answer.aread()
        if not OUTSIDE.search(request.url.path):
            self.kept.append((request, answer))
        return answer

    async def aclose(self) -> None:
        await self._inner.aclose()

    def faults(self) -> list[str]:
        return [fault for request, answer in self.kept for fault in faults_of(request, answer)]

    def asked(self) -> set[str]:
        """Return the operations that were asked for."""
        paths = {(one.method, one.url.path.partition("/api")[2]) for one, _ in self.kept}
        return {str((operation_of(*one) or {}).get("operationId")) for one in paths}


@dataclass
class Talk:
    """The client before the workbench's ClickUp, and all that passed between them."""

    reader: ClickUpReader
    writer: ClickUpWriter
    exchanges: Exchanges


@pytest_asyncio.fixture
async def talk() -> AsyncGenerator[Talk]:
    async with open_stand(clock=StillClock()) as stand:
        exchanges = Exchanges()
        address = f"{stand.origin}/clickup/api/v2"
        client = ClickUpClient("pk_workbench", address, transport=exchanges)
        yield Talk(ClickUpReader(client, TEAM), ClickUpWriter(client), exchanges)
        await client.aclose()


async def test_what_is_read_and_its_answers_are_as_clickup_describes_them(talk: Talk) -> None:
    reader = talk.reader
    await reader.members()
    await reader.whoami()
    await reader.spaces()
    await reader.lists_of(SPACE)
    await reader.list_ref(GLINTLY)
    rows = (await reader.tasks(BRIGHTKETTLE, None, "due", fresh=True)).rows
    await reader.tasks(CASA_MUNDO, WEEK, "due", fresh=True)
    await reader.tasks(BRIGHTKETTLE, WEEK, "updated", fresh=True)
    await reader.tasks(BRIGHTKETTLE, WEEK, "done", fresh=True)
    await reader.tasks_together([BRIGHTKETTLE, GLINTLY], WEEK, "due", [100004], fresh=True)
    await reader.find_by_marker(BRIGHTKETTLE, "5a1c", datetime.now(UTC) - timedelta(days=1))
    await reader.task_state(rows[0].id)
    await reader.task_text(rows[0].id)

    assert talk.exchanges.faults() == []
    assert len(talk.exchanges.asked()) >= 10


async def clear_a_field(talk: Talk, task_id: str) -> None:
    """Empty one and fill it in again."""
    fields = (await talk.reader.task_state(task_id)).fields
    [held] = [one.value for one in fields if one.value.name == "ASIN"]
    empty = held.model_copy(update={"values": ()})
    await talk.writer.set_field(task_id, empty, held)
    await talk.writer.set_field(task_id, held, empty)


async def change_checklists(talk: Talk, task_id: str) -> None:
    """Make a checklist with an item that is ticked, then remove both."""
    empty = new_line("Launch")
    made = await talk.writer.set_line(task_id, empty.changed(says="Launch"), empty)
    item = new_line("Launch", made, "Photos")
    await talk.writer.set_line(task_id, item.changed(says="Photos", is_done=True), item)
    [held] = (await talk.reader.task_state(task_id)).checklists
    [there] = lines_of(held)
    assert there.is_done
    await talk.writer.set_line(task_id, there.changed(says=""), there)
    whole = empty.model_copy(update={"checklist_id": made})
    await talk.writer.set_line(task_id, whole, whole.changed(says="Launch"))
    assert (await talk.reader.task_state(task_id)).checklists == ()


async def test_what_is_written_and_its_answers_are_as_clickup_describes_them(talk: Talk) -> None:
    task = NewTask(
        name="Create a coupon",
        markdown_content="Take 20% off",
        assignees=(100004,),
        start_date=TODAY,
        due_date=TODAY + timedelta(days=2),
        timezone="Europe/Lisbon",
    )
    created = await talk.writer.create_task(GLINTLY, task)
    edit = TaskEdit(
        fields=("title", "status", "start", "due", "assignees", "priority", "description"),
        name="Create two coupons",
        status="in progress",
        start=None,
        due=TODAY,
        priority="high",
        description="Take 25% off",
        joining=(100005,),
        leaving=(100004,),
    )
    await talk.writer.update_task(created.id, edit)
    await talk.writer.comment(created.id, "Done on Monday")
    for field in (await talk.reader.task_state(created.id)).fields:
        if values := VALUES.get(field.value.name):
            after = field.value.model_copy(update={"values": values})
            await talk.writer.set_field(created.id, after, field.value)
    await clear_a_field(talk, created.id)
    await change_checklists(talk, created.id)
    await talk.writer.archive_task(created.id)

    assert talk.exchanges.faults() == []
    written = {"CreateTask", "UpdateTask", "CreateTaskComment", "SetCustomFieldValue"}
    assert written <= talk.exchanges.asked()
    held = {
        one.value.name: one.value.values
        for one in (await talk.reader.task_state(created.id)).fields
    }
    assert {name: held[name] for name in VALUES} == VALUES


@pytest.mark.parametrize(
    ("method", "path", "body", "answer"),
    [
        ("GET", "/api/v2/list/1/tasks", None, {"tasks": []}),
        ("GET", "/api/v2/list/1/task?statuses=open", None, {"tasks": []}),
        ("POST", "/api/v2/list/1/task", {"name": "x", "due_date": "tomorrow"}, None),
        ("PUT", "/api/v2/task/86b1", {"assignees": [100004]}, None),
        ("GET", "/api/v2/task/86b1", None, {"id": 1}),
    ],
)
def test_what_clickup_would_not_know_is_a_fault(
    method: str, path: str, body: Any, answer: Any
) -> None:
    request = httpx.Request(method, f"http://clickup.example{path}", json=body)
    response = httpx.Response(200 if answer else 204, json=answer)

    assert faults_of(request, response)
