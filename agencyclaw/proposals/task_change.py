"""Carries out `clickup_task_update`: overwrites what the person saw, or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.shapes import TaskEdit
from agencyclaw.domain.checklists import KEY, ChecklistLine
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.records import changed_since
from agencyclaw.domain.task_changes import TaskFacts, TaskState, UpdateTask
from agencyclaw.domain.task_fields import FieldValue, TaskPart
from agencyclaw.domain.text import listed, one_line
from agencyclaw.proposals import notices
from agencyclaw.proposals.handlers import IdempotentHandler
from agencyclaw.proposals.outcomes import (
    Delayed,
    Done,
    NotDone,
    Outcome,
    Unknown,
    Unsettled,
    not_written,
)
from agencyclaw.proposals.task_homes import TaskHomes, moved

_IN_DOUBT = "in_doubt"


class TaskWriter(Protocol):
    """What changes a task in ClickUp."""

    async def update_task(self, task_id: str, edit: TaskEdit) -> TaskState:
        """Change a task; raises Refused, Unavailable (nothing sent) or Unclear."""
        ...

    async def set_field(self, task_id: str, after: FieldValue, before: FieldValue) -> None:
        """Set or clear a custom field, which holds `before`; raises like `update_task`."""
        ...

    async def set_line(self, task_id: str, after: ChecklistLine, before: ChecklistLine) -> str:
        """Make, change or remove an item or a checklist, whose id it returns; raises likewise."""
        ...


class TaskChange(IdempotentHandler[UpdateTask]):
    """Changes a task; repeating the same change is harmless.

    Each custom field and item of a checklist takes a request of its own, so that a change may be
    carried out in part. What may be there twice is looked for after an unclear request, and not
    sent again.
    """

    kind = UpdateTask

    def __init__(
        self, writer: TaskWriter, tasks: ClickUpReader, homes: TaskHomes, first_look_s: float
    ) -> None:
        self._writer = writer
        self._tasks = tasks
        self._homes = homes
        self.first_look_s = first_look_s

    async def carry_out(self, proposal: Proposal) -> Outcome:
        """Write the differing fields, unless one is neither as it was nor as wanted."""
        present = await self._compared(proposal)
        if not isinstance(present, TaskFacts):
            return present
        refusal = await self._homes.refusal(self.effect_of(proposal))
        return await (
            self.stopped(proposal, refusal) if refusal else self._write(proposal, present)
        )

    async def stopped(self, proposal: Proposal, why: NotDone | Delayed) -> Outcome:
        """See whether the task is as wanted, and change nothing."""
        present = await self._compared(proposal)
        if not isinstance(present, TaskFacts):
            return self.ended(proposal, present, why)
        left = self.effect_of(proposal).left_in(present)
        if not self._is_begun(proposal, present):
            return self.ended(proposal, None, why)
        if isinstance(why, Delayed):
            return self.unknown(proposal)
        return self._ended(proposal, present, dict.fromkeys(left, why))

    async def _compared(self, proposal: Proposal) -> TaskFacts | Outcome:
        """Return the task as it is; the outcome if nothing may be sent.

        A part that is as wanted is ours only if a request of ours may have been sent.
        """
        effect = self.effect_of(proposal)
        state = await self.read(proposal, self._tasks.task_state(effect.task_id))
        if isinstance(state, Unsettled):
            return state
        if refusal := moved(effect, state):
            return refusal
        present = state.facts_with(effect.after.custom)
        missing = effect.left_in(present)
        if not missing:
            return _done(effect, present, was_so=not proposal.may_be_sent)
        if proposal.state is ProposalState.UNCLEAR and self._unknown_field(proposal) in missing:
            return Unknown(None)
        doubtful = missing if proposal.may_be_sent else effect.fields
        conflicts = [name for name in doubtful if present.of(name) != effect.before.of(name)]
        if not conflicts:
            return present
        await self._tasks.forget()
        return _changed(effect, present, conflicts)

    async def _write(self, proposal: Proposal, present: TaskFacts) -> Outcome:
        """Write what differs: what one request takes together, then each custom field by itself."""
        effect = self.effect_of(proposal)
        left = effect.left_in(present)
        plain = tuple(name for name in left if not name.startswith(KEY))
        failures: dict[str, NotDone] = {}
        is_begun = self._is_begun(proposal, present)
        for names in filter(None, [plain, *((name,) for name in left if name not in plain)]):
            written = await self.send_part(proposal, self._request(effect, present, names))
            match written:
                case Unknown():
                    return replace(written, result={_IN_DOUBT: _made_by(effect, names)})
                case Delayed():
                    # What was written stays, and the rest follows when ClickUp is back.
                    may_be_sent = is_begun or proposal.may_be_sent
                    return self.unknown(proposal) if may_be_sent else written
                case NotDone():
                    failures |= dict.fromkeys(names, written)
                case TaskState() if names == effect.fields:
                    return self._ended(proposal, written.facts, failures)
                case made:
                    is_begun = True
                    present = _within(present, names, made)
        if not is_begun:
            return next(iter(failures.values()))
        return await self._read_back(proposal, failures)

    async def _request(
        self, effect: UpdateTask, present: TaskFacts, names: Sequence[str]
    ) -> TaskState | str | None:
        """Send one request; the answer to that for a custom field says nothing."""
        match effect.after.custom_field(names[0]), present.custom_field(names[0]):
            case FieldValue() as after, FieldValue() as before:
                return await self._writer.set_field(effect.task_id, after, before)
            case ChecklistLine() as after, ChecklistLine() as before:
                return await self._writer.set_line(effect.task_id, after, before)
            case _:
                return await self._writer.update_task(effect.task_id, _edit(effect, names))

    async def _read_back(self, proposal: Proposal, failures: Mapping[str, NotDone]) -> Outcome:
        """Return the end of what was written at least in part, by what ClickUp shows now."""
        effect = self.effect_of(proposal)
        try:
            state = await self._tasks.task_state(effect.task_id)
        except (AgencyClawError, OSError):
            return self.unknown(proposal)
        return self._ended(proposal, state.facts_with(effect.after.custom), failures)

    def _unknown_field(self, proposal: Proposal) -> str:
        """Return what a request of unknown outcome was to make."""
        return (proposal.result or {}).get(_IN_DOUBT, "")

    def _is_begun(self, proposal: Proposal, present: TaskFacts) -> bool:
        """Whether a part of it is as wanted by a request of ours."""
        effect = self.effect_of(proposal)
        return proposal.may_be_sent and effect.left_in(present) != effect.fields

    def _ended(
        self, proposal: Proposal, written: TaskFacts, failures: Mapping[str, NotDone]
    ) -> Done | NotDone:
        """Return what was done; what failed and may be tried again is left for a new card."""
        effect = self.effect_of(proposal)
        if all(written.of(name) == effect.before.of(name) for name in effect.fields):
            why = message("task_change.left_as_it_was")
            return next(iter(failures.values()), NotDone("not_accepted", why, can_retry=False))
        done = _done(effect, written)
        reasons = {name: one.message for name, one in failures.items()}
        is_left = any(one.can_retry for one in failures.values())
        renewed = effect.onto(written) if is_left else None
        return Done({**done.result, "why": reasons}, renewed=renewed)

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what changed, and what ClickUp did not accept."""
        effect = self.effect_of(proposal)
        if done.result.get("was_so"):
            text = message("task_change.was_so", label=effect.label)
            return Note(text=text, links=notices.link_to(effect.url))
        lines = [message("task_change.changed_task", label=effect.label)]
        refused = set(done.result["not_taken"])
        why = done.result.get("why", {})
        for name, (label, change) in zip(effect.fields, effect.changes(), strict=True):
            if name not in refused:
                lines.append(f"{label}: {change}")
            elif name in why:
                reason = why[name].rstrip(" .")
                lines.append(message("task_change.field_failed", label=label, why=reason))
            elif (now := done.result["after"][name]) != done.result["before"][name]:
                lines.append(message("task_change.accepted_in_part", label=label, now=now))
            else:
                lines.append(message("task_change.clickup_did_not_accept", label=label))
        return Note(text="\n".join(lines), links=notices.link_to(effect.url))

    def undo(self, proposal: Proposal) -> UpdateTask | str:
        """Return the change back to the previous values."""
        effect = self.effect_of(proposal)
        result = proposal.result or {}
        if result.get("was_so"):
            return message("task_change.not_ours")
        back = effect.without(result.get("not_taken", ())).reverse()
        return back if back.fields else message("task_change.clickup_did_not_take")


