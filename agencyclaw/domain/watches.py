"""Watches: what code looks for in the agency's work, and reports once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.clients import Brand, Named
from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.kpi import METRICS, StoredTarget
from agencyclaw.domain.kpi_results import StoredResult, compared
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value
from agencyclaw.domain.periods import start_of
from agencyclaw.domain.sops import OpenGap
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import counted, one_line

DAYS_AT_MOST = 30
THRESHOLD_AT_MOST = 1_000_000
THEN_LIMIT = 300
_SOON_DAYS = 7
_ERRORS_PERCENT = 10
SHOWN_FINDINGS = 10


class Check(StrEnum):
    """What is looked for: in a client's open tasks or brands, or in the agency's own records."""

    LATE = "late"
    DUE_SOON = "due_soon"
    UNASSIGNED = "unassigned"
    UNMAPPED = "unmapped"
    MISSING_TARGET = "missing_target"
    MISSED_TARGET = "missed_target"
    CHANGED_PROCEDURE = "changed_procedure"
    UNANSWERED_QUESTION = "unanswered_question"
    ERROR_RATE = "error_rate"
    COST = "cost"
    # One task is done: reported once, which ends the watch.
    DONE = "done"


TASK_CHECKS = frozenset({Check.LATE, Check.DUE_SOON, Check.UNASSIGNED, Check.DONE})
TARGET_CHECKS = frozenset({Check.MISSING_TARGET, Check.MISSED_TARGET})
# What can be looked for in one brand of a client.
BRAND_CHECKS = TARGET_CHECKS | (TASK_CHECKS - {Check.DONE}) | {Check.UNMAPPED}
# What only the whole agency has, as against a client.
AGENCY_CHECKS = frozenset({Check.CHANGED_PROCEDURE, Check.ERROR_RATE, Check.COST})
ADMIN_CHECKS = frozenset({Check.UNANSWERED_QUESTION, Check.ERROR_RATE, Check.COST})


class WatchedTask(Value):
    """One task that somebody waits for."""

    id: Annotated[str, Field(max_length=64)]
    title: Annotated[str, Field(max_length=300)]
    url: Annotated[str, Field(max_length=300)]


class Watch(Value):
    """What somebody wants to hear of; without a client it is about the whole agency.

    - `brand`: only of this brand of the client
    - `days`: how soon due counts as soon, else a week
    - `above`: reported only once there is more than that: so many findings, so many percent of
      answers that failed within a day, or so many dollars in a month
    - `task`: the one that is to be done
    - `then`: what is to be prepared of a finding, in its person's own words
    """

    client: Named | None = None
    brand: Named | None = None
    check: Check
    days: Annotated[int, Field(ge=1, le=DAYS_AT_MOST)] | None = None
    above: Annotated[int, Field(ge=0, le=THRESHOLD_AT_MOST)] | None = None
    task: WatchedTask | None = None
    then: Annotated[str, Field(max_length=THEN_LIMIT)] = ""

    @property
    def limit(self) -> int:
        """The threshold, or the usual one."""
        if self.above is not None:
            return self.above
        return _ERRORS_PERCENT if self.check is Check.ERROR_RATE else 0

    @property
    def is_for_admins(self) -> bool:
        """Whether what it finds is for admins alone."""
        return self.check in ADMIN_CHECKS

    @property
    def wanted(self) -> str:
        """What is looked for, as a person reads it."""
        is_figure = self.check in {Check.ERROR_RATE, Check.COST}
        if self.above and not is_figure:
            return message("watches.more_than", above=self.above, what=self._what)
        return self._what

    @property
    def _what(self) -> str:
        if self.client is None:
            return self._of_agency()
        if self.task:
            title = one_line(self.task.title, 120)
            return message("watches.done", title=title, client=self.client.name)
        return self._of_client(self._owner(self.client.name))

    def _owner(self, client: str) -> str:
        return f"{self.brand.name} ({client})" if self.brand else client

    def _of_client(self, client: str) -> str:
        match self.check:
            case Check.LATE:
                return message("watches.late", client=client)
            case Check.DUE_SOON:
                days = counted(self.days or _SOON_DAYS, "day")
                return message("watches.due_soon", client=client, days=days)
            case Check.UNASSIGNED:
                return message("watches.unassigned", client=client)
            case Check.UNMAPPED:
                return message("watches.unmapped", client=client)
            case Check.MISSING_TARGET:
                return message("watches.missing_target", client=client)
            case Check.MISSED_TARGET:
                return message("watches.missed_target", client=client)
            case Check.UNANSWERED_QUESTION:
                return message("watches.unanswered_of", client=client)
            case _:
                return self._of_agency()

    def _of_agency(self) -> str:
        match self.check:
            case Check.UNANSWERED_QUESTION:
                return message("watches.unanswered")
            case Check.ERROR_RATE:
                return message("watches.error_rate", percent=self.limit)
            case Check.COST:
                return message("watches.cost", dollars=self.limit)
            case _:
                return message("watches.changed_procedure")


class ChangedProcedure(Value):
    """A procedure in use whose page came new, or in a new version, at `changed_at`."""

    id: UUID
    title: str
    version: str
    changed_at: datetime


class RunFigures(Value):
    """How many answers ended within a day, how many of them failed, and what `month` has cost."""

    ended: int = 0
    failed: int = 0
    month: str = ""
    cost_usd: float = 0.0


class WatchedState(Value):
    """What the watches of a client, or of the whole agency, see at one moment.

    Of the tasks that somebody waits for, `done` are closed, and `gone` are in none of the client's
    lists any more. `tasks_of` are the ids of the tasks on the list of each brand that is watched.
    Moments are told for the calendar of `zone`.
    """

    brands: tuple[Brand, ...] = ()
    tasks: tuple[TaskRow, ...] = ()
    targets: tuple[StoredTarget, ...] = ()
    results: tuple[StoredResult, ...] = ()
    procedures: tuple[ChangedProcedure, ...] = ()
    gaps: tuple[OpenGap, ...] = ()
    figures: RunFigures = RunFigures()
    done: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    tasks_of: dict[UUID, frozenset[str]] = Field(default_factory=dict[UUID, frozenset[str]])
    zone: str = "UTC"

    def of_brand(self, brand_id: UUID) -> WatchedState:
        """Return what there is of one brand; brands that share a list share its tasks."""
        own = self.tasks_of.get(brand_id, frozenset())
        return self.model_copy(
            update={
                "brands": tuple(one for one in self.brands if one.id == brand_id),
                "tasks": tuple(one for one in self.tasks if one.id in own),
            }
        )


class WatchFinding(Value):
    """Something that a watch looks for and that is so; the same `key` is reported once.

    `is_sought` unless it only says why there is nothing to wait for any more.
    """

    key: str
    text: str
    url: str | None = None
    is_sought: bool = True


def findings_of(
    watch: Watch, state: WatchedState, today: date, since: datetime | None = None
) -> tuple[WatchFinding, ...]:
    """Return what a watch finds now, if that is above its threshold.

    `today` is the day on its owner's clock; of changes only those after `since` count.
    """
    if watch.task:
        return _of_one_task(watch.task, state)
    seen = state.of_brand(watch.brand.id) if watch.brand else state
    found = _findings(watch, seen, today, since)
    is_counted = watch.check not in {Check.ERROR_RATE, Check.COST}
    return () if is_counted and len(found) <= watch.limit else found


def _findings(
    watch: Watch, state: WatchedState, today: date, since: datetime | None
) -> tuple[WatchFinding, ...]:
    match watch.check:
        case Check.LATE:
            return _of_tasks(task for task in state.tasks if task.due and task.due < today)
        case Check.DUE_SOON:
            last = today + timedelta(days=watch.days or _SOON_DAYS)
            return _of_tasks(task for task in state.tasks if task.due and today <= task.due <= last)
        case Check.UNASSIGNED:
            return _of_tasks(task for task in state.tasks if not task.assignees)
        case Check.UNMAPPED:
            return _of_brands(brand for brand in state.brands if not brand.is_mapped)
        case Check.MISSING_TARGET:
            current = (one for one in state.targets if one.start == start_of(one.period, today))
            aimed = {one.brand_id for one in current}
            return _of_brands(brand for brand in state.brands if brand.id not in aimed)
        case Check.MISSED_TARGET:
            return _of_misses(state, today)
        case _:
            return _own_findings(watch, state, since)


def _own_findings(
    watch: Watch, state: WatchedState, since: datetime | None
) -> tuple[WatchFinding, ...]:
    """Return what is found in the agency's own records."""
    match watch.check:
        case Check.CHANGED_PROCEDURE:
            changed = (one for one in state.procedures if since and one.changed_at > since)
            return _of_procedures(changed)
        case Check.UNANSWERED_QUESTION:
            return _of_gaps(state.gaps)
        case Check.ERROR_RATE:
            return _of_errors(state.figures, watch.limit)
        case Check.COST:
            return _of_cost(state.figures, watch.limit)
        case _:
            return ()


