"""The present state of a conversation's changes: a card may be decided while a turn runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agencyclaw.agents.situation import change_rows
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.replies import ChangeRow
from agencyclaw.domain.text import one_line
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.background import Background
from agencyclaw.store.proposals import ProposalStore


@dataclass(frozen=True)
class PresentRows:
    """Reads again the proposals that a run began with."""

    store: ProposalStore
    proposals: tuple[Proposal, ...]
    timezone: str
    now: datetime

    async def __call__(self) -> tuple[ChangeRow, ...]:
        """Return the present rows; a proposal whose state is unchanged is taken from the start."""
        ids = [proposal.id for proposal in self.proposals]
        current = {proposal.id: proposal for proposal in await self.store.by_ids(ids)}
        proposals = [
            current[old.id] if old.id in current and current[old.id].state is not old.state else old
            for old in self.proposals
        ]
        return change_rows(proposals, self.timezone, now=self.now)


def rows_at_start(
    identity: Identity, background: Background, now: datetime
) -> tuple[ChangeRow, ...]:
    """Return the rows that a turn begins with; none where others read along."""
    if identity.surface.is_open:
        return ()
    return change_rows(background.proposals, identity.actor.timezone, now=now)


def rows_of_others(
    identity: Identity, background: Background, now: datetime
) -> tuple[ChangeRow, ...]:
    """Return what others had changed in this thread or still can, by name.

    No answer can refer to it by key, or have such a card shown again.
    """
    rows = change_rows(background.of_others, identity.actor.timezone, now=now)
    named = zip(rows, background.of_others, strict=True)
    return tuple(
        ChangeRow(
            # Whoever reads along sees the card's headline, and may mean that.
            label=one_line(one.effect.preview().headline, 160) if row.waits else row.label,
            state=message("state.by", state=row.state, by=one.actor_name),
            waits_for=one.actor_name if row.waits else "",
        )
        for row, one in named
    )


def rows_reader(
    store: ProposalStore, identity: Identity, background: Background, now: datetime
) -> PresentRows | None:
    """Return the reader of a turn's rows; None if the turn begins with none."""
    if identity.surface.is_open or not background.proposals:
        return None
    return PresentRows(store, tuple(background.proposals), identity.actor.timezone, now)
