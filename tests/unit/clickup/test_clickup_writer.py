"""Creating a task: what is sent, and what of the answer is believed."""

from __future__ import annotations

from datetime import date
from typing import Any

import httpx
import pytest
from clickup_fake import FakeClickUp
from pydantic import ValidationError

from agencyclaw.clickup.shapes import NewTask
from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.domain.errors import NotFound, Unclear

TASK = NewTask(
    name="Create coupon: 20% off the garlic press",
    markdown_content="## Checklist\n- [ ] Build it\n\nagencyclaw run=1 key=2",
    assignees=(700002, 700003),
    due_date=date(2026, 11, 30),
    timezone="Europe/Lisbon",
)


async def test_a_created_task_is_told_as_clickup_shows_it(
    writer: ClickUpWriter, board: FakeClickUp
) -> None:
    created = await writer.create_task("901", TASK)
    assert (created.id, created.url) == ("86b0001", "https://app.clickup.com/t/86b0001")
    assert created.name == TASK.name
    assert created.assignees == (700002, 700003)
    assert created.assignees_missing == ()
    assert (len(board.tasks), board.posts) == (1, 1)


async def test_an_assignee_who_was_dropped_without_a_word_is_missed(
    writer: ClickUpWriter, board: FakeClickUp
) -> None:
    answer = {"id": "86b1", "name": TASK.name, "assignees": [{"id": 700003, "username": None}]}
    board.fails(httpx.Response(200, json=answer))
    created = await writer.create_task("901", TASK)
    assert created.assignees == (700003,)
    assert created.assignees_missing == (700002,)


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"id": "86b1"},
        {"id": "", "name": TASK.name},
        {"id": None, "name": TASK.name},
        {"name": TASK.name},
        {"id": "86b1", "name": "Another task"},
        {"err": "Something", "ECODE": "X_1"},
        {"task": {"id": "86b1", "name": TASK.name}},
    ],
    ids=str,
)
async def test_an_answer_that_does_not_show_our_task_is_unclear(
    writer: ClickUpWriter, board: FakeClickUp, answer: dict[str, Any]
) -> None:
    board.fails(httpx.Response(200, json=answer), after_commit=True)
    with pytest.raises(Unclear):
        await writer.create_task("901", TASK)
    assert (len(board.tasks), board.posts) == (1, 1)


@pytest.mark.parametrize(
    "answer",
    [
        {"id": 8600001, "name": TASK.name},
        {"id": "86b1", "name": f"  {TASK.name.replace(' ', '  ')} ", "assignees": None},
        {"id": "86b1", "name": TASK.name, "assignees": "700002", "due_date": "soon", "url": 5},
        {"id": "86b1", "name": TASK.name, "url": "javascript:alert(1)", "status": [], "new": {}},
        {"id": "86b1", "name": TASK.name, "url": "https://evil.example/t/86b1"},
        {"id": "86b1", "name": TASK.name, "url": "https://app.clickup.com.evil.example/t/1"},
    ],
    ids=str,
)
async def test_only_id_and_name_are_needed_in_an_answer(
    writer: ClickUpWriter, board: FakeClickUp, answer: dict[str, Any]
) -> None:
    board.fails(httpx.Response(200, json=answer))
    created = await writer.create_task("901", TASK)
    assert created.url == f"https://app.clickup.com/t/{answer['id']}"
    assert created.assignees_missing == (700002, 700003)


async def test_a_list_that_can_be_none_is_never_written_to(
    writer: ClickUpWriter, board: FakeClickUp
) -> None:
    with pytest.raises(NotFound):
        await writer.create_task("901/../902", TASK)
    assert board.requests == []


@pytest.mark.parametrize("field", ["notify_all", "status", "parent", "custom_fields", "tags"])
def test_no_other_field_can_be_sent(field: str) -> None:
    with pytest.raises(ValidationError):
        NewTask(name="A task", **{field: True})


def test_a_task_has_a_name_and_assignees_with_numbers() -> None:
    for wrong in ({"name": " "}, {"name": "A", "assignees": ["abc"]}, {"assignees": [0]}):
        with pytest.raises(ValidationError):
            NewTask.model_validate(wrong)


def test_what_can_not_be_written_as_utf8_is_not_sent() -> None:
    body = NewTask(name="Half \ud83d\0", markdown_content="\ud83d text\x07").as_body()
    assert body == {"name": "Half", "markdown_content": "text"}