def _made_by(effect: UpdateTask, names: Sequence[str]) -> str:
    """Return the item or checklist that a request makes; "" if it may be sent twice."""
    after, before = (facts.custom_field(names[0]) for facts in (effect.after, effect.before))
    match after, before:
        case ChecklistLine(says=there), ChecklistLine(says=""):
            return names[0] if there else ""
        case _:
            return ""


def _within(present: TaskFacts, names: Sequence[str], made: TaskState | str | None) -> TaskFacts:
    """Return the facts with the items of a new checklist in it."""
    new = present.custom_field(names[0])
    if not isinstance(made, str) or not isinstance(new, ChecklistLine) or new.called:
        return present

    def placed(part: TaskPart) -> TaskPart:
        is_in = isinstance(part, ChecklistLine) and part.key.startswith(new.key)
        return part.model_copy(update={"checklist_id": made}) if is_in else part

    return present.model_copy(update={"custom": tuple(map(placed, present.custom))})


def _edit(effect: UpdateTask, fields: Sequence[str]) -> TaskEdit:
    before, after = effect.before, effect.after
    ids_before, ids_after = (
        {assignee.id for assignee in facts.assignees} for facts in (before, after)
    )
    return TaskEdit(
        fields=tuple(fields),
        name=after.title,
        status=after.status,
        start=after.start,
        due=after.due,
        priority=after.priority,
        description=after.description,
        joining=tuple(sorted(ids_after - ids_before)),
        leaving=tuple(sorted(ids_before - ids_after)),
    )


def _done(effect: UpdateTask, written: TaskFacts, *, was_so: bool = False) -> Done:
    """Return the values before and after; `was_so` if somebody else had changed it already."""
    not_taken = [name for name in effect.fields if written.of(name) != effect.after.of(name)]
    return Done(
        {
            "task_id": effect.task_id,
            "url": effect.url,
            "before": _facts(effect, effect.before),
            "after": _facts(effect, written),
            "not_taken": not_taken,
            "was_so": was_so,
        }
    )


def _facts(effect: UpdateTask, facts: TaskFacts) -> dict[str, Any]:
    return {name: facts.shown(name) for name in effect.fields}


def _changed(effect: UpdateTask, present: TaskFacts, fields: list[str]) -> NotDone:
    values = [
        message("built.now", field=effect.name_of(name), value=one_line(present.shown(name), 200))
        for name in fields
    ]
    why = message("task_change.task_changed_since", text=listed(values))
    return not_written(changed_since(why, effect.onto(present)))
