"""Carrying out `archive_task`: the undoing of a created task, if nobody has touched it since.

Archiving twice is archiving once, so it needs no intent: after a doubt it is looked at and, if it
still stands there unchanged, archived again.
"""

from __future__ import annotations

from typing import Protocol

import logfire

from agencyclaw.clickup.shapes import SeenTask
from agencyclaw.domain.archiving import ArchiveTask
from agencyclaw.domain.errors import AgencyClawError, NotFound, Refused, Unclear
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Link, Note
from agencyclaw.effects.handlers import Errand
from agencyclaw.effects.outcomes import Done, Maybe, NotDone, Outcome
from agencyclaw.store.engine import Connection
from agencyclaw.store.intents import settle_intent


class Eraser(Protocol):
    """The one thing that writes to ClickUp, as far as it is needed here."""

    async def archive_task(self, task_id: str) -> None:
        """Archive a task; raises Refused, Unavailable (nothing sent) or Unclear."""
        ...


class Glance(Protocol):
    """A look at one task."""

    async def see_task(self, task_id: str) -> SeenTask:
        """Return what a task looks like now; raises NotFound when it was deleted."""
        ...


class TaskArchiving(Errand[ArchiveTask]):
    """Takes a created task out of sight."""

    kind = ArchiveTask

    def __init__(self, eraser: Eraser, glance: Glance, *, first_look_s: float) -> None:
        self._eraser = eraser
        self._glance = glance
        self.first_look_s = first_look_s

    async def may_exist(self, proposal: Proposal) -> bool:
        """Return whether a request may have been sent and its fate is not known."""
        return proposal.state is ProposalState.UNCLEAR

    async def changed_since(self, proposal: Proposal) -> NotDone | None:
        """Leave it to the look that comes right before the request."""
        _ = proposal
        return None

    async def carry_out(self, proposal: Proposal) -> Outcome:
        """Archive the task if it still looks as it did when it was created."""
        effect = self.effect_of(proposal)
        try:
            seen = await self._glance.see_task(effect.task_id)
            if seen.is_archived:
                return _done(effect)
            if not seen.look.is_as_in(effect.look):
                return _changed(effect)
            await self._eraser.archive_task(effect.task_id)
        except NotFound:
            return NotDone("clickup_not_found", f"“{effect.title}” is not in ClickUp any more")
        except Refused as refusal:
            return NotDone(refusal.reason, refusal.message)
        except Unclear:
            return Maybe(self.first_look_s)
        except AgencyClawError as error:
            logfire.warn("archiving failed", proposal=str(proposal.id), error=type(error).__name__)
            return NotDone("unavailable", "ClickUp can't be reached or refuses our access")
        return _done(effect)

    async def look(self, proposal: Proposal) -> Outcome:
        """Look at it again; a ClickUp that still can't be reached is asked later."""
        outcome = await self.carry_out(proposal)
        is_away = isinstance(outcome, NotDone) and outcome.reason == "unavailable"
        return Maybe(self.first_look_s * 5) if is_away else outcome

    async def settled(self, conn: Connection, proposal: Proposal, outcome: Outcome) -> None:
        """Let the same task be created again: the first one is taken back."""
        if isinstance(outcome, Done) and proposal.undo_of:
            await settle_intent(conn, proposal.undo_of, "undone")

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say where the task went and that it can be brought back."""
        effect, url = self.effect_of(proposal), done.result.get("url")
        text = (
            f"“{effect.title}” is archived in {effect.where}: out of sight, not deleted. It can be "
            "restored in ClickUp."
        )
        links = (Link(text="Open the archived task in ClickUp", url=url),) if url else ()
        return Note(text=text, links=links)

    def doubt(self, proposal: Proposal, outcome: Maybe) -> Note:
        """Say that ClickUp did not answer, and who looks next."""
        _ = outcome
        title = self.effect_of(proposal).title
        return Note(
            text=f"ClickUp didn't say whether “{title}” was archived. I'm checking and will tell "
            "you here."
        )


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
        f"somebody has changed “{effect.title}” in ClickUp since I created it, so it stays as it "
        "is; you can archive it there",
    )
