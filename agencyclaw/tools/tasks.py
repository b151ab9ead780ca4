"""Tasks: those on the boards, and a new one prepared for a person to confirm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.people import Tier
from agencyclaw.domain.quotes import Fact, QuotedDay
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_requests import ChosenProcedure, QuotedPromotion
from agencyclaw.domain.tasks import (
    PRIORITIES,
    DateKind,
    TaskRow,
    Window,
    WindowKind,
    build_window,
)
from agencyclaw.domain.text import canonical_json, folded, one_line
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools.arguments import (
    Assigned,
    Day,
    Days,
    Facts,
    Identifiers,
    Name,
    Objective,
    Page,
    PastRange,
    PresentTitle,
    Range,
    TaskFields,
    Text,
    Title,
    Top,
)
from agencyclaw.tools.boards import read_boards
from agencyclaw.tools.brands import brands_named
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.gaps import NamedRecords, QuotedTask, TaskFlags, TaskRequest
from agencyclaw.tools.people import assigned, tasks_of
from agencyclaw.tools.results import Ask, Result
from agencyclaw.tools.unmapped_requests import draft_or_keep

# The tasks of one result; what stands around them takes some hundred more.
PAGE_TOKENS = 2_000


class TaskItem(Result):
    """One task of a list."""

    title: str
    url: str | None = None
    status: str
    assignees: tuple[str, ...] = ()
    priority: str | None = None
    due: date | None = None
    updated: date | None = None
    done: date | None = None
    brand: str | None = None


class TaskList(Result):
    """A client's open or finished tasks in a time window, and what the list leaves out."""

    client: str
    range: str
    basis: DateKind
    brands: tuple[str, ...]
    total: int
    shown: int
    tasks: tuple[TaskItem, ...] = ()
    skipped: tuple[str, ...] = ()
    note: str


@reads(tier=Tier.VIEWER, title="Reading ClickUp tasks", skill_id="clickup_task_list_weekly")
async def list_tasks(
    ctx: RunContext[Deps],
    client: Name,
    brand: Name | None = None,
    window: Range = "this_week",
    days: Days = 14,
    first: Day | None = None,
    last: Day | None = None,
    basis: Literal["due", "updated"] = "due",
    assignee: Assigned | None = None,
    top: Top | None = None,
    page: Page = 1,
) -> TaskList | Ask:
    """List a client's open ClickUp tasks in a stretch of time, of all its brands.

    Args:
        client: What the person called the client or brand.
        brand: Only this brand.
        window: "dates" needs first and last; "any_time" is all open ones.
        days: For last_n_days and next_n_days.
        first: First day.
        last: Last day.
        basis: "due" in that time, or "updated": worked on or changed.
        assignee: Whose; "me": who asks, "nobody": unassigned.
        top: At most so many, soonest due or latest changed first.
        page: Of a list that goes on.
    """
    query = TaskQuery(client, brand, window, days, first, last, basis, assignee)
    return await answer_query(ctx.deps, query, top, page)


async def answer_query(deps: Deps, query: TaskQuery, top: int | None, page: int) -> TaskList | Ask:
    """Return a page of the tasks that a person may see here and asks for."""
    query = query.as_meant()
    found = await find_tasks(deps, query)
    if isinstance(found, Ask):
        return found
    rows = found.rows
    first_row, shown = page_of(
        [_item(row, query.basis, deps.actor.zone) for row in rows[:top]], page
    )
    count = _count_note(query.basis, first_row, len(shown), len(rows[:top]), found, page)
    return TaskList(
        client=found.client,
        range=found.range,
        basis=query.basis,
        brands=found.brands,
        total=len(rows),
        shown=len(shown),
        tasks=shown,
        skipped=found.skipped,
        note=" ".join(note for note in (count, *found.notes) if note),
    )


