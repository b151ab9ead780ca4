"""The suggested prompts of a person who opens the assistant."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.people import Freshness, Place
from agencyclaw.domain.suggested_prompts import SuggestedPrompt, prompts_for
from agencyclaw.proposals.identities import Identify, Identity
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.proposals import ProposalStore


@dataclass(frozen=True)
class SuggestedPrompts:
    """Identifies a person and suggests sentences about their own work."""

    directory: DirectoryReader
    proposals: ProposalStore
    identify: Identify

    async def offered(self, place: Place, slack_user_id: str) -> list[SuggestedPrompt]:
        """Return suggested prompts; none for people who would not be answered."""
        identity = await self.identify(place, slack_user_id, Freshness.RECENT)
        if not isinstance(identity, Identity):
            return []
        waiting = await self.proposals.waiting_for(place.team_id, slack_user_id)
        clients = await self.directory.own_clients(identity.actor.profile_id)
        return prompts_for(clients, waiting=len(waiting))
