"""One change of all tasks that a query finds, prepared on one card."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.bulk_changes import TASKS_AT_MOST, UpdateTasks
from agencyclaw.domain.clients import Client, Person
from agencyclaw.domain.errors import NotFound, Refused, TooMuch
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.quotes import QuotedDay
from agencyclaw.domain.task_changes import TaskAssignee, TaskFacts, TaskState, UpdateTask
from agencyclaw.domain.task_fields import ChangedPart
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.tools.arguments import (
    ME,
    NOBODY,
    NOT_VERBATIM,
    Assigned,
    Day,
    Days,
    Name,
    NewPriority,
    NewStatus,
    Range,
    Titles,
    Whom,
)
from agencyclaw.tools.assignees import Assignees
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.names import as_choices, decide, find_named
from agencyclaw.tools.people import find_holder, role_named
from agencyclaw.tools.results import Ask, ask_which
from agencyclaw.tools.sources import fact_check
from agencyclaw.tools.task_changes import find_status
from agencyclaw.tools.task_fields import (
    FieldChanges,
    WantedField,
    changed_fields,
    has_field,
    wanted_fields,
)
from agencyclaw.tools.task_lookup import TaskMatch, owners_of
from agencyclaw.tools.task_queries import FoundTasks, TaskQuery, find_tasks


@proposes(UpdateTasks, tier=Tier.MEMBER, skill_id="clickup_tasks_update", on_demand=True)
async def change_tasks(
    ctx: RunContext[Deps],
    client: Name | None = None,
    brand: Name | None = None,
    window: Range = "any_time",
    days: Annotated[Days, NOT_VERBATIM] = 14,
    first: Day | None = None,
    last: Day | None = None,
    assignee: Assigned | None = None,
    left_out: Titles | None = None,
    due: QuotedDay | None = None,
    new_assignee: Whom | None = None,
    status: NewStatus | None = None,
    priority: NewPriority | None = None,
    fields: FieldChanges | None = None,
) -> UpdateTasks | Ask:
    """Prepare a bulk change of several or many open ClickUp tasks at once.

    Reassign, hand over or transfer all of X's tasks; move, postpone or reschedule what is due
    today; mark as done, close.

    The first arguments say which tasks, as in list_tasks; from `due` on, what changes of each.

    Args:
        client: What they called the client or brand; none: all.
        brand: Only this brand.
        window: Due when; "dates" needs first and last; "any_time" is all open ones.
        days: For last_n_days and next_n_days.
        first: First day.
        last: Last day; the same as first for one day.
        assignee: Whose, or a role; "me": who asks, "nobody": unassigned.
        left_out: Titles of those that stay as they are, as list_tasks shows them.
        due: New day they are due.
        new_assignee: Who or which role has them from now on, instead of `assignee`.
        status: New status; "done" if they are finished.
        priority: New priority; "none" takes it away.
        fields: Their lists' own custom fields, by name.
    """
    deps = ctx.deps
    whose = await _whose(deps, assignee)
    if isinstance(whose, Ask):
        return whose
    query = TaskQuery(client, brand, window, days, first, last, "due", whose)
    found = await _chosen(deps, query, left_out or ())
    if isinstance(found, Ask):
        return found
    check = fact_check(ctx)
    check.known_days.update(row.due for row in found.rows if row.due)
    wanted, day = wanted_fields(check, fields), check.day("Due", due)
    changes = _Changes(deps, found.whose, day, new_assignee or "", status or "", priority, wanted)
    return await _prepare(changes, found, check)


async def _whose(deps: Deps, hint: Assigned | None) -> Assigned | Person | Ask | None:
    """Return whose tasks are meant, or the question who.

    Somebody who has left may still have tasks. Raises NotFound if nobody is called so.
    """
    if not hint or hint in (ME, NOBODY):
        return hint
    team = await deps.directory.team()
    named = find_named(deps, folded(hint).removeprefix("@"), team)
    if person := decide(deps, named):
        return person
    people = await deps.directory.people()
    if not named.is_sure and await role_named(deps, folded(hint), people):
        return hint
    if named.things:
        question = message("bulk_changes.whose", hint=one_line(hint, 60))
        return ask_which(question, as_choices("person", named.things))
    words = message("refused.people.person_not_found", hint=one_line(hint, 60))
    raise NotFound(words, reason="person_not_found")


async def _chosen(deps: Deps, query: TaskQuery, left_out: Sequence[str]) -> FoundTasks | Ask:
    """Return the tasks to change, or a question; raises NotFound where there are none."""
    found = await find_tasks(deps, query)
    if not isinstance(found, Ask):
        found = _without(deps, found, left_out)
    if not isinstance(found, Ask) and not found.rows:
        words = message("refused.bulk_changes.none", checked=found.checked)
        raise NotFound(words, reason="task_not_found")
    return found


def _without(deps: Deps, found: FoundTasks, titles: Sequence[str]) -> FoundTasks | Ask:
    """Return the tasks without those of some titles, or the question which one is meant."""
    leaving: list[TaskRow] = []
    for title in titles:
        named = find_named(deps, title, found.rows)
        if not named.things:
            words = message("refused.bulk_changes.not_among", title=one_line(title, 80))
            raise NotFound(words, reason="task_not_found")
        row = decide(deps, named)
        if row is None:
            return ask_which(message("bulk_changes.leave_which"), as_choices("task", named.things))
        leaving.append(row)
    if not leaving:
        return found
    names = ", ".join(one_line(row.name, 60) for row in leaving)
    remark = one_line(message("bulk_changes.left_out", titles=names), 500)
    kept = [row for row in found.rows if row not in leaving]
    return replace(found, rows=kept, remarks=(*found.remarks, remark))


@dataclass(frozen=True)
class _Changes:
    """What changes of each task; people and statuses are resolved once per client and list."""

    deps: Deps
    whose: Assignees | None
    due: date | None
    new_assignee: str
    status: str
    priority: NewPriority | None
    fields: Sequence[WantedField] = ()
    holders: dict[UUID, TaskAssignee | None] = field(
        default_factory=dict[UUID, TaskAssignee | None]
    )
    statuses: dict[str, str] = field(default_factory=dict[str, str])
    custom: dict[str, list[ChangedPart]] = field(default_factory=dict[str, list[ChangedPart]])

    async def resolve(self, matches: Sequence[TaskMatch], lacking: Lacking) -> None:
        """Find whom and which status is meant for each task; of each the first unclear is lacking.

        The next of its kind would be answered by the same word of the person.
        """
        for resolve in (self._holder, self._status, self._custom):
            for match in matches:
                if not await resolve(match, lacking):
                    break

    async def _holder(self, match: TaskMatch, lacking: Lacking) -> bool:
        client = match.client
        if not folded(self.new_assignee) or client.id in self.holders:
            return True
        holder = await lacking.settle(find_holder(self.deps, self.new_assignee, client))
        self.holders[client.id] = holder
        return not lacking or holder is not None

    async def _status(self, match: TaskMatch, lacking: Lacking) -> bool:
        list_id = match.state.list_id
        if not folded(self.status) or list_id in self.statuses:
            return True
        status = await lacking.settle(find_status(self.deps, match.state, self.status))
        self.statuses[list_id] = status or ""
        return not lacking or status is not None

    async def _custom(self, match: TaskMatch, lacking: Lacking) -> bool:
        if not self.fields:
            return True
        custom = await changed_fields(self.deps, match, self.fields, lacking)
        self.custom[match.state.id] = custom
        return not lacking or len(custom) == len(self.fields)

    def of(self, match: TaskMatch) -> UpdateTask | None:
        """Return the change of one task; None if nothing about it would change."""
        custom = self.custom.get(match.state.id, [])
        state = match.with_parts(custom).state
        before = state.facts
        assignees = before.assignees
        if match.client.id in self.holders:
            assignees = self._handed_over(assignees, self.holders[match.client.id])
        after = before.model_copy(
            update={
                "due": self.due or before.due,
                "assignees": assignees,
                "status": self.statuses.get(state.list_id) or before.status,
                "priority": before.priority if self.priority is None else _value(self.priority),
                "custom": tuple(one.after for one in custom),
            }
        )
        if not before.differing(after):
            return None
        return UpdateTask(
            client=match.client.named,
            task_id=state.id,
            url=state.url,
            list_id=state.list_id,
            list_name=state.list_name,
            before=before,
            after=after,
            timezone=self.deps.actor.timezone,
        )

    def _handed_over(
        self, assignees: Sequence[TaskAssignee], holder: TaskAssignee | None
    ) -> tuple[TaskAssignee, ...]:
        """Return the assignees with the new one in place of whose tasks these are, or of all."""
        whose = self.whose
        kept = [one for one in assignees if whose and not whose.has(one.name, one.id)]
        if holder and holder.id not in {one.id for one in kept}:
            kept.append(holder)
        return tuple(kept)


async def _prepare(changes: _Changes, found: FoundTasks, check: FactCheck) -> UpdateTasks | Ask:
    """Return the change; raises Refused if nothing sensible is left of it."""
    lacking = Lacking()
    if len(found.rows) > TASKS_AT_MOST:
        words = message("refused.bulk_changes.many", number=len(found.rows), most=TASKS_AT_MOST)
        lacking.refuse(TooMuch(words, reason="too_many_tasks"))
    owned = await _of_one_client(changes.deps, found.rows[:TASKS_AT_MOST])
    matches = await _having(changes, owned)
    await changes.resolve(matches, lacking)
    if lacking:
        return lacking.as_ask(check.left_out)
    differing = [task for match in matches if (task := changes.of(match))]
    tasks = [task for task in differing if not _ends_before_start(task.after)]
    if not tasks:
        raise _nothing_left(check, is_reversed=bool(differing))
    elsewhere, reversed_ = len(found.rows) - len(owned), len(differing) - len(tasks)
    names = ", ".join(one_line(one.field, 60) for one in changes.fields)
    skipped = ", ".join(found.skipped)
    remarks = (
        *found.remarks,
        message("bulk_changes.not_read", brands=skipped) if skipped else "",
        message("bulk_changes.elsewhere", count=elsewhere) if elsewhere else "",
        message("bulk_changes.start_later", count=reversed_) if reversed_ else "",
        message("task_fields.not_on", count=len(owned) - len(matches), field=names)
        if len(matches) < len(owned)
        else "",
    )
    return UpdateTasks(
        tasks=tuple(tasks),
        remarks=tuple(one_line(remark, 500) for remark in remarks if remark),
        field_sources=tuple(check.field_sources),
        unsupported_facts=tuple(check.unsupported_facts),
        left_out=tuple(check.left_out),
    )


async def _having(changes: _Changes, matches: list[TaskMatch]) -> list[TaskMatch]:
    """Return the tasks whose list has the custom fields that are to change, as they are now.

    Where none has them, all are returned, so that the person is asked which field is meant.
    """
    if not changes.fields:
        return matches
    board = changes.deps.board
    states = await asyncio.gather(*(board.task_state(one.state.id) for one in matches))
    read = [
        replace(match, state=state.model_copy(update={"facts": state.facts.without_description()}))
        for match, state in zip(matches, states, strict=True)
    ]
    having = [one for one in read if all(has_field(one, change.field) for change in changes.fields)]
    return having or read


def _nothing_left(check: FactCheck, *, is_reversed: bool) -> Refused:
    """Return why no task would change."""
    if check.left_out:
        return Refused(" ".join(check.left_out), reason="not_stated")
    if is_reversed:
        return Refused(message("refused.task_changes.bad_dates"), reason="bad_dates")
    return Refused(message("refused.bulk_changes.no_changes"), reason="no_changes")


def _ends_before_start(facts: TaskFacts) -> bool:
    return bool(facts.start and facts.due and facts.due < facts.start)


def _value(priority: NewPriority) -> str:
    return "" if priority == "none" else priority


async def _of_one_client(deps: Deps, rows: Sequence[TaskRow]) -> list[TaskMatch]:
    """Return the tasks whose own list is of exactly one client this person may see here."""
    owners: dict[str, list[Client]] = {}
    matches: list[TaskMatch] = []
    for state in map(_state, rows):
        if state.list_id not in owners:
            owners[state.list_id] = await owners_of(deps, state)
        if len(owners[state.list_id]) == 1:
            matches.append(TaskMatch(state, owners[state.list_id][0]))
    return matches


def _state(row: TaskRow) -> TaskState:
    """Return a task of a list as one that can be changed, without its description."""
    people = zip(row.assignee_ids, row.assignees, strict=True)
    return TaskState(
        id=row.id,
        url=row.url or "",
        list_id=row.list_id or "",
        list_name=row.list_name or "",
        facts=TaskFacts(
            title=row.name,
            status=row.status,
            start=row.start,
            due=row.due,
            assignees=tuple(TaskAssignee(id=number, name=name) for number, name in people),
            priority=row.priority or "",
        ),
    )
