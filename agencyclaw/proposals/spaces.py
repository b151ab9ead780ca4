"""Carries out changes of the registry of ClickUp spaces."""

from __future__ import annotations

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.records import changed_since
from agencyclaw.domain.spaces import SpacesChange
from agencyclaw.proposals.handlers import DatabaseHandler
from agencyclaw.proposals.outcomes import Done, NotDone, not_written
from agencyclaw.store.engine import Connection
from agencyclaw.store.spaces import move_spaces


class SpaceMoves(DatabaseHandler[SpacesChange]):
    """Registers, renames and classifies spaces, unless one has changed since the card."""

    kind = SpacesChange

    async def write(self, conn: Connection, proposal: Proposal) -> Done | NotDone:
        """Write every space, or none."""
        effect = self.effect_of(proposal)
        conflict = await move_spaces(conn, effect.moves, effect.workspace)
        if conflict is not None:
            return not_written(changed_since(message("spaces.since", name=conflict), None))
        before, after = effect.audited(is_after=False), effect.audited(is_after=True)
        return Done({"before": before, "after": after})

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what is registered now."""
        return Note(text=self.effect_of(proposal).receipt())

    def undo(self, proposal: Proposal) -> Effect | str:
        """Return every space to its previous record."""
        effect = self.effect_of(proposal)
        moves = tuple(move.reverse for move in effect.moves)
        return effect.model_copy(update={"moves": moves, "against": ()})  # pyright: ignore[reportReturnType]