def _of_tasks(tasks: Iterable[TaskRow]) -> tuple[WatchFinding, ...]:
    """Return the tasks as findings; one whose due date moves is another finding."""
    return tuple(
        WatchFinding(key=f"{task.id}:{task.due or ''}", text=_line(task), url=task.url)
        for task in tasks
    )


def _of_one_task(task: WatchedTask, state: WatchedState) -> tuple[WatchFinding, ...]:
    """Return how a task ended that somebody waits for, if it has."""
    if task.id in state.done:
        text = message("watches.is_done", title=one_line(task.title, 120))
        return (WatchFinding(key="done", text=text, url=task.url),)
    if task.id in state.gone:
        text = message("watches.is_gone", title=one_line(task.title, 120))
        return (WatchFinding(key="gone", text=text, is_sought=False),)
    return ()


def _of_brands(brands: Iterable[Brand]) -> tuple[WatchFinding, ...]:
    return tuple(WatchFinding(key=str(brand.id), text=one_line(brand.name, 80)) for brand in brands)


def _of_misses(state: WatchedState, today: date) -> tuple[WatchFinding, ...]:
    """Return the latest results that missed their target; a corrected one is the same finding."""
    names = {brand.id: one_line(brand.name, 80) for brand in state.brands}
    return tuple(
        WatchFinding(
            key=one.key,
            text=message(
                "watches.miss",
                where=f"{names[one.brand_id]} {one.marketplace}",
                when=one.when,
                metric=METRICS[one.metric],
                result=one.result,
                target=one.target,
                origin=one_line(one.origin, 240),
            ),
        )
        for one in compared(state.targets, state.results, today, zone_named(state.zone))
        if one.is_met is False and one.brand_id in names
    )


