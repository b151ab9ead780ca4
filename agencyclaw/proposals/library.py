"""Carrying out `sop_sync_run` and its undoing: rows of the knowledge base."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.messages import message
from agencyclaw.domain.procedures import RestoreProcedures, SyncProcedures, restoring
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.store.engine import Connection
from agencyclaw.store.procedures import move_pages

_AGAIN = message("library.again")


class ProcedureSync(DatabaseHandler[SyncProcedures]):
    """Takes pages over exactly as they were read, unless one changed here since."""

    kind = SyncProcedures

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write every page, or none."""
        effect = self.effect_of(proposal)
        other = await move_pages(conn, [change.move for change in effect.changes])
        if other is not None:
            return _undone(
                message("library.procedure_changed_here_since", other=other, again=_AGAIN)
            )
        return Done(facts_of(effect))

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say how many, and what waits."""
        return Note(text=sync_receipt(self.effect_of(proposal)))

    def undo(self, proposal: Proposal) -> RestoreProcedures:
        """Bring every page back to how it was."""
        return restoring(self.effect_of(proposal))


class ProcedureRestoring(DatabaseHandler[RestoreProcedures]):
    """Brings pages back, unless one was changed since."""

    kind = RestoreProcedures

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write every page, or none."""
        moves = self.effect_of(proposal).moves
        other = await move_pages(conn, moves)
        if other is not None:
            return _undone(message("library.procedure_changed_since", other=other))
        before = {"/".join(one.before.key): one.before.look for one in moves if one.before}
        after = {"/".join(one.after.key): one.after.look for one in moves if one.after}
        return Done({"before": before, "after": after})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say which are as before."""
        _ = done
        lines = [f"{name}: {value}." for name, value in proposal.effect.preview().fields]
        return Note(text="\n".join([message("library.procedures_are_as_they"), *lines]))


def sync_receipt(effect: SyncProcedures) -> str:
    """Return what was taken over, as a person reads it."""
    text = message(
        "library.taken_over_from_clickup", counts=effect.counts, unchanged=effect.unchanged
    )
    new = [f"“{one.page.title}”" for one in effect.of("new")]
    waits = message("library.be_approved_before_use", new=", ".join(new)) if new else ""
    return text + waits


def facts_of(effect: SyncProcedures) -> dict[str, Any]:
    """Return what the audit keeps of it: which pages, and how they looked before and after."""
    pages = [(one, "/".join(one.page.key)) for one in effect.changes]
    after = {key: one.page.look if one.kind != "gone" else "gone" for one, key in pages}
    before = {key: one.was.look if one.was else None for one, key in pages}
    return {"before": before, "after": after}


def _undone(message: str) -> NotDone:
    return NotDone("changed_since", message, can_retry=False)
