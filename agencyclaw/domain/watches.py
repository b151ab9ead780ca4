"""Watches: what code looks for in a client's work, and reports once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from agencyclaw.domain.clients import Brand, Named
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import one_line

DAYS_AT_MOST = 30
_SOON_DAYS = 7
SHOWN_FINDINGS = 10


class Check(StrEnum):
    """What is looked for: in open tasks, or in the brands of the client."""

    LATE = "late"
    DUE_SOON = "due_soon"
    UNASSIGNED = "unassigned"
    UNMAPPED = "unmapped"
    MISSING_TARGET = "missing_target"


class Watch(Value):
    """What somebody wants to hear of; `days` says how soon due counts as soon, else a week."""

    client: Named
    check: Check
    days: Annotated[int, Field(ge=1, le=DAYS_AT_MOST)] | None = None

    @property
    def wanted(self) -> str:
        """What is looked for, as a person reads it."""
        client = self.client.name
        match self.check:
            case Check.LATE:
                return message("watches.late", client=client)
            case Check.DUE_SOON if self.days:
                return message("watches.due_in_days", client=client, days=self.days)
            case Check.DUE_SOON:
                return message("watches.due_in_a_week", client=client)
            case Check.UNASSIGNED:
                return message("watches.unassigned", client=client)
            case Check.UNMAPPED:
                return message("watches.unmapped", client=client)
            case Check.MISSING_TARGET:
                return message("watches.missing_target", client=client)


class ClientState(Value):
    """A client's brands, open tasks and targets at one moment, as all its watches see them."""

    brands: tuple[Brand, ...] = ()
    tasks: tuple[TaskRow, ...] = ()
    targets: tuple[StoredTarget, ...] = ()


class WatchFinding(Value):
    """Something that a watch looks for and that is so; the same `key` is reported once."""

    key: str
    text: str
    url: str | None = None


def findings_of(watch: Watch, state: ClientState, today: date) -> tuple[WatchFinding, ...]:
    """Return what a watch finds now; `today` is the day on its owner's clock."""
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
            aimed = {one.brand_id for one in state.targets if _is_in_force(one, today)}
            return _of_brands(brand for brand in state.brands if brand.id not in aimed)


def _is_in_force(target: StoredTarget, today: date) -> bool:
    if target.period == "annual":
        return target.start.year == today.year
    return target.start == today.replace(day=1)


def _of_tasks(tasks: Iterable[TaskRow]) -> tuple[WatchFinding, ...]:
    """Return the tasks as findings; one whose due date moves is another finding."""
    return tuple(
        WatchFinding(key=f"{task.id}:{task.due or ''}", text=_line(task), url=task.url)
        for task in tasks
    )


def _of_brands(brands: Iterable[Brand]) -> tuple[WatchFinding, ...]:
    return tuple(WatchFinding(key=str(brand.id), text=one_line(brand.name, 80)) for brand in brands)


def _line(task: TaskRow) -> str:
    title = one_line(task.name, 120)
    assignees = ", ".join(one_line(name, 60) for name in task.assignees) or message(
        "watches.nobody"
    )
    due = f"{task.due:%d %b %Y}" if task.due else message("watches.no_date")
    return message("watches.task", title=title, due=due, assignees=assignees)
