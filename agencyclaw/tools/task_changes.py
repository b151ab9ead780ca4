"""Changes of existing tasks: found by title or link, and prepared for an admin."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.people import Tier
from agencyclaw.domain.quotes import QuotedDay
from agencyclaw.domain.task_changes import TaskAssignee, TaskFacts, UpdateTask
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.tools.arguments import Name, Request, Title, Whom, nested
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.people import find_assignee
from agencyclaw.tools.results import Ask
from agencyclaw.tools.sources import fact_check
from agencyclaw.tools.task_lookup import TaskMatch, find_task


@proposes(
    UpdateTask,
    tier=Tier.ADMIN,
    title="Preparing a change of a task",
    on_demand=True,
)
async def clickup_task_update(
    ctx: RunContext[Deps],
    task: Request,
    client: Name | None = None,
    new_title: Title | None = None,
    status: Name | None = None,
    start: QuotedDay | None = None,
    due: QuotedDay | None = None,
    assignee: Whom | None = None,
    clear_assignees: bool = False,
    clear_dates: bool = False,
) -> UpdateTask | Ask:
    """Prepare a change (update, reassign, close) of an existing ClickUp task: status, dates, title.

    Pass only what changes.

    Args:
        task: Its title, or its link.
        client: What the person called the client; not needed with a link.
        new_title: Its new title.
        status: Its new status, as the list calls it.
        start: New day it starts.
        due: New day it is due.
        assignee: Who has it from now on, instead of who has it; "me" for the person asking.
        clear_assignees: They want nobody to have it.
        clear_dates: They want start and due date taken away.
    """
    found = await find_task(ctx.deps, task, client)
    if isinstance(found, Ask):
        return found
    new_assignees = await _new_assignees(ctx.deps, found, assignee, clear=clear_assignees)
    if isinstance(new_assignees, Ask):
        return new_assignees
    check = fact_check(ctx)
    check.known_days.update(nested(date, found.state.facts))
    wanted = {
        "title": redacted(one_line(new_title, 200)) if new_title and folded(new_title) else None,
        "status": one_line(status, 100) if status and folded(status) else None,
        "start": check.day("Start", start, end=due),
        "due": check.day("Due", due),
        "assignees": new_assignees.holders,
    }
    changes = {name: value for name, value in wanted.items() if value is not None}
    cleared = {"start": None, "due": None} if clear_dates else {}
    return _changed(ctx.deps, found, cleared | changes, check)


def _changed(deps: Deps, found: TaskMatch, changes: dict[str, Any], check: FactCheck) -> UpdateTask:
    """Return the change; raises Refused if nothing sensible is left of it."""
    before = found.state.facts
    after = before.model_copy(update=changes)
    if check.left_out and not before.differing(after):
        raise Refused(" ".join(check.left_out), reason="not_stated")
    _check(before, after)
    return UpdateTask(
        client=found.client.named,
        task_id=found.state.id,
        url=found.state.url,
        list_name=found.state.list_name,
        before=before,
        after=after,
        timezone=deps.actor.timezone,
        field_sources=tuple(check.field_sources),
        unsupported_facts=tuple(check.unsupported_facts),
        left_out=tuple(check.left_out),
        remarks=tuple(check.assumed[:5]),
    )


def _check(before: TaskFacts, after: TaskFacts) -> None:
    if not before.differing(after):
        raise Refused(
            "That would change nothing. Say what should change: title, status, dates or assignee.",
            reason="no_changes",
        )
    if after.start and after.due and after.due < after.start:
        raise Refused("It would be due before it starts.", reason="bad_dates")


@dataclass(frozen=True)
class _NewAssignees:
    """The new assignees; None if they do not change."""

    holders: tuple[TaskAssignee, ...] | None = None


async def _new_assignees(
    deps: Deps, found: TaskMatch, hint: str | None, *, clear: bool
) -> _NewAssignees | Ask:
    if clear:
        return _NewAssignees(())
    if not hint or not folded(hint):
        return _NewAssignees()
    person = await find_assignee(deps, hint, found.client, None)
    if isinstance(person, Ask):
        return person
    if person is None:
        return _NewAssignees(())
    if person.clickup_user_id is None:
        message = f"{person.name} has no ClickUp id, so a task can't be given to them."
        raise Refused(message, reason="no_clickup_id")
    holder = TaskAssignee(id=int(person.clickup_user_id), name=person.name, role=person.role)
    return _NewAssignees((holder,))
