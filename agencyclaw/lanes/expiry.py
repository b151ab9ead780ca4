"""What ends by itself: proposals whose ten minutes are over."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.effects.consent import Consent
from agencyclaw.store.proposals import ProposalStore


class Expiry:
    """Ends open proposals in time; use checks the time anyway, this only redraws the card."""

    def __init__(self, proposals: ProposalStore, consent: Consent) -> None:
        self._proposals = proposals
        self._consent = consent

    async def expire(self, proposal_id: UUID) -> None:
        """End one proposal if it is still open and its time is over."""
        for proposal in await self._proposals.by_ids([proposal_id]):
            await self._consent.expire(proposal)
