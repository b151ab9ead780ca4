"""What is offered to a person who opens the conversation with the assistant."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.openers import Opener, openers_for
from agencyclaw.domain.people import Freshness, Place
from agencyclaw.proposals.standing import Present, Standing
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.proposals import ProposalStore


@dataclass(frozen=True)
class Openers:
    """Reads who a person is, and offers them sentences about their own work."""

    directory: DirectoryReader
    proposals: ProposalStore
    standing: Standing

    async def offered(self, place: Place, slack_user_id: str) -> list[Opener]:
        """Return sentences to begin with; none for whom we would not answer."""
        known = await self.standing.of(place, slack_user_id, Freshness.RECENT)
        if not isinstance(known, Present):
            return []
        waiting = await self.proposals.waiting_for(place.team_id, slack_user_id)
        clients = await self.directory.own_clients(known.actor.profile_id)
        return openers_for(clients, waiting=len(waiting))
