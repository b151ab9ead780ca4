"""Tasks: those on the boards, and a new one prepared for a person to confirm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Literal
from zoneinfo import ZoneInfo

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.people import Tier
from agencyclaw.domain.quotes import Fact, QuotedDay
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_requests import ChosenProcedure, QuotedPromotion
from agencyclaw.domain.tasks import DateKind, TaskRow
from agencyclaw.domain.text import canonical_json, counted, one_line
from agencyclaw.knowledge.tokens import count_tokens
from agencyclaw.tools.arguments import (
    NOBODY,
    Assigned,
    Day,
    Days,
    Facts,
    Identifiers,
    Name,
    Objective,
    Page,
    PresentTitle,
    Range,
    TaskFields,
    Text,
    Title,
    Top,
)
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.gaps import NamedRecords, QuotedTask, TaskFlags, TaskRequest
from agencyclaw.tools.results import NAMED_AT_MOST, Ask, Listing, Result
from agencyclaw.tools.task_products import named_products
from agencyclaw.tools.task_queries import FoundTasks, TaskQuery, find_tasks
from agencyclaw.tools.unmapped_requests import draft_or_keep

# The tasks of one result; what stands around them takes some hundred more.
PAGE_TOKENS = 2_000
EARLIER_SHOWN = 3


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
    client: str | None = None


class TaskList(Listing):
    """Open or finished tasks in a time window, and what the list leaves out.

    Without a client it covers several. `by_assignee` counts all that were found by whose they are,
    the most first, if that is several people; one of two people counts for both. `due_before` are
    the first that were due before that time.
    """

    client: str = ""
    range: str
    date_kind: DateKind
    brands: tuple[str, ...] = ()
    total: int
    shown: int
    by_assignee: dict[str, int] = Field(default_factory=dict[str, int])
    tasks: tuple[TaskItem, ...] = ()
    due_before: tuple[TaskItem, ...] = ()
    skipped: tuple[str, ...] = ()
    note: str


@reads(tier=Tier.VIEWER, skill_id="clickup_task_list_weekly")
async def list_tasks(
    ctx: RunContext[Deps],
    client: Name | None = None,
    brand: Name | None = None,
    window: Range = "this_week",
    days: Days = 14,
    first: Day | None = None,
    last: Day | None = None,
    date_kind: Literal["due", "updated"] = "due",
    assignee: Assigned | None = None,
    top: Top | None = None,
    page: Page = 1,
    fresh: bool = False,
) -> TaskList | Ask:
    """List open ClickUp tasks in a stretch of time, counted by person (workload).

    Args:
        client: What they called the client or brand; none: all.
        brand: Only this brand.
        window: "dates" needs first and last; "any_time" is all open ones.
        days: For last_n_days and next_n_days.
        first: First day.
        last: Last day.
        date_kind: "updated": worked on or changed.
        assignee: Who, or a role; "me": who asks, "nobody": unassigned.
        top: At most so many, soonest due or latest changed first.
        page: Of a list that goes on.
        fresh: Not as of some minutes ago.
    """
    query = TaskQuery(client, brand, window, days, first, last, date_kind, assignee, fresh=fresh)
    return await answer_query(ctx.deps, query, top, page)


async def answer_query(deps: Deps, query: TaskQuery, top: int | None, page: int) -> TaskList | Ask:
    """Return a page of the tasks that a person may see here and asks for."""
    query = query.as_meant()
    found = await find_tasks(deps, query)
    if isinstance(found, Ask):
        return found
    rows = found.rows
    zone = deps.actor.zone
    first_row, shown = page_of([task_item(row, query.date_kind, zone) for row in rows[:top]], page)
    count = _count_note(query, first_row, len(shown), len(rows[:top]), found, page)
    return TaskList(
        client=found.client,
        range=found.range,
        date_kind=query.date_kind,
        brands=found.brands,
        total=len(rows),
        shown=len(shown),
        by_assignee=_by_assignee(rows),
        tasks=shown,
        due_before=tuple(task_item(row, "due", zone) for row in found.earlier[:EARLIER_SHOWN]),
        skipped=found.skipped,
        note=" ".join(filter(None, (count, _earlier_note(found, deps.today), *found.notes))),
        reach=found.reach,
    )


def _by_assignee(rows: Sequence[TaskRow]) -> dict[str, int]:
    """Count tasks by whose they are, nobody's too; {} unless that is several people."""
    owners = (row.assignees or (NOBODY,) for row in rows)
    tally = Counter(one_line(name, 60) for names in owners for name in dict.fromkeys(names))
    if len(tally.keys() - {NOBODY}) < 2:
        return {}
    first = dict(tally.most_common(NAMED_AT_MOST))
    rest = tally.total() - sum(first.values())
    return first | ({"all others": rest} if rest else {})


