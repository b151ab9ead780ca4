"""How the changes of a conversation stand by now: a card may be confirmed while a turn runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agencyclaw.agents.situation import change_rows
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.replies import ChangeRow
from agencyclaw.proposals.identities import Known
from agencyclaw.store.background import Background
from agencyclaw.store.proposals import ProposalStore


@dataclass(frozen=True)
class PresentRows:
    """Reads again the proposals that a run began with."""

    store: ProposalStore
    known: tuple[Proposal, ...]
    timezone: str
    now: datetime

    async def __call__(self) -> tuple[ChangeRow, ...]:
        """Return the rows of today; what still waits is told as it was when the run began."""
        now = {one.id: one for one in await self.store.by_ids([one.id for one in self.known])}
        stand = [
            now[one.id] if one.id in now and now[one.id].state is not one.state else one
            for one in self.known
        ]
        return change_rows(stand, self.timezone, now=self.now)


def rows_at_start(known: Known, background: Background, now: datetime) -> tuple[ChangeRow, ...]:
    """Return the rows that a turn begins with; none where others read along."""
    if known.surface.is_open:
        return ()
    return change_rows(background.proposals, known.actor.timezone, now=now)


def rows_reader(
    store: ProposalStore, known: Known, background: Background, now: datetime
) -> PresentRows | None:
    """Return what reads the rows of a turn again; None where it is told of none."""
    if known.surface.is_open or not background.proposals:
        return None
    return PresentRows(store, tuple(background.proposals), known.actor.timezone, now)
