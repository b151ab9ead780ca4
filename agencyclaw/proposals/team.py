"""Carries out the archiving of people, with what becomes of their roles, and their return."""

from __future__ import annotations

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.team import Archiving, BringBack
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone, not_written
from agencyclaw.store.engine import Connection
from agencyclaw.store.people import archive, bring_back


class PersonArchiving(DatabaseHandler[Archiving]):
    """Archives a person, unless they or their roles have changed."""

    kind = Archiving

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write the person and all their roles, or nothing."""
        effect = self.effect_of(proposal)
        if refusal := await archive(conn, effect, proposal):
            return not_written(refusal)
        return Done({"before": effect.audited(), "after": effect.audited(are_roles_held=False)})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what became of the person and their roles."""
        return Note(text=self.effect_of(proposal).receipt())

    def undo(self, proposal: Proposal) -> Effect:
        """Return the change back."""
        return self.effect_of(proposal).reverse()


class PersonReturn(DatabaseHandler[BringBack]):
    """Brings a person back, unless they or the roles they held have changed."""

    kind = BringBack

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write the person and all their roles, or nothing."""
        effect = self.effect_of(proposal)
        if refusal := await bring_back(conn, effect, proposal):
            return not_written(refusal)
        return Done({"before": effect.audited(are_roles_held=False), "after": effect.audited()})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what became of the person."""
        return Note(text=self.effect_of(proposal).receipt())

    def undo(self, proposal: Proposal) -> Effect:
        """Return the change back."""
        return self.effect_of(proposal).reverse()
