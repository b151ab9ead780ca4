"""Other people's open proposals, for admins."""

from __future__ import annotations

from agencyclaw.domain.people import Freshness, Place, Tier
from agencyclaw.domain.proposals import Proposal
from agencyclaw.proposals.identities import Identify, Identity
from agencyclaw.store.proposals import ProposalStore


class AdminView:
    """Lists the agency's open proposals for those who may see them."""

    def __init__(self, proposals: ProposalStore, identify: Identify) -> None:
        self._proposals = proposals
        self._identify = identify

    async def waiting(self, team_id: str, slack_user_id: str) -> list[Proposal] | None:
        """Return other people's open proposals, oldest first; None if the person is no admin."""
        identity = await self._identify(Place.home_tab(team_id), slack_user_id, Freshness.RECENT)
        if not isinstance(identity, Identity) or identity.actor.tier < Tier.ADMIN:
            return None
        return await self._proposals.waiting_for_others(team_id, slack_user_id)
