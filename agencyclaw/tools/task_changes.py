"""Changes of existing tasks: found by title or link, and prepared for an admin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.addresses import addresses_in
from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.errors import AgencyClawError, NotAllowed, NotFound, Refused
from agencyclaw.domain.names import distinct_names
from agencyclaw.domain.people import Tier
from agencyclaw.domain.quotes import QuotedDay
from agencyclaw.domain.task_changes import Holder, TaskFacts, TaskState, UpdateTask
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.tools.arguments import Name, Request, Title, Whom, nested
from agencyclaw.tools.boards import find_list, read_boards
from agencyclaw.tools.brands import not_mapped
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.clients import find_client, visible_clients
from agencyclaw.tools.names import as_choices, decide, find_named
from agencyclaw.tools.people import find_assignee
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.sources import fact_check

_NOT_A_TASK = (
    "That address opens no task in ClickUp. Give me the task's own link, which begins with"
    " https://app.clickup.com/t/, or its title."
)
_FOREIGN = "That task is in none of the ClickUp lists you can reach from here."


@dataclass(frozen=True)
class TaskMatch:
    """A task, and the client whose list it is in."""

    state: TaskState
    client: Client


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
    found = await _find_task(ctx.deps, task, client)
    if isinstance(found, Ask):
        return found
    held = await _held(ctx.deps, found, assignee, clear=clear_assignees)
    if isinstance(held, Ask):
        return held
    check = fact_check(ctx)
    check.known_days.update(nested(date, found.state.facts))
    wanted = {
        "title": redacted(one_line(new_title, 200)) if new_title and folded(new_title) else None,
        "status": one_line(status, 100) if status and folded(status) else None,
        "start": check.day("Start", start),
        "due": check.day("Due", due),
        "assignees": held.holders,
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
        bases=tuple(check.bases),
        not_stated=tuple(check.not_stated),
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
class _Held:
    """The new assignees; None if they do not change."""

    holders: tuple[Holder, ...] | None = None


async def _held(deps: Deps, found: TaskMatch, hint: str | None, *, clear: bool) -> _Held | Ask:
    if clear:
        return _Held(())
    if not hint or not folded(hint):
        return _Held()
    person = await find_assignee(deps, hint, found.client, None)
    if isinstance(person, Ask):
        return person
    if person is None:
        return _Held(())
    if person.clickup_user_id is None:
        message = f"{person.name} has no ClickUp id, so a task can't be given to them."
        raise Refused(message, reason="no_clickup_id")
    holder = Holder(id=int(person.clickup_user_id), name=person.name, role=person.role)
    return _Held((holder,))


async def _find_task(deps: Deps, task: str, client: str | None) -> TaskMatch | Ask:
    if addresses := addresses_in(task):
        return await _by_link(deps, addresses)
    found = await find_client(deps, client or "")
    if isinstance(found, Ask):
        return found
    if not any(brand.is_mapped for brand in found.brands):
        raise not_mapped(deps, found.client.name)
    read = await read_boards(deps, found.brands, None, "updated")
    named = find_named(deps, task, read.tasks)
    if not named.things:
        message = f"{found.client.name} has no open task called “{one_line(task, 80)}”."
        if read.skipped:
            message = f"{message} The list of {', '.join(read.skipped)} can't be read just now."
        raise NotFound(message, reason="task_not_found")
    row = decide(deps, named)
    if row is None:
        labels = distinct_names(named.things)
        if len(set(labels)) < len(labels):
            question = f"Several open tasks look the same: “{labels[0]}”. Which link does it have?"
            return Ask(question=question)
        return ask_which("Which task do you mean?", as_choices("task", named.things))
    return TaskMatch(await deps.board.task_state(row.id), found.client)


async def _by_link(deps: Deps, addresses: Sequence[str]) -> TaskMatch:
    """Return a linked task if it is in a list of a client this person may see."""
    ids = {found for one in addresses if (found := deps.board.task_at(one))}
    if len(ids) != 1:
        raise Refused(_NOT_A_TASK, reason="no_task_address")
    task_id = ids.pop()
    clients = await visible_clients(deps)
    brands = await deps.directory.brands([client.id for client in clients])
    state = await deps.board.task_state(task_id)
    owners = {b.client_id for b in brands if b.is_mapped and await _has_list(deps, b, state)}
    if len(owners) != 1:
        raise NotAllowed(_FOREIGN, reason="not_allowed")
    return TaskMatch(state, next(client for client in clients if client.id in owners))


async def _has_list(deps: Deps, brand: Brand, state: TaskState) -> bool:
    if brand.list_id:
        return brand.list_id == state.list_id
    if state.space_id and brand.space_id != state.space_id:
        return False
    try:
        return (await find_list(deps, brand)).id == state.list_id
    except AgencyClawError:
        return False
