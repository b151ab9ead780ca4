"""Carries out `archive_task`, the undo of a created task, if nobody has changed the task since.

Archiving twice has the effect of once: after an unclear outcome the task is looked at and, if it is
unchanged, archived again.
"""

from __future__ import annotations

from typing import Protocol

from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.archiving import ArchiveTask
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals import notices
from agencyclaw.proposals.handlers import IdempotentHandler
from agencyclaw.proposals.outcomes import Delayed, Done, NotDone, Outcome, Unsettled
from agencyclaw.store.engine import Connection
from agencyclaw.store.intents import settle_intent


class TaskArchiver(Protocol):
    """The only writer to ClickUp, as far as archiving needs it."""

    async def archive_task(self, task_id: str) -> None:
        """Archive a task; raises Refused, Unavailable (nothing sent) or Unclear."""
        ...


class TaskArchiving(IdempotentHandler[ArchiveTask]):
    """Archives created tasks."""

    kind = ArchiveTask

    def __init__(
        self, archiver: TaskArchiver, tasks: ClickUpReader, *, first_look_s: float
    ) -> None:
        self._archiver = archiver
        self._tasks = tasks
        self.first_look_s = first_look_s

    async def carry_out(self, proposal: Proposal) -> Outcome:
        """Archive the task if it still looks as it did when it was created."""
        effect = self.effect_of(proposal)
        if outcome := await self._compared(proposal):
            return outcome
        unsettled = await self.send(proposal, self._archiver.archive_task(effect.task_id))
        return unsettled or _done(effect)

    async def stopped(self, proposal: Proposal, why: NotDone | Delayed) -> Outcome:
        """See whether the task is archived, and archive nothing."""
        return self.ended(proposal, await self._compared(proposal), why)

    async def _compared(self, proposal: Proposal) -> Outcome | None:
        """Return the outcome if nothing may be sent; None if the task is as it was created."""
        effect = self.effect_of(proposal)
        seen = await self.read(proposal, self._tasks.see_task(effect.task_id))
        if isinstance(seen, Unsettled):
            return seen
        if seen.is_archived:
            return _done(effect)
        return None if seen.look.is_as_in(effect.look) else _changed(effect)

    def gone(self, proposal: Proposal) -> NotDone:
        """Return that the task was deleted, so that there is nothing to archive."""
        title = self.effect_of(proposal).title
        return NotDone(
            "clickup_not_found", message("task_archiving.not_clickup_any_more", title=title)
        )

    async def settled(self, conn: Connection, proposal: Proposal, outcome: Outcome) -> None:
        """Allow the same task to be created again."""
        if isinstance(outcome, Done) and proposal.undo_of:
            await settle_intent(conn, proposal.undo_of, "undone")

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say where the task went, and that it can be restored."""
        effect = self.effect_of(proposal)
        text = message(
            "task_archiving.archived_out_sight_not", title=effect.title, where=effect.where
        )
        link_text = message("task_archiving.open_archived_task_clickup")
        return Note(text=text, links=notices.link_to(done.result.get("url"), link_text))


def _done(effect: ArchiveTask) -> Done:
    return Done(
        {
            "task_id": effect.task_id,
            "url": effect.url,
            "before": {"archived": False},
            "after": {"archived": True},
        }
    )


def _changed(effect: ArchiveTask) -> NotDone:
    return NotDone(
        "changed_since",
        message("task_archiving.somebody_has_changed_clickup", title=effect.title),
    )
