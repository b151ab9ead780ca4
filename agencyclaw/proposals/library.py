"""Carries out `sop_sync_run` and its undo, which write procedure rows."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.procedures import RestoreProcedures, SyncProcedures, restoring
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.store.engine import Connection
from agencyclaw.store.procedures import move_pages


class ProcedureSync(DatabaseHandler[SyncProcedures]):
    """Imports pages as they were read, unless one has changed here since."""

    kind = SyncProcedures

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write every page, or none."""
        effect = self.effect_of(proposal)
        conflict = await move_pages(conn, [change.move for change in effect.changes])
        if conflict is not None:
            why = message("library.procedure_changed_since", other=conflict)
            return _undone(message("outcomes.ask_again_new_proposal", why=why))
        return Done(facts_of(effect))

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say how many were imported, and what waits for approval."""
        return Note(text=sync_receipt(self.effect_of(proposal)))

    def undo(self, proposal: Proposal) -> RestoreProcedures:
        """Return every page to its previous state."""
        return restoring(self.effect_of(proposal))


class ProcedureRestoring(DatabaseHandler[RestoreProcedures]):
    """Restores pages, unless one has changed since."""

    kind = RestoreProcedures

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write every page, or none."""
        moves = self.effect_of(proposal).moves
        conflict = await move_pages(conn, moves)
        if conflict is not None:
            return _undone(message("library.procedure_changed_since", other=conflict))
        before = {"/".join(move.before.key): move.before.look for move in moves if move.before}
        after = {"/".join(move.after.key): move.after.look for move in moves if move.after}
        return Done({"before": before, "after": after})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say which pages are restored."""
        lines = [f"{localized(name)}: {value}." for name, value in proposal.effect.preview().fields]
        return Note(text="\n".join([message("library.procedures_are_as_they"), *lines]))


def sync_receipt(effect: SyncProcedures) -> str:
    """Return what was imported, as a person reads it."""
    text = message(
        "library.taken_over_from_clickup", counts=effect.counts, unchanged=effect.unchanged
    )
    new = [f"“{change.page.title}”" for change in effect.of("new")]
    waits = message("library.be_approved_before_use", new=", ".join(new)) if new else ""
    return text + waits


def facts_of(effect: SyncProcedures) -> dict[str, Any]:
    """Return what the audit stores: the pages, with their states before and after."""
    pages = [(change, "/".join(change.page.key)) for change in effect.changes]
    after = {key: change.page.look if change.kind != "gone" else "gone" for change, key in pages}
    before = {key: change.was.look if change.was else None for change, key in pages}
    return {"before": before, "after": after}


def _undone(message: str) -> NotDone:
    return NotDone("changed_since", message, can_retry=False)
