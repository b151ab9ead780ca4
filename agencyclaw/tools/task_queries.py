"""Finds the tasks that are asked for: of one client, or of all that the person may see here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand, Client, Person
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.tasks import PRIORITIES, DateKind, TaskRow, Window, WindowKind, build_window
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.similar import titled_like
from agencyclaw.tools.arguments import Assigned, Day, Days, Name, PastRange, Range
from agencyclaw.tools.assignees import Assignees, find_assignees
from agencyclaw.tools.boards import (
    BoardQuery,
    BoardRead,
    age_of,
    read_boards,
    read_boards_together,
    shared_note,
)
from agencyclaw.tools.brands import brand_meant_by, brands_named
from agencyclaw.tools.clients import every_client, find_client, reach_of
from agencyclaw.tools.results import Ask, shown_names

# Where what was due before is worth a word beside what is due.
_AHEAD = (WindowKind.THIS_WEEK, WindowKind.NEXT_WEEK, WindowKind.THIS_MONTH, WindowKind.NEXT_N_DAYS)


@dataclass(frozen=True)
class TaskQuery:
    """Which tasks are asked for, as the arguments of a tool say it; of all clients without one.

    Single days decide of which time where there are any, else the `window`, and `days` where that
    is last_n_days or next_n_days. With `words` only those whose titles have them or nearly so, the
    closest first. `fresh` asks ClickUp itself, whatever was read some minutes ago.
    """

    client: Name | None
    brand: Name | None
    window: Range | PastRange
    days: Days
    first: Day | None
    last: Day | None
    date_kind: DateKind
    assignee: Assigned | Person | None = None
    words: str = ""
    fresh: bool = False

    def as_meant(self) -> TaskQuery:
        """Return it without what has no meaning: what is overdue was due before today."""
        if self.window != "overdue":
            return self
        return replace(self, date_kind="due", first=None, last=None)

    @property
    def window_kind(self) -> WindowKind | None:
        """Which window it is; None for any time."""
        if self.first or self.last:
            return WindowKind.DATES
        return None if self.window == "any_time" else WindowKind(self.window)

    @property
    def of(self) -> str | None:
        """What names the client: its name, or a brand's; None for all clients."""
        return self.brand if self.client is None and folded(self.brand or "") else self.client

    @property
    def is_upcoming(self) -> bool:
        """Whether it asks for what is due in a time that began just now."""
        return self.date_kind == "due" and self.window_kind in _AHEAD


@dataclass(frozen=True)
class FoundTasks:
    """The tasks in order, what they are called, and what has to be said about them.

    `client` is "" for all clients, `whose` None for everybody's. `earlier` were due before the time
    asked for, `later` are due, ended or changed in as long a time after it. `narrowed` is what they
    are fewer by than all of the client's, `remarks` those of the notes that tell whose tasks they
    are, `checked` the names of where was looked.
    """

    client: str
    range: str
    brands: tuple[str, ...]
    checked: str
    rows: Sequence[TaskRow]
    earlier: Sequence[TaskRow]
    later: Sequence[TaskRow]
    skipped: tuple[str, ...]
    narrowed: tuple[str, ...]
    remarks: tuple[str, ...]
    notes: tuple[str, ...]
    whose: Assignees | None = None
    reach: str = ""


async def find_tasks(deps: Deps, query: TaskQuery) -> FoundTasks | Ask:
    """Return the tasks that a person may see here and asks for."""
    query = query.as_meant()
    # Where the place is for one brand, that one is meant.
    hint = "" if query.of is None and deps.scope.brand_id else query.of
    if hint is None:
        found = await _of_all_clients(deps, query)
    else:
        found = await _of_client(deps, query, hint)
    if isinstance(found, Ask) or not query.words:
        return found
    return replace(found, rows=titled_like(query.words, found.rows))


async def _of_client(deps: Deps, query: TaskQuery, hint: str) -> FoundTasks | Ask:
    found = await find_client(deps, hint)
    if isinstance(found, Ask):
        return found
    brands = brands_named(deps, found, query.brand)
    if isinstance(brands, Ask):
        return brands
    days = _Days.of(deps, query)
    whose = await find_assignees(deps, query.assignee, [found.client])
    asked = BoardQuery(days.read, query.date_kind, fresh=query.fresh)
    read = await read_boards(deps, brands, asked, found.brands)
    is_of_all = not brand_meant_by(deps, found, query.brand)
    unlinked = [one for one in found.brands if is_of_all and not one.is_mapped]
    own = _found(deps, days, read, whose, (shared_note(brands, read), _not_linked(unlinked)))
    names = tuple(one_line(one.name, 80) for one in brands)
    is_part = len(brands) < sum(one.is_mapped for one in found.brands)
    return replace(
        own,
        client=one_line(found.client.name, 120),
        brands=names,
        checked=f"Brands checked: {', '.join(names)}.",
        narrowed=(", ".join(names), *own.narrowed) if is_part else own.narrowed,
    )