def task_item(row: TaskRow, date_kind: DateKind, zone: ZoneInfo) -> TaskItem:
    """Return a task as a list shows it."""
    return TaskItem(
        title=one_line(row.name, 160),
        url=row.url,
        status=one_line(row.status, 40),
        assignees=tuple(one_line(name, 60) for name in row.assignees[:5]),
        priority=one_line(row.priority, 20) if row.priority else None,
        due=row.due,
        updated=day_of(row.updated, zone) if row.updated and date_kind == "updated" else None,
        done=day_of(row.done, zone) if row.done else None,
        brand=one_line(row.brand, 80) if row.brand else None,
        client=one_line(row.client, 120) if row.client else None,
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
    query: TaskQuery, before: int, shown: int, wanted: int, found: FoundTasks, page: int
) -> str:
    total = len(found.rows)
    if not total:
        kind = "finished" if query.date_kind == "done" else "open"
        asked = f"No {kind} task is in what was asked for ({found.range})"
        if query.words:
            asked = f"No {kind} task has such words in its title ({found.range})"
        later = counted(len(found.later), "task")
        after = f" In the same number of days right after it: {later}." if found.later else ""
        return f"{asked}.{after} {found.checked}"
    if not shown:
        return f"There is no page {page}: all there is, {counted(wanted, 'task')}, is before it."
    if before + shown < wanted:
        return f"Tasks {before + 1} to {before + shown} of {total}; page {page + 1} has the next."
    if before:
        return f"Tasks {before + 1} to {before + shown} of {total}, the last ones."
    return f"{shown} of {total} tasks are shown." if shown < total else ""


def _earlier_note(found: FoundTasks, today: date) -> str:
    """Say how many were due before the time asked for, which is worth a word in the answer."""
    if not found.earlier:
        return ""
    late = sum(row.due is not None and row.due < today for row in found.earlier)
    overdue = f', {late} of them overdue (window "overdue")' if late else ", none of them overdue"
    return f"Due before that time, not among these: {len(found.earlier)}{overdue}. Mention them."


@proposes(CreateTask, tier=Tier.MEMBER, skill_id="clickup_task_create")
async def create_task(
    ctx: RunContext[Deps],
    client: Name,
    title: Title,
    objective: Objective = "",
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
        objective: What is to be achieved, in a sentence.
        procedure: The one you chose by reading.
        brand: What they called the brand.
        details: What else they gave: scope, terms, how it is checked.
        promotion: The one wanted. Its days are not the task's.
        facts: Other figures and terms.
        product_identifiers: ASINs or SKUs they gave, or what they called the product.
        about_products: About single products, not all of a kind: coupon, price, listing, stock.
        identifiers_pending: They want it before those are known.
        marketplace: The one named, by its code.
        assignee: A name or a role.
        start: When work starts.
        due: When it is due.
        create_anyway: Told what is missing, or of a duplicate, they insist.
        replaces: That proposal's title.
        replaces_of: Its client, if another.
        clears: What they want off it, or none of: due if they said no date.
    """
    quoted = QuotedTask(promotion, facts or (), marketplace, start, due)
    named = NamedRecords(client, brand, assignee, named_products(product_identifiers), procedure)
    flags = TaskFlags(about_products, identifiers_pending, create_anyway)
    request = TaskRequest(
        title, objective, details or "", flags, replaces or "", replaces_of or "", clears or ()
    )
    return await draft_or_keep(ctx, named, request, quoted)
