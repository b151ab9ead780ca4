"""Carries out `archive_task`, the undo of a created task, if nobody has changed the task since.

Archiving twice has the effect of once: after an unclear outcome the task is looked at and, if it is
unchanged, archived again.
"""

from __future__ import annotations

from typing import Protocol

from agencyclaw.clickup.shapes import SeenTask
from agencyclaw.domain.archiving import ArchiveTask
from agencyclaw.domain.errors import AgencyClawError, NotFound, Unclear
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals import notices
from agencyclaw.proposals.handlers import IdempotentHandler
from agencyclaw.proposals.outcomes import Done, NotDone, Outcome, Unknown
from agencyclaw.store.engine import Connection
from agencyclaw.store.intents import settle_intent


class TaskArchiver(Protocol):
    """The only writer to ClickUp, as far as archiving needs it."""

    async def archive_task(self, task_id: str) -> None:
        """Archive a task; raises Refused, Unavailable (nothing sent) or Unclear."""
        ...


class TaskSnapshotReader(Protocol):
    """Reads a task's present state."""

    async def see_task(self, task_id: str) -> SeenTask:
        """Return a task's present state; raises NotFound if it was deleted."""
        ...


class TaskArchiving(IdempotentHandler[ArchiveTask]):
    """Archives created tasks."""

    kind = ArchiveTask

    def __init__(
        self, archiver: TaskArchiver, tasks: TaskSnapshotReader, *, first_look_s: float
    ) -> None:
        self._archiver = archiver
        self._tasks = tasks
        self.first_look_s = first_look_s

    async def carry_out(self, proposal: Proposal) -> Outcome:
        """Archive the task if it still looks as it did when it was created."""
        effect = self.effect_of(proposal)
        try:
            seen = await self._tasks.see_task(effect.task_id)
        except NotFound:
            return _gone(effect)
        except (AgencyClawError, OSError) as error:
            return self.unseen(proposal, error)
        if seen.is_archived:
            return _done(effect)
        if not seen.look.is_as_in(effect.look):
            return _changed(effect)
        return await self._send(proposal, effect)

    async def _send(self, proposal: Proposal, effect: ArchiveTask) -> Outcome:
        try:
            await self._archiver.archive_task(effect.task_id)
        except Unclear:
            return self.unknown(proposal)
        except NotFound:
            return _gone(effect)
        except (AgencyClawError, OSError) as error:
            return self.unsent(proposal, error)
        return _done(effect)

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

    def unknown_note(self, proposal: Proposal, outcome: Unknown) -> Note:
        """Say that the outcome is unknown, for now or for good, and who looks next."""
        title = self.effect_of(proposal).title
        if outcome.look_in_s is None:
            return Note(text=message("task_archiving.could_not_find_out", title=title))
        return Note(text=message("task_archiving.clickup_didnt_say_whether", title=title))


def _done(effect: ArchiveTask) -> Done:
    return Done(
        {
            "task_id": effect.task_id,
            "url": effect.url,
            "before": {"archived": False},
            "after": {"archived": True},
        }
    )


def _gone(effect: ArchiveTask) -> NotDone:
    return NotDone(
        "clickup_not_found", message("task_archiving.not_clickup_any_more", title=effect.title)
    )


def _changed(effect: ArchiveTask) -> NotDone:
    return NotDone(
        "changed_since",
        message("task_archiving.somebody_has_changed_clickup", title=effect.title),
    )
