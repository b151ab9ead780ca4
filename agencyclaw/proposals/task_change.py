"""Carries out `clickup_task_update`: overwrites what the person saw, or nothing."""

from __future__ import annotations

from typing import Any, Protocol

from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.shapes import TaskEdit
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.records import changed_since
from agencyclaw.domain.task_changes import TaskFacts, TaskState, UpdateTask
from agencyclaw.domain.text import one_line
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


class TaskWriter(Protocol):
    """What changes a task in ClickUp."""

    async def update_task(self, task_id: str, edit: TaskEdit) -> TaskState:
        """Change a task; raises Refused, Unavailable (nothing sent) or Unclear."""
        ...


class TaskChange(IdempotentHandler[UpdateTask]):
    """Changes a task; repeating the same change is harmless."""

    kind = UpdateTask

    def __init__(self, writer: TaskWriter, tasks: ClickUpReader, first_look_s: float) -> None:
        self._writer = writer
        self._tasks = tasks
        self.first_look_s = first_look_s

    async def carry_out(self, proposal: Proposal) -> Outcome:
        """Write the differing fields, unless one is neither as it was nor as wanted."""
        effect = self.effect_of(proposal)
        if outcome := await self._compared(proposal):
            return outcome
        written = await self.send(proposal, self._writer.update_task(effect.task_id, _edit(effect)))
        return written if isinstance(written, Unsettled) else _done(effect, written.facts)

    async def stopped(self, proposal: Proposal, why: NotDone | Delayed) -> Outcome:
        """See whether the task is as wanted, and change nothing."""
        return self.ended(proposal, await self._compared(proposal), why)

    async def _compared(self, proposal: Proposal) -> Outcome | None:
        """Return the outcome if nothing may be sent; None if the task is as the person saw it."""
        effect = self.effect_of(proposal)
        state = await self.read(proposal, self._tasks.task_state(effect.task_id))
        if isinstance(state, Unsettled):
            return state
        if effect.list_id and state.list_id != effect.list_id:
            # Another list may be another client's, of whom nobody asked whether it may be changed.
            return NotDone("task_moved", message("task_change.moved"), can_retry=False)
        present = state.facts
        if all(present.of(name) == effect.after.of(name) for name in effect.fields):
            return _done(effect, present, was_so=not proposal.may_be_sent)
        conflicts = [name for name in effect.fields if present.of(name) != effect.before.of(name)]
        if not conflicts:
            return None
        await self._tasks.forget()
        return _changed(effect, present, conflicts)

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what changed, and what ClickUp did not accept."""
        effect = self.effect_of(proposal)
        if done.result.get("was_so"):
            text = message("task_change.was_so", label=effect.label)
            return Note(text=text, links=notices.link_to(effect.url))
        lines = [message("task_change.changed_task", label=effect.label)]
        refused = set(done.result["not_taken"])
        for name, (label, change) in zip(effect.fields, effect.changes(), strict=True):
            lines.append(
                message("task_change.clickup_did_not_accept", label=label)
                if name in refused
                else f"{label}: {change}"
            )
        return Note(text="\n".join(lines), links=notices.link_to(effect.url))

    def unknown_note(self, proposal: Proposal, outcome: Unknown) -> Note:
        """Say that the change may or may not have been made."""
        effect = self.effect_of(proposal)
        if outcome.look_in_s is not None:
            return Note(text=message("task_change.clickup_didnt_say_whether", label=effect.label))
        advice = message("task_change.if_not_press_try") if not proposal.undo_of else ""
        return Note(
            text=message(
                "task_change.could_not_find_out",
                label=effect.label,
                again=advice,
                reference=notices.reference(proposal),
            ).rstrip(),
            links=notices.link_to(effect.url),
        )

    def undo(self, proposal: Proposal) -> UpdateTask | str:
        """Return the change back to the previous values."""
        effect = self.effect_of(proposal)
        result = proposal.result or {}
        if result.get("was_so"):
            return message("task_change.not_ours")
        if result.get("not_taken"):
            return message("task_change.clickup_did_not_take")
        return effect.reverse()


def _edit(effect: UpdateTask) -> TaskEdit:
    before, after = effect.before, effect.after
    ids_before, ids_after = (
        {assignee.id for assignee in facts.assignees} for facts in (before, after)
    )
    return TaskEdit(
        fields=effect.fields,
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
    values = " and ".join(
        message("built.now", field=_WORDS[name], value=one_line(present.shown(name), 200))
        for name in fields
    )
    why = message("task_change.task_changed_since", text=values)
    return not_written(changed_since(why, effect.onto(present)))


_WORDS = {
    "title": message("task_change.title"),
    "status": message("task_change.status"),
    "start": "it starts",
    "due": message("task_change.due"),
    "assignees": message("task_change.assignees"),
    "priority": message("task_change.priority"),
    "description": message("task_change.description"),
}