async def _of_all_clients(deps: Deps, query: TaskQuery) -> FoundTasks:
    """Return the tasks of all clients this person may see here; raises NotFound without any."""
    clients = await every_client(deps)
    brands = await deps.directory.brands([client.id for client in clients])
    days = _Days.of(deps, query)
    whose = await find_assignees(deps, query.assignee, clients)
    ids = whose.ids if whose and whose.are_known else frozenset[int]()
    read = await read_boards_together(
        deps, clients, brands, BoardQuery(days.read, query.date_kind, ids, query.fresh)
    )
    mapped = {brand.client_id for brand in brands if brand.is_mapped}
    unlinked = [client for client in clients if client.id not in mapped]
    looked_at = _names(client for client in clients if client.id in mapped)
    own = _found(deps, days, read, whose, (_left_out(unlinked, read),))
    reach = await reach_of(deps, clients)
    is_part = reach and whose and not whose.is_nobody
    return replace(
        own,
        checked=f"Clients checked: {looked_at or 'none'}.",
        notes=(*own.notes, message("remarks.part_of_work") if is_part else ""),
        reach=" ".join(filter(None, (reach, own.reach))),
    )


def _found(
    deps: Deps, days: _Days, read: BoardRead, whose: Assignees | None, remarks: Sequence[str]
) -> FoundTasks:
    """Return the tasks among some that are asked for, as those of all clients."""
    rows, remark = whose.own(read.tasks) if whose else (read.tasks, "")
    remarks, age = (remark, *remarks), age_of(deps, read)
    return FoundTasks(
        client="",
        range=days.label,
        brands=(),
        checked="",
        rows=sorted(days.within(rows), key=_ORDERS[days.date_kind]),
        earlier=sorted(days.earlier(rows), key=_ORDERS["due"]),
        later=days.later(rows),
        skipped=tuple(read.skipped),
        narrowed=(whose.label,) if whose else (),
        remarks=tuple(filter(None, remarks)),
        notes=(_date_note(days.date_kind, days.asked), *remarks, _unread(read), age),
        whose=whose,
        reach=age,
    )


@dataclass(frozen=True)
class _Days:
    """The time that is asked for, and the one that is read, which may be longer.

    What one person calls last week is this one for another, so what is past is read on, and so is
    what is ahead.
    """

    asked: Window | None
    read: Window | None
    date_kind: DateKind

    @classmethod
    def of(cls, deps: Deps, query: TaskQuery) -> _Days:
        asked = read = _window(deps, query)
        if asked and query.is_upcoming:
            read = asked.read_on().from_ever()
        elif asked and query.date_kind != "due":
            read = asked.read_on_until(deps.now)
        return cls(asked, read, query.date_kind)

    @property
    def label(self) -> str:
        return self.asked.label if self.asked else "any time"

    def within(self, rows: Sequence[TaskRow]) -> list[TaskRow]:
        return [row for row in rows if not self._is_earlier(row) and not self._is_later(row)]

    def earlier(self, rows: Sequence[TaskRow]) -> list[TaskRow]:
        return [row for row in rows if self._is_earlier(row)]

    def later(self, rows: Sequence[TaskRow]) -> list[TaskRow]:
        return [row for row in rows if self._is_later(row)]

    def _is_earlier(self, row: TaskRow) -> bool:
        if self.asked is None or self.date_kind != "due":
            return False
        return row.due is not None and row.due < self.asked.start.date()

    def _is_later(self, row: TaskRow) -> bool:
        if self.asked is None:
            return False
        if self.date_kind == "due":
            return row.due is not None and row.due >= self.asked.end.date()
        at = row.updated if self.date_kind == "updated" else row.done
        return at is not None and at >= self.asked.end


def _window(deps: Deps, query: TaskQuery) -> Window | None:
    """Return the days asked for; a change or an end is an instant, whose day is the person's."""
    kind = query.window_kind
    if kind is None:
        return None
    try:
        window = build_window(kind, deps.today, days=query.days, first=query.first, last=query.last)
    except ValueError as wrong:
        raise Refused(str(wrong), reason="bad_window") from wrong
    return window if query.date_kind == "due" else window.in_zone(deps.actor.zone)


def _by_due(row: TaskRow) -> tuple[date, int, str, str]:
    rank = PRIORITIES.index(row.priority) if row.priority in PRIORITIES else len(PRIORITIES)
    return (row.due or date.max, rank, folded(row.name), row.id)


def _by_change(row: TaskRow) -> tuple[float, str, str]:
    return (-row.updated.timestamp() if row.updated else 0.0, folded(row.name), row.id)


def _by_end(row: TaskRow) -> tuple[float, str, str]:
    return (-row.done.timestamp() if row.done else 0.0, folded(row.name), row.id)


_ORDERS: dict[DateKind, Callable[[TaskRow], Any]] = {
    "due": _by_due,
    "updated": _by_change,
    "done": _by_end,
}


def _date_note(date_kind: DateKind, span: Window | None) -> str:
    if date_kind == "done":
        return message("remarks.by_done")
    if span is None:
        return message("remarks.all_open")
    if date_kind == "due":
        return message("remarks.by_due")
    return message("remarks.by_change")


def _unread(read: BoardRead) -> str:
    return f"Not read: {', '.join(read.skipped)}." if read.skipped else ""


def _left_out(unlinked: Sequence[Client], read: BoardRead) -> str:
    """Say which clients have no list, and whether there is more than was read."""
    without = _not_linked(unlinked)
    more = message("remarks.too_many_tasks", count=len(read.tasks)) if read.is_cut else ""
    return " ".join(filter(None, (without, more)))


def _not_linked(unlinked: Sequence[Client | Brand]) -> str:
    names = _names(unlinked)
    return message("remarks.not_linked", clients=names) if names else ""


def _names(clients: Iterable[Client | Brand]) -> str:
    return ", ".join(shown_names(one_line(client.name, 60) for client in clients))
