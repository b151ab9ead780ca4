"""Task lists: their time windows, their rows, and the lists of ClickUp."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from agencyclaw.domain.days import in_months
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import OneName
from agencyclaw.domain.people import Value
from agencyclaw.domain.text import counted, one_line

Title = Annotated[str, Field(min_length=3, max_length=200)]
SHOWN_AT_MOST = 200
PRIORITIES = ("urgent", "high", "normal", "low")


class WindowKind(StrEnum):
    """The time windows of a task list."""

    THIS_WEEK = "this_week"
    LAST_WEEK = "last_week"
    NEXT_WEEK = "next_week"
    THIS_MONTH = "this_month"
    LAST_N_DAYS = "last_n_days"
    NEXT_N_DAYS = "next_n_days"
    DATES = "dates"
    OVERDUE = "overdue"


DateKind = Literal["due", "updated", "done"]
# Earlier than any due date.
_EVER = datetime(2000, 1, 1, tzinfo=UTC)


class Window(Value):
    """A half-open interval of whole UTC days, with its label."""

    start: datetime
    end: datetime
    label: str

    def from_ever(self) -> Window:
        """Return the same end with everything before it."""
        return self.model_copy(update={"start": _EVER})

    def read_on(self) -> Window:
        """Return the same start with as long a time after the end."""
        return self.model_copy(update={"end": self.end + (self.end - self.start)})

    def read_on_until(self, now: datetime) -> Window:
        """Return the same as far as it is past."""
        return self.model_copy(update={"end": max(self.end, min(self.read_on().end, now))})

    def in_zone(self, zone: ZoneInfo) -> Window:
        """Return the same days as they run in a zone."""
        edges = {"start": self.start, "end": self.end}
        days = {edge: datetime.combine(at.date(), time(0), zone) for edge, at in edges.items()}
        return self.model_copy(update={edge: at.astimezone(UTC) for edge, at in days.items()})


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _days(start: date, end: date, label: str) -> Window:
    """Build a window of whole UTC days, `end` included."""
    year = "" if start.year == end.year else f" {start:%Y}"
    span = f"{label}, {start:%a %d %b}{year} – {end:%a %d %b %Y}" if label else f"{start} – {end}"
    return Window(start=_midnight(start), end=_midnight(end + timedelta(days=1)), label=span)


def _week(day: date, label: str) -> Window:
    monday = day - timedelta(days=day.weekday())
    return _days(monday, monday + timedelta(days=6), label)


def build_window(
    kind: WindowKind,
    today: date,
    *,
    days: int = 14,
    first: date | None = None,
    last: date | None = None,
) -> Window:
    """Return the window of a kind; weeks run from Monday 00:00 UTC for seven days.

    Raises ValueError in a person's words if dates are missing or in the wrong order.
    """
    match kind:
        case WindowKind.THIS_WEEK:
            return _week(today, "this week")
        case WindowKind.LAST_WEEK:
            return _week(today - timedelta(days=7), "last week")
        case WindowKind.NEXT_WEEK:
            return _week(today + timedelta(days=7), "next week")
        case WindowKind.THIS_MONTH:
            start = today.replace(day=1)
            return _days(start, in_months(start, 1) - timedelta(days=1), "this month")
        case WindowKind.LAST_N_DAYS:
            label = message("tasks.last_days", days=counted(days, "day"))
            return _days(today - timedelta(days=days - 1), today, label)
        case WindowKind.NEXT_N_DAYS:
            label = message("tasks.next_days", days=counted(days, "day"))
            return _days(today, today + timedelta(days=days - 1), label)
        case WindowKind.DATES:
            return _between(first, last)
        case WindowKind.OVERDUE:
            label = message("tasks.overdue", today=f"{today:%a %d %b %Y}")
            return Window(start=_EVER, end=_midnight(today), label=label)


def _between(first: date | None, last: date | None) -> Window:
    if first is None or last is None:
        raise ValueError("Both dates are needed: from and to.")
    if last < first:
        raise ValueError("The range ends before it starts.")
    return _days(first, last, "")


class TaskRow(Value):
    """A ClickUp task as a list shows it; `assignee_ids` are in the order of `assignees`."""

    id: str
    name: str
    status: str
    is_closed: bool = False
    assignees: tuple[str, ...] = ()
    assignee_ids: tuple[int, ...] = ()
    priority: str | None = None
    start: date | None = None
    due: date | None = None
    updated: datetime | None = None
    done: datetime | None = None
    url: str | None = None
    list_id: str | None = None
    list_name: str | None = None
    brand: str | None = None
    client: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names people use: its title, and the label of its button."""
        return (self.name, self.full_name)

    @property
    def full_name(self) -> str:
        """The title with what distinguishes it from tasks of the same title."""
        due = f"due {self.due}" if self.due else "no due date"
        where = self.brand or self.list_name
        facts = (self.status, due, *self.assignees[:1], *([one_line(where, 20)] if where else []))
        return f"{one_line(self.name, 30)} ({', '.join(facts)})"


class TaskRead(Value):
    """Tasks that were read together; `is_cut` if there are more than were read.

    `as_of` is when they were read, None for just now.
    """

    rows: tuple[TaskRow, ...]
    is_cut: bool = False
    as_of: datetime | None = None


class ListStatus(OneName):
    """A status that the tasks of a list can have; `is_last` if they are finished with it."""

    is_last: bool = False

    @property
    def id(self) -> str:
        """What it is called, which is unique in its list."""
        return self.name


class ListRef(Value):
    """A ClickUp list."""

    id: str
    name: str
    space_id: str | None = None
    space_name: str | None = None
    folder_name: str | None = None
    statuses: tuple[ListStatus, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it."""
        return (self.name, self.id)

    @property
    def full_name(self) -> str:
        """The name with what distinguishes it from namesakes."""
        within = " / ".join(filter(None, (self.space_name, self.folder_name)))
        return f"{self.name} in {within}" if within else self.name

    @property
    def path(self) -> str:
        """Space, folder and list as a person reads them."""
        return " / ".join(filter(None, (self.space_name, self.folder_name, self.name)))

    @property
    def name_in_space(self) -> str:
        """The name, with its folder's, within a space."""
        return ", ".join(filter(None, (self.folder_name, self.name)))