def _line(task: TaskRow) -> str:
    title = one_line(task.name, 120)
    names = ", ".join(one_line(name, 60) for name in task.assignees) or message("effects.nobody")
    due = message("tasks.no_due_date")
    if task.due:
        due = message("watches.due", due=f"{task.due:%d %b %Y}")
    return message("watches.task", title=title, due=due, assignees=names)


def _of_procedures(procedures: Iterable[ChangedProcedure]) -> tuple[WatchFinding, ...]:
    return tuple(
        WatchFinding(key=f"{one.id}:{one.version}", text=one_line(one.title, 120))
        for one in procedures
    )


def _of_gaps(gaps: Iterable[OpenGap]) -> tuple[WatchFinding, ...]:
    return tuple(
        WatchFinding(
            key=str(gap.id),
            text=message(
                "watches.question",
                question=one_line(gap.question, 200),
                times=counted(gap.asked, "time"),
            ),
        )
        for gap in gaps
    )


def _of_errors(figures: RunFigures, percent: int) -> tuple[WatchFinding, ...]:
    """Return one finding while more than so many percent of a day's answers failed."""
    if figures.failed * 100 <= percent * figures.ended:
        return ()
    text = message("watches.errors", failed=figures.failed, ended=figures.ended)
    return (WatchFinding(key="error_rate", text=text),)


def _of_cost(figures: RunFigures, dollars: int) -> tuple[WatchFinding, ...]:
    """Return one finding for each month that costs more."""
    if figures.cost_usd <= dollars:
        return ()
    text = message("watches.spent", dollars=f"{figures.cost_usd:.2f}")
    return (WatchFinding(key=f"cost:{figures.month}", text=text),)
