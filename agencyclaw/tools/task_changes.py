"""Changes of existing tasks: found by title or link, and prepared for whoever may see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Client
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.quotes import QuotedDay
from agencyclaw.domain.task_changes import (
    DESCRIPTION_LIMIT,
    TaskAssignee,
    TaskFacts,
    TaskState,
    UpdateTask,
)
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.tools.arguments import (
    DONE,
    Name,
    NewPriority,
    NewStatus,
    Request,
    Text,
    Title,
    Whom,
    nested,
)
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.names import as_choices
from agencyclaw.tools.people import find_assignee
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.sources import fact_check
from agencyclaw.tools.task_lookup import TaskMatch, find_task


@proposes(UpdateTask, tier=Tier.MEMBER, on_demand=True)
async def clickup_task_update(
    ctx: RunContext[Deps],
    task: Request,
    client: Name | None = None,
    new_title: Title | None = None,
    status: NewStatus | None = None,
    start: QuotedDay | None = None,
    due: QuotedDay | None = None,
    assignee: Whom | None = None,
    priority: NewPriority | None = None,
    add_text: Text | None = None,
    new_description: Text | None = None,
    clear_assignees: bool = False,
    clear_dates: bool = False,
    instead: bool = False,
) -> UpdateTask | Ask:
    """Prepare a change of one ClickUp task: update, reassign, mark done, close, dates, title.

    Pass only what changes; what a waiting card of this task would change stays on it.

    Args:
        task: Its title, or its link.
        client: What the person called the client; not needed with a link.
        new_title: Its new title.
        status: Its new status, as the list calls it; "done" if it is finished.
        start: New day it starts.
        due: New day it is due.
        assignee: Who or which role has it from now on, instead of who has it; "me": who asks.
        priority: Its new priority; "none" takes it away.
        add_text: What is added below its description, in their words.
        new_description: A description instead of the present one.
        clear_assignees: They want nobody to have it.
        clear_dates: They want start and due date taken away.
        instead: They want nothing else that their waiting card of this task would change.
    """
    found = await find_task(ctx.deps, task, client)
    if isinstance(found, Ask):
        return found
    new_assignees = await _new_assignees(ctx.deps, found, assignee, clear=clear_assignees)
    if isinstance(new_assignees, Ask):
        return new_assignees
    new_status = await find_status(ctx.deps, found.state, status)
    if isinstance(new_status, Ask):
        return new_status
    card = None if instead else _waiting_change(ctx.deps, found.state)
    check = fact_check(ctx)
    check.known_days.update(nested(date, found.state.facts))
    wanted = {
        "title": redacted(one_line(new_title, 200)) if new_title and folded(new_title) else None,
        "status": new_status,
        "start": check.day("Start", start, end=due),
        "due": check.day("Due", due),
        "assignees": new_assignees.holders,
        "priority": "" if priority == "none" else priority,
        "description": _new_description(found.state.facts, card, add_text, new_description),
    }
    changes = {name: value for name, value in wanted.items() if value is not None}
    cleared = {"start": None, "due": None} if clear_dates else {}
    return _changed(ctx.deps, found, cleared | changes, check, card)


def _waiting_change(deps: Deps, state: TaskState) -> UpdateTask | None:
    """Return what this person's last card would change of a task as it is now, if one waits.

    It may be of this answer, so that nobody has seen it yet.
    """
    waiting = [one.effect for one in deps.revised if isinstance(one.effect, UpdateTask)]
    cards = [card for card in waiting if card.task_id == state.id]
    return cards[-1].onto(state.facts) if cards else None


async def find_status(deps: Deps, state: TaskState, hint: str | None) -> str | Ask | None:
    """Return the status of a task's list that is meant, or the question which; None without one.

    "done" is the list's last status, if it has only one.
    """
    if not hint or not folded(hint):
        return None
    statuses = (await deps.board.list_ref(state.list_id)).statuses
    named = [one for one in statuses if folded(one.name) == folded(hint)]
    last = [one for one in statuses if one.is_last]
    meant = named or (last if hint == DONE else [])
    if len(meant) == 1 or not statuses:
        return meant[0].name if meant else one_line(hint, 100)
    called = one_line(hint, 60)
    question = f"Its list has no status “{called}”. Which one?" if not meant else "Which status?"
    return ask_which(question, as_choices("status", meant or statuses))


def _new_description(
    before: TaskFacts, card: UpdateTask | None, added: str | None, replaced: str | None
) -> str | None:
    """Return the whole new description; None if it stays. Raises Refused if it is too long.

    A text is added below all that is there, on the waiting card if it has it, and every character
    of that stays.
    """
    waiting = card.after.description if card and "description" in card.fields else None
    whole = redacted((replaced or "").strip()) or waiting
    if text := redacted((added or "").strip()):
        above = before.description if whole is None else whole
        gap = "" if not above.strip() else "\n\n"[len(above) - len(above.rstrip("\n")) :]
        whole = f"{above}{gap}{text}"
    if whole is None:
        return None
    if max(len(whole), len(before.description)) >= DESCRIPTION_LIMIT:
        why = message("refused.task_changes.too_long")
        raise Refused(why, reason="too_long")
    return whole


def _changed(
    deps: Deps,
    found: TaskMatch,
    changes: dict[str, Any],
    check: FactCheck,
    card: UpdateTask | None,
) -> UpdateTask:
    """Return the change, with what a waiting card would change beside it.

    Raises Refused if nothing sensible is left of it.
    """
    kept = {name: getattr(card.after, name) for name in card.fields} if card else {}
    before = found.state.facts
    if "description" not in changes:
        before = before.without_description()
    after = before.model_copy(update=kept | changes)
    if card:
        labels = {name.capitalize() for name in kept.keys() - changes.keys()}
        check.field_sources += [one for one in card.field_sources if one.field in labels]
        check.assumed += card.remarks
    if check.left_out and not before.differing(after):
        raise Refused(" ".join(check.left_out), reason="not_stated")
    _check(before, after)
    return UpdateTask(
        client=found.client.named,
        task_id=found.state.id,
        url=found.state.url,
        list_id=found.state.list_id,
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
            message("refused.task_changes.no_changes"),
            reason="no_changes",
        )
    if after.start and after.due and after.due < after.start:
        raise Refused(message("refused.task_changes.bad_dates"), reason="bad_dates")


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
    holder = await find_holder(deps, hint, found.client)
    if isinstance(holder, Ask):
        return holder
    return _NewAssignees((holder,) if holder else ())


async def find_holder(deps: Deps, hint: str, client: Client) -> TaskAssignee | Ask | None:
    """Return who is to have a client's task, or the question who; None for nobody.

    Raises Refused for somebody without an account in ClickUp.
    """
    person = await find_assignee(deps, hint, client, None)
    if person is None or isinstance(person, Ask):
        return person
    if person.clickup_user_id is None:
        words = message("refused.task_changes.no_clickup_id", person=person.name)
        raise Refused(words, reason="no_clickup_id")
    return TaskAssignee(id=int(person.clickup_user_id), name=person.name, role=person.role)