@dataclass(frozen=True)
class TaskQuery:
    """Which tasks are asked for, as the arguments of a tool say it."""

    client: Name
    brand: Name | None
    window: Range | PastRange
    days: Days
    first: Day | None
    last: Day | None
    basis: DateKind
    assignee: Assigned | None

    def as_meant(self) -> TaskQuery:
        """Return it without what has no meaning: what is overdue was due before today."""
        if self.window != "overdue":
            return self
        return replace(self, basis="due", first=None, last=None)


@dataclass(frozen=True)
class FoundTasks:
    """A client's tasks in order, what they are called, and what has to be said about them.

    `narrowed` is what they are fewer by than all of the client's, `remarks` those of the notes that
    tell whose tasks they are.
    """

    client: str
    range: str
    brands: tuple[str, ...]
    rows: Sequence[TaskRow]
    skipped: tuple[str, ...]
    narrowed: tuple[str, ...]
    remarks: tuple[str, ...]
    notes: tuple[str, ...]


async def find_tasks(deps: Deps, query: TaskQuery) -> FoundTasks | Ask:
    """Return the tasks that a person may see here and asks for."""
    found = await find_client(deps, query.client)
    if isinstance(found, Ask):
        return found
    brands = brands_named(deps, found, query.brand)
    if isinstance(brands, Ask):
        return brands
    query = query.as_meant()
    span = _window(deps, query)
    read = await read_boards(deps, brands, span, query.basis, found.brands)
    rows, remark = await tasks_of(deps, read.tasks, query.assignee)
    names = tuple(one_line(one.name, 80) for one in brands)
    is_part = len(brands) < sum(one.is_mapped for one in found.brands)
    narrowed = (", ".join(names) if is_part else "", assigned(deps, query.assignee))
    remarks = (remark, _shared_note(names, read.shared_with))
    return FoundTasks(
        client=one_line(found.client.name, 120),
        range=span.label if span else "any time",
        brands=names,
        rows=sorted(rows, key=_ORDERS[query.basis]),
        skipped=tuple(read.skipped),
        narrowed=tuple(filter(None, narrowed)),
        remarks=tuple(filter(None, remarks)),
        notes=(
            _date_note(query.basis, span),
            *remarks,
            f"Not read: {', '.join(read.skipped)}." if read.skipped else "",
        ),
    )


def _window(deps: Deps, query: TaskQuery) -> Window | None:
    """Return the days asked for; a change or an end is an instant, whose day is the person's."""
    first, last = query.first, query.last
    if query.window == "any_time" and not (first or last):
        return None
    kind = WindowKind.DATES if first or last else WindowKind(query.window)
    try:
        window = build_window(kind, deps.today, days=query.days, first=first, last=last)
    except ValueError as wrong:
        raise Refused(str(wrong), reason="bad_window") from wrong
    return window if query.basis == "due" else window.in_zone(deps.actor.zone)


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


def day_of(moment: datetime | None, zone: ZoneInfo) -> date | None:
    """Return on which day of a person an instant was."""
    return moment.astimezone(zone).date() if moment else None


def _item(row: TaskRow, date_kind: DateKind, zone: ZoneInfo) -> TaskItem:
    return TaskItem(
        title=one_line(row.name, 160),
        url=row.url,
        status=one_line(row.status, 40),
        assignees=tuple(one_line(name, 60) for name in row.assignees[:5]),
        priority=one_line(row.priority, 20) if row.priority else None,
        due=row.due,
        updated=day_of(row.updated, zone) if date_kind == "updated" else None,
        done=day_of(row.done, zone),
        brand=one_line(row.brand, 80) if row.brand else None,
    )


def page_of(items: Sequence[TaskItem], page: int) -> tuple[int, tuple[TaskItem, ...]]:
    """Return the rows of a page within the token budget, and the number of rows before them.

    Pages are contiguous: no row is left out or repeated.
    """
    before, at, left, number = 0, 0, PAGE_TOKENS, 1
    for at, item in enumerate(items):
        cost = count_tokens(canonical_json(item))
        if cost > left and at > before:
            if number == page:
                return before, tuple(items[before:at])
            before, left, number = at, PAGE_TOKENS, number + 1
        left -= cost
    return (before, tuple(items[before:])) if number == page else (len(items), ())


