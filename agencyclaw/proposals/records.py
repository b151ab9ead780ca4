"""Carries out changes of records of any kind, as their declarations say."""

from __future__ import annotations

from typing import Any, cast

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.records import NotWritten, RecordChange, brand_lost
from agencyclaw.proposals.handlers import CANNOT_UNDO, DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone, not_written
from agencyclaw.store.brands import is_in_use
from agencyclaw.store.engine import Connection
from agencyclaw.store.records import row_of


class RecordHandler(DatabaseHandler[RecordChange[Any]]):
    """Changes a record, unless it has changed since the card."""

    kind = RecordChange

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write if the record still holds what the card showed.

        Of a brand that is archived or gone by now, something is taken away at most.
        """
        effect = self.effect_of(proposal)
        if effect.person_id not in (None, proposal.actor_profile_id):
            return not_written(
                NotWritten(message("remembering.preference_kept_only_who"), "not_yours")
            )
        brand = effect.of_brand
        if brand and effect.becomes is not None and not await is_in_use(conn, brand.id):
            return not_written(brand_lost(brand))
        row = row_of(conn, effect)
        present = await row.read()
        if conflict := effect.conflict(present):
            return not_written(conflict)
        row_id = await row.write(present, proposal)
        if isinstance(row_id, NotWritten):
            return not_written(row_id)
        if row_id is None:
            return not_written(effect.not_written(present))
        return Done(effect.result(present, row_id))

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what was changed."""
        return Note(text=self.effect_of(proposal).receipt())

    def undo(self, proposal: Proposal) -> Effect | str:
        """Return the reverse change."""
        back = self.effect_of(proposal).undone(proposal.result or {}, proposal.actor_name)
        return cast("Effect", back) if back else CANNOT_UNDO
