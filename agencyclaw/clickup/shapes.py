"""What this package takes and returns: a task to create, a task that was found, people, places."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field

from agencyclaw.clickup.dates import noon_ms
from agencyclaw.domain.archiving import TaskLook
from agencyclaw.domain.people import Value
from agencyclaw.domain.text import clean
from agencyclaw.domain.zones import zone_named


def _sendable(value: object) -> object:
    return clean(value, limit=len(value)) if isinstance(value, str) else value


Sendable = Annotated[str, BeforeValidator(_sendable)]


class NewTask(Value):
    """A task to create; these fields and no others can be sent.

    Dates are calendar days; `timezone` is that of the ClickUp account (`ClickUpReader.zone`), as
    ClickUp keeps the day on which an instant falls there.
    """

    name: Annotated[Sendable, Field(min_length=1)]
    markdown_content: Sendable = ""
    assignees: tuple[Annotated[int, Field(gt=0)], ...] = ()
    start_date: date | None = None
    due_date: date | None = None
    timezone: str = "UTC"

    def as_body(self) -> dict[str, Any]:
        """Return the body of the request. Without `notify_all`, as assignees are told anyway."""
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
    """A change of a task; only the named fields are sent. A day of None takes the date away."""

    fields: tuple[str, ...]
    name: Sendable = ""
    status: Sendable = ""
    start: date | None = None
    due: date | None = None
    joining: tuple[Annotated[int, Field(gt=0)], ...] = ()
    leaving: tuple[Annotated[int, Field(gt=0)], ...] = ()

    def as_body(self, zone: ZoneInfo) -> dict[str, Any]:
        """Return the body of the request, with days as they are kept in the account's zone."""
        whole: dict[str, dict[str, Any]] = {
            "title": {"name": self.name},
            "status": {"status": self.status},
            "start": _date_field("start_date", self.start, zone),
            "due": _date_field("due_date", self.due, zone),
            "assignees": {"assignees": {"add": [*self.joining], "rem": [*self.leaving]}},
        }
        return {key: value for name in self.fields for key, value in whole[name].items()}


def _date_field(field: str, day: date | None, zone: ZoneInfo) -> dict[str, Any]:
    if day is None:
        return {field: None}
    return {field: noon_ms(day, zone), f"{field}_time": False}


class CreatedTask(Value):
    """A task as ClickUp says it now is; who was asked for and is not on it is `assignees_missing`.

    `due_day` is the day that ClickUp kept, to be compared with the one that was asked for.
    """

    id: str
    url: str
    name: str
    assignees: tuple[int, ...] = ()
    assignees_missing: tuple[int, ...] = ()
    due_day: date | None = None
    look: TaskLook | None = None


class SeenTask(Value):
    """What can be told of a task at one glance."""

    look: TaskLook
    is_archived: bool = False


class FoundTask(Value):
    """A task that exists, with its description as far as ClickUp tells it."""

    id: str
    url: str
    name: str
    description: str = ""
    created: datetime | None = None
    look: TaskLook | None = None


class Member(Value):
    """A person of the Workspace; who has not joined yet has no name."""

    id: int
    name: str | None = None
    email: str | None = None
    timezone: str | None = None


class Space(Value):
    """A space of the Workspace."""

    id: str
    name: str
