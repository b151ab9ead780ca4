"""Carries out imports of people, clients and brands: every record, or none."""

from __future__ import annotations

from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.imports import ImportedChange, ImportRecords
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.proposals.records import RecordHandler
from agencyclaw.store.clients import is_active
from agencyclaw.store.engine import Connection


class RecordsImport(DatabaseHandler[ImportRecords]):
    """Writes each record as its own change would, and nothing if one of them has changed."""

    kind = ImportRecords

    def __init__(self) -> None:
        self._records = RecordHandler()

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write all records; the first that can't be written takes the others back."""
        changes = self.effect_of(proposal).changes
        try:
            async with conn.transaction():
                done = [await self._written(conn, proposal, change) for change in changes]
        except Refused as refusal:
            return NotDone(refusal.reason, refusal.message, can_retry=False)
        return Done({side: [one.result[side] for one in done] for side in ("before", "after")})

    async def _written(self, conn: Connection, proposal: Proposal, change: ImportedChange) -> Done:
        """Write one record; raises Refused, which names it.

        Nobody is asked about each client, so it is looked at here whether it is still one.
        """
        if isinstance(change, ClientChange) and not await is_active(conn, change.client.id):
            why = message("imports.client_archived", client=change.client.name)
            raise _refused(change, why, "client_archived")
        part = proposal.model_copy(update={"effect": change})
        match await self._records.write(conn, part):
            case Done() as done:
                return done
            case NotDone(reason=reason, message=why):
                raise _refused(change, why, reason)

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say how many records were imported."""
        return Note(text=self.effect_of(proposal).receipt())


def _refused(change: ImportedChange, why: str, reason: str) -> Refused:
    words = message("imports.not_written", label=change.label, why=why)
    return Refused(words, reason=reason)
