"""Carries out `change_tasks`: each task by itself, and says of each how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.bulk_changes import UpdateTasks
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Link, Note
from agencyclaw.domain.task_changes import UpdateTask
from agencyclaw.domain.text import counted
from agencyclaw.proposals.handlers import IdempotentHandler
from agencyclaw.proposals.outcomes import Delayed, Done, Duplicate, NotDone, Outcome, Unknown
from agencyclaw.proposals.task_change import TaskChange, TaskWriter
from agencyclaw.proposals.task_homes import TaskHomes


@dataclass(frozen=True)
class _TaskOutcome:
    """How the change of one task ended."""

    task: UpdateTask
    outcome: Outcome

    @property
    def failure(self) -> str:
        """Why the task was not changed; "" if it was."""
        match self.outcome:
            case NotDone():
                return self.outcome.message
            case Delayed():
                return message("bulk_changes.waits", what_for=self.outcome.what_for)
            case Done() | Unknown() | Duplicate():
                return ""

    @property
    def again(self) -> UpdateTask | None:
        """What is left to do for the present facts; None if nothing is, or it can't be done."""
        match self.outcome:
            case NotDone(renewed=UpdateTask() as renewed) | Done(renewed=UpdateTask() as renewed):
                return renewed
            case NotDone(can_retry=True) | Delayed():
                return self.task
            case _:
                return None


class BulkTaskChange(IdempotentHandler[UpdateTasks]):
    """Changes several tasks.

    After a crash or an unclear outcome they are compared again, but for those known to be changed,
    which somebody may have changed back since.
    """

    kind = UpdateTasks

    def __init__(self, single: TaskChange) -> None:
        self._single = single
        self.first_look_s = single.first_look_s

    async def carry_out(self, proposal: Proposal) -> Outcome:
        """Change each task unless somebody changed it since; one that fails stops no other."""
        return await self._end_each(proposal, self._single.carry_out)

    async def stopped(self, proposal: Proposal, why: NotDone | Delayed) -> Outcome:
        """See which tasks are as wanted, and change none."""
        return await self._end_each(proposal, partial(self._single.stopped, why=why))

    async def _end_each(
        self, proposal: Proposal, end: Callable[[Proposal], Awaitable[Outcome]]
    ) -> Outcome:
        """Return the outcome of all tasks, of which those known to be changed are left alone."""
        changed = {one["task_id"]: Done(one) for one in (proposal.result or {}).get("tasks", ())}

        async def outcome_of(task: UpdateTask) -> _TaskOutcome:
            alone = proposal.model_copy(update={"effect": task})
            return _TaskOutcome(task, changed.get(task.task_id) or await end(alone))

        ends = await asyncio.gather(*map(outcome_of, self.effect_of(proposal).tasks))
        outcomes = [one.outcome for one in ends]
        has_changed = any(isinstance(one, Done) for one in outcomes)
        if unknown := next((one for one in outcomes if isinstance(one, Unknown)), None):
            return Unknown(unknown.look_in_s, _result(ends) if has_changed else None)
        if has_changed:
            return Done(_result(ends), renewed=self._left(proposal, ends))
        delayed = next((one for one in outcomes if isinstance(one, Delayed)), None)
        return delayed or self._none_done(proposal, ends)

    def _none_done(self, proposal: Proposal, ends: Sequence[_TaskOutcome]) -> NotDone:
        """Return why no task was changed; what somebody changed since is offered anew."""
        left = self._left(proposal, ends)
        is_same = left is not None and left.tasks == self.effect_of(proposal).tasks
        return NotDone(
            "no_task_changed",
            "; ".join(_failures(ends)),
            can_retry=is_same,
            renewed=None if is_same else left,
        )

    def _left(self, proposal: Proposal, ends: Sequence[_TaskOutcome]) -> UpdateTasks | None:
        left = tuple(one.again for one in ends if one.again)
        update = {"tasks": left, "remarks": ()}
        return self.effect_of(proposal).model_copy(update=update) if left else None

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say which tasks were changed, with a link each, and which were not and why."""
        tasks = {task.task_id: task for task in self.effect_of(proposal).tasks}
        results = done.result["tasks"]
        changed = _changes_made(self.effect_of(proposal), results)
        refused = [
            message("bulk_changes.not_accepted", label=tasks[one["task_id"]].label)
            for one in results
            if one["not_taken"]
        ]
        were_so = [
            message("bulk_changes.was_so", label=tasks[one["task_id"]].label)
            for one in results
            if one.get("was_so")
        ]
        failures = [*refused, *were_so, *done.result["failures"]]
        count = counted(len(changed), "task")
        if len(changed) < len(tasks):
            count = message("bulk_changes.part", changed=len(changed), total=len(tasks))
        lines = [message("bulk_changes.changed", count=count), *(f"• {one}" for one in failures)]
        links = (Link(text=f"{task.label}: {task.summary}", url=task.url) for task in changed)
        return Note(text="\n".join(lines), links=tuple(links))

    def undo(self, proposal: Proposal) -> UpdateTasks | str:
        """Return the change of the changed tasks back to their previous values."""
        effect = self.effect_of(proposal)
        results = (proposal.result or {}).get("tasks", ())
        back = tuple(task.reverse() for task in _changes_made(effect, results))
        if not back:
            is_refused = any(one["not_taken"] for one in results)
            if is_refused:
                return message("task_change.clickup_did_not_take")
            return message("task_change.not_ours")
        return effect.model_copy(update={"tasks": back, "remarks": ()})


def task_change_handlers(
    writer: TaskWriter, reader: ClickUpReader, homes: TaskHomes, first_look_s: float
) -> tuple[TaskChange, BulkTaskChange]:
    """Return the handlers of a change of one task and of several."""
    single = TaskChange(writer, reader, homes, first_look_s)
    return single, BulkTaskChange(single)


def _changes_made(effect: UpdateTasks, results: Sequence[dict[str, Any]]) -> list[UpdateTask]:
    """Return what was changed of each task by us, as far as ClickUp took it."""
    refused = {one["task_id"]: one["not_taken"] for one in results if not one.get("was_so")}
    made = (one.without(refused[one.task_id]) for one in effect.tasks if one.task_id in refused)
    return [one for one in made if one.fields]


def _result(ends: Sequence[_TaskOutcome]) -> dict[str, Any]:
    """Return the values of each changed task before and after, and why the others failed."""
    results = [one.outcome.result for one in ends if isinstance(one.outcome, Done)]
    return {
        "tasks": results,
        "before": {one["task_id"]: one["before"] for one in results},
        "after": {one["task_id"]: one["after"] for one in results},
        "failures": _failures(ends),
    }


def _failures(ends: Sequence[_TaskOutcome]) -> list[str]:
    return [
        message("bulk_changes.not_changed", label=one.task.label, why=one.failure.rstrip(" ."))
        for one in ends
        if one.failure
    ]
