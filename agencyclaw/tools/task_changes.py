"""Changes of existing tasks: found by title or link, and prepared for whoever may see them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.checklists import KEY
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.field_sources import NAME_LIMIT
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import plain_name
from agencyclaw.domain.people import Tier
from agencyclaw.domain.quotes import QuotedDay
from agencyclaw.domain.task_changes import (
    DESCRIPTION_LIMIT,
    PARTS_AT_MOST,
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
    NOBODY,
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
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.names import as_choices
from agencyclaw.tools.people import find_holder
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.sources import fact_check
from agencyclaw.tools.task_fields import FieldChanges, changed_fields, wanted_fields
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
    fields: FieldChanges | None = None,
    instead: bool = False,
) -> UpdateTask | Ask:
    """Prepare a change of one ClickUp task: update, reassign, close, mark done, due, custom field.

    Pass only what changes; a waiting card of this task keeps the rest.

    Args:
        task: Its title, or its link.
        client: What the person called the client; not needed with a link.
        new_title: Its new title.
        status: Its new status, as the list calls it; "done" if it is finished.
        start: New day it starts.
        due: New day it is due.
        assignee: Who or which role has it from now on; "me": who asks.
        priority: Its new priority; "none" takes it away.
        add_text: What is added below its description, in their words.
        new_description: A description instead of the present one.
        clear_assignees: They want nobody to have it.
        clear_dates: They want start and due date taken away.
        fields: Its list's own custom fields, by name.
        instead: Drop the rest of that card.
    """
    found = await find_task(ctx.deps, task, client)
    if isinstance(found, Ask):
        return found
    card = None if instead else waiting_change(ctx.deps, found.state)
    facts, check, lacking = found.state.facts, checking(ctx, found), Lacking()
    begins, now = check.day("Start", start, end=due), card.after if card else facts
    wanted: dict[str, Any] = {
        "title": redacted(one_line(new_title, 200)) if new_title and folded(new_title) else None,
        "start": begins,
        "due": check.day("Due", due, start=begins if start else now.start),
        "priority": "" if priority == "none" else priority,
    }
    name = NOBODY if clear_assignees else assignee
    wanted["assignees"] = await _holders(ctx.deps, found, name, lacking)
    wanted["status"] = await lacking.settle(find_status(ctx.deps, found.state, status))
    custom = await changed_fields(ctx.deps, found, wanted_fields(check, fields), lacking, card)
    wanted["custom"] = tuple(one.after for one in custom)
    with lacking.refused():
        wanted["description"] = _new_description(facts, card, add_text, new_description)
    if lacking:
        changes = _kept(card) | _changes(wanted, clear=clear_dates)
        return _asked(lacking, facts.model_copy(update=changes), check)
    return prepared(found.with_parts(custom), wanted, check, card, clear=clear_dates)


async def _holders(
    deps: Deps, found: TaskMatch, name: str | None, lacking: Lacking
) -> tuple[TaskAssignee, ...] | None:
    """Return who is to have the task from now on; None if that stays."""
    if not name or not folded(name):
        return None
    holder = await lacking.settle(find_holder(deps, name, found.client))
    return (holder,) if holder else ()


def _asked(lacking: Lacking, after: TaskFacts, check: FactCheck) -> Ask:
    """Return what is asked, unless something is refused; days in the wrong order are, too."""
    lacking.tried(lambda: _check_days(after))
    return lacking.as_ask(check.left_out)


def checking(ctx: RunContext[Deps], found: TaskMatch) -> FactCheck:
    check = fact_check(ctx)
    check.known_days.update(nested(date, found.state.facts))
    return check


def waiting_change(deps: Deps, state: TaskState) -> UpdateTask | None:
    """Return what this person's last card would change of a task as it is now, if one waits.

    It may be of this answer, so that nobody has seen it yet. Raises Refused if it is too long now.
    """
    waiting = [one.effect for one in deps.revised if isinstance(one.effect, UpdateTask)]
    cards = [card for card in waiting if card.task_id == state.id]
    if not cards:
        return None
    now = state.facts_with(cards[-1].after.custom)
    if not cards[-1].fits(now):
        raise _too_long()
    return cards[-1].onto(now)


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
        raise _too_long()
    return whole


def _too_long() -> Refused:
    return Refused(message("refused.task_changes.too_long"), reason="too_long")


def prepared(
    found: TaskMatch,
    wanted: Mapping[str, Any],
    check: FactCheck,
    card: UpdateTask | None,
    *,
    clear: bool,
) -> UpdateTask:
    """Return the change, with what a waiting card would change beside it.

    Raises Refused if nothing sensible is left of it.
    """
    kept, changes = _kept(card), _changes(wanted, clear=clear)
    before = found.state.facts
    if "description" not in changes:
        before = before.without_description()
    after = before.model_copy(update=kept | changes)
    if card:
        same = (one.name for one in after.custom if one in card.after.custom)
        names = (*(kept.keys() - changes.keys()), *same)
        labels = {*map(_label, names)} - {_label(one.field) for one in check.field_sources}
        check.field_sources += [one for one in card.field_sources if _label(one.field) in labels]
        # A remark begins with its field.
        check.assumed += [one for one in card.remarks if _label(one.partition(": ")[0]) in labels]
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
        field_sources=tuple(check.field_sources),
        unsupported_facts=tuple(check.unsupported_facts),
        left_out=tuple(check.left_out),
        remarks=tuple(check.assumed[:5]),
    )


def _label(field: str) -> str:
    """Return a field's name for comparison: a source has it as the field was called."""
    return plain_name(one_line(field, NAME_LIMIT))


def _kept(card: UpdateTask | None) -> dict[str, Any]:
    """Return what a waiting card would change, but for custom fields and checklists."""
    plain = [name for name in card.fields if not name.startswith(KEY)] if card else []
    return {name: getattr(card.after, name) for name in plain} if card else {}


def _changes(wanted: Mapping[str, Any], *, clear: bool) -> dict[str, Any]:
    cleared = ("start", "due") if clear else ()
    return dict.fromkeys(cleared) | {k: v for k, v in wanted.items() if v is not None}


def _check(before: TaskFacts, after: TaskFacts) -> None:
    if not before.differing(after):
        raise Refused(message("refused.task_changes.no_changes"), reason="no_changes")
    if len(after.custom) > PARTS_AT_MOST:
        why = message("refused.task_changes.too_many", most=PARTS_AT_MOST)
        raise Refused(why, reason="too_many")
    _check_days(after)


def _check_days(after: TaskFacts) -> None:
    if after.start and after.due and after.due < after.start:
        raise Refused(message("refused.task_changes.bad_dates"), reason="bad_dates")
