"""Time windows of task lists: the filter for the server, and the exact check here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time
from typing import Any

from agencyclaw.clickup.dates import DAY_MS, instant_ms
from agencyclaw.domain.tasks import DateKind, TaskRow, Window

# The server's filter for each kind of date, and how much wider than the window it is asked for.
_FIELDS: dict[DateKind, tuple[str, int]] = {
    "due": ("due_date", DAY_MS),
    "updated": ("date_updated", 1),
    "done": ("date_done", 1),
}
_NEVER = datetime.max.replace(tzinfo=UTC)


def window_query(window: Window | None, date_kind: DateKind) -> dict[str, str | int]:
    """Return the server's filter, a little wider than the window, because days depend on zones."""
    closed = {"include_closed": "true"} if date_kind == "done" else {}
    if window is None:
        return {**closed}
    field, wider = _FIELDS[date_kind]
    return {
        **closed,
        f"{field}_gt": instant_ms(window.start) - wider,
        f"{field}_lt": instant_ms(window.end) + wider,
    }


def soonest_first(date_kind: DateKind) -> dict[str, str | int]:
    """Return the order in which the server sends tasks, should there be too many to read."""
    if date_kind == "due":
        return {"order_by": "due_date", "reverse": "true"}
    return {"order_by": "updated"}


def is_within(row: TaskRow, window: Window | None, date_kind: DateKind) -> bool:
    """Return whether a task belongs to the window.

    A due date is a calendar day and belongs if that day begins, in UTC, inside the half-open
    window; an update and an end are instants.
    """
    if window is None:
        return True
    moment = _moment(row, date_kind)
    return moment is not None and window.start <= moment < window.end


def reading_order(date_kind: DateKind) -> Callable[[TaskRow], Any]:
    """Return the sort key of a list: soonest due first, or latest changed or finished first."""
    if date_kind == "due":
        return lambda row: (_due_start(row) or _NEVER, row.name, row.id)

    def latest_first(row: TaskRow) -> Any:
        moment = _moment(row, date_kind)
        return (-instant_ms(moment) if moment else 0, row.name, row.id)

    return latest_first


def _moment(row: TaskRow, date_kind: DateKind) -> datetime | None:
    match date_kind:
        case "due":
            return _due_start(row)
        case "updated":
            return row.updated
        case "done":
            return row.done


def _due_start(row: TaskRow) -> datetime | None:
    return datetime.combine(row.due, time(0), UTC) if row.due else None
