"""What an admin sees of other people's waiting proposals."""

from __future__ import annotations

from agencyclaw.domain.people import Freshness, Place, Tier
from agencyclaw.domain.proposals import Proposal
from agencyclaw.proposals.identities import IdentityResolver, Present
from agencyclaw.store.proposals import ProposalStore


class AdminView:
    """Everything that waits in the agency, for those who may see it."""

    def __init__(self, proposals: ProposalStore, identities: IdentityResolver) -> None:
        self._proposals = proposals
        self._identities = identities

    async def waiting(self, team_id: str, slack_user_id: str) -> list[Proposal] | None:
        """Return what waits for others, oldest first; None for who is no admin."""
        known = await self._identities.of(Place.home_tab(team_id), slack_user_id, Freshness.RECENT)
        if not isinstance(known, Present) or known.actor.tier < Tier.ADMIN:
            return None
        return await self._proposals.waiting_for_others(team_id, slack_user_id)
