"""Stored documents of the stand-in ClickUp: tasks and comments."""

from typing import Any

from pydantic import BaseModel, Field

Json = dict[str, Any]


class Item(BaseModel):
    """An item of a checklist."""

    id: str
    name: str
    created: int
    resolved: bool = False


class TaskChecklist(BaseModel):
    """A checklist of a task."""

    id: str
    name: str
    created: int
    items: list[Item] = Field(default_factory=list[Item])


class Task(BaseModel):
    """A stored task; people, places and tags are ids, and times are milliseconds."""

    id: str
    number: int
    name: str
    list_id: str
    status: str
    created: int
    updated: int
    creator: int
    markdown: str = ""
    literal: bool = False
    also_in: list[str] = Field(default_factory=list)
    closed: int | None = None
    archived: bool = False
    assignees: list[int] = Field(default_factory=list)
    watchers: list[int] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    parent: str | None = None
    priority: int | None = None
    due: int | None = None
    due_timed: bool = False
    start: int | None = None
    start_timed: bool = False
    points: float | None = None
    time_estimate: int | None = None
    waits_for: list[str] = Field(default_factory=list)
    awaited_by: list[str] = Field(default_factory=list)
    checklists: list[TaskChecklist] = Field(default_factory=list[TaskChecklist])
    custom_item_id: int = 0
    custom_fields: dict[str, Any] = Field(default_factory=dict)
    listed_from: int = 0
    """Lists show the task only from this instant on; asking by id always finds it."""


class Comment(BaseModel):
    """A comment under a task."""

    id: int
    task_id: str
    user: int
    text: str
    date: int


def task_id_for(number: int) -> str:
    """Return an id like ClickUp's; ids never repeat and are the same for every fresh seed."""
    return "86b" + _base36(60_466_176 + number * 7_919 % 2_116_316_160).rjust(6, "0")


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number:
        number, rest = divmod(number, 36)
        text = digits[rest] + text
    return text