def _count_note(
    basis: DateKind, before: int, shown: int, wanted: int, found: FoundTasks, page: int
) -> str:
    total = len(found.rows)
    if not total:
        kind = "finished" if basis == "done" else "open"
        asked = f"No {kind} task is in what was asked for ({found.range})"
        return f"{asked}. Brands checked: {', '.join(found.brands)}."
    if not shown:
        return f"There is no page {page}: all {total} tasks stand on earlier ones."
    if before + shown < wanted:
        return f"Tasks {before + 1} to {before + shown} of {total}; page {page + 1} has the next."
    if before:
        return f"Tasks {before + 1} to {before + shown} of {total}, the last ones."
    return f"{shown} of {total} tasks are shown." if shown < total else ""


def _shared_note(brands: tuple[str, ...], others: tuple[str, ...]) -> str:
    if not others:
        return ""
    return (
        f"{', '.join(brands)} and {', '.join(others)} share a list: these are the tasks of all of"
        " them, and which brand one is for, only its title can tell."
    )


def _date_note(date_kind: DateKind, span: Window | None) -> str:
    if date_kind == "done":
        return "By the day they were finished. Archived ones are not in it."
    if span is None:
        return "All open tasks, whatever their dates."
    if date_kind == "due":
        return "By due date: tasks without one are not in it."
    return "By last change, not by due date."


@proposes(
    CreateTask,
    tier=Tier.MEMBER,
    title="Preparing a task",
    skill_id="clickup_task_create",
)
async def create_task(
    ctx: RunContext[Deps],
    client: Name,
    title: Title,
    objective: Objective,
    procedure: ChosenProcedure | None = None,
    brand: Name | None = None,
    details: Text | None = None,
    promotion: QuotedPromotion | None = None,
    facts: Facts | None = None,
    product_identifiers: Identifiers | None = None,
    about_products: bool = False,
    identifiers_pending: bool = False,
    marketplace: Fact | None = None,
    assignee: Assigned | None = None,
    start: QuotedDay | None = None,
    due: QuotedDay | None = None,
    create_anyway: bool = False,
    replaces: PresentTitle | None = None,
    replaces_of: Name | None = None,
    clears: TaskFields | None = None,
) -> CreateTask | Ask:
    """Prepare a ClickUp task, resting on the procedure you chose, for the person to confirm.

    It finds brand and list, and asks what it needs. Pass only what was said; each fact with its
    quote, to the letter, and where that stands. A fact that its quote does not carry comes back as
    missing: ask for it. To change a waiting proposal, name it in replaces: what is left out stays.

    Args:
        client: What the person called the client or brand; "" if they named none.
        title: In a few words.
        objective: What is to be achieved, in a sentence; "" if nobody said.
        procedure: The one you chose by reading.
        brand: What they called the brand.
        details: What else they gave: scope, terms, how it is checked.
        promotion: The one wanted. Its days are not the task's.
        facts: Other figures and terms.
        product_identifiers: ASINs or SKUs they gave, or what they called the product.
        about_products: About single products: coupon, price, listing, stock.
        identifiers_pending: They want it before those are known.
        marketplace: The one named, by its code.
        assignee: A name or a role.
        start: When work starts.
        due: When it is due.
        create_anyway: Told what is missing, or of a duplicate, they insist.
        replaces: That proposal's title.
        replaces_of: Its client, if another.
        clears: What they want off it.
    """
    quoted = QuotedTask(promotion, facts or (), marketplace, start, due)
    named = NamedRecords(client, brand, assignee, product_identifiers or (), procedure)
    flags = TaskFlags(about_products, identifiers_pending, create_anyway)
    request = TaskRequest(
        title, objective, details or "", flags, replaces or "", replaces_of or "", clears or ()
    )
    return await draft_or_keep(ctx, named, request, quoted)
