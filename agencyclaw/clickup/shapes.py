"""What this package takes and returns: tasks, people and places."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import Field

from agencyclaw.clickup.dates import noon_ms
from agencyclaw.domain.archiving import TaskSnapshot
from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.people import Value
from agencyclaw.domain.tasks import PRIORITIES
from agencyclaw.domain.text import CleanText

_PRIORITIES = {name: number for number, name in enumerate(PRIORITIES, start=1)}


class NewTask(Value):
    """A task to create; only these fields can be sent.

    Dates are calendar days; `timezone` is that of the ClickUp account (`ClickUpReader.zone`), which
    decides on which day an instant falls.
    """

    name: Annotated[CleanText, Field(min_length=1)]
    markdown_content: CleanText = ""
    assignees: tuple[Annotated[int, Field(gt=0)], ...] = ()
    start_date: date | None = None
    due_date: date | None = None
    timezone: str = "UTC"

    def as_body(self) -> dict[str, Any]:
        """Return the request body; no `notify_all`, because assignees are notified anyway."""
        body: dict[str, Any] = {"name": self.name}
        if self.markdown_content:
            body["markdown_content"] = self.markdown_content
        if self.assignees:
            body["assignees"] = list(dict.fromkeys(self.assignees))
        return {**body, **self._day("start_date"), **self._day("due_date")}

    def _day(self, field: str) -> dict[str, Any]:
        day: date | None = getattr(self, field)
        if day is None:
            return {}
        return {field: noon_ms(day, zone_named(self.timezone)), f"{field}_time": False}


class TaskEdit(Value):
    """A change of a task; only the named fields are sent. A day of None removes the date.

    A priority that is none of ClickUp's four removes it.
    """

    fields: tuple[str, ...]
    name: CleanText = ""
    status: CleanText = ""
    start: date | None = None
    due: date | None = None
    priority: CleanText = ""
    description: CleanText = ""
    joining: tuple[Annotated[int, Field(gt=0)], ...] = ()
    leaving: tuple[Annotated[int, Field(gt=0)], ...] = ()

    def as_body(self, zone: ZoneInfo) -> dict[str, Any]:
        """Return the request body, with days in the account's zone."""
        whole: dict[str, dict[str, Any]] = {
            "title": {"name": self.name},
            "status": {"status": self.status},
            "start": _date_field("start_date", self.start, zone),
            "due": _date_field("due_date", self.due, zone),
            "assignees": {"assignees": {"add": [*self.joining], "rem": [*self.leaving]}},
            "priority": {"priority": _PRIORITIES.get(self.priority)},
            # A single blank clears a description.
            "description": {"markdown_content": self.description or " "},
        }
        return {key: value for name in self.fields for key, value in whole[name].items()}


def _date_field(field: str, day: date | None, zone: ZoneInfo) -> dict[str, Any]:
    if day is None:
        return {field: None}
    return {field: noon_ms(day, zone), f"{field}_time": False}


class CreatedTask(Value):
    """A task as ClickUp returned it; `assignees_missing` were requested and not assigned."""

    id: str
    url: str
    name: str
    assignees: tuple[int, ...] = ()
    assignees_missing: tuple[int, ...] = ()
    look: TaskSnapshot | None = None


class SeenTask(Value):
    """A task's appearance at one moment."""

    look: TaskSnapshot
    is_archived: bool = False


class FoundTask(Value):
    """An existing task that was looked for."""

    id: str
    url: str
    look: TaskSnapshot | None = None
