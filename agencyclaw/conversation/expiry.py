"""Ends what expires: proposals, and revisions whose question was not answered."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.proposals.cards import repost_card
from agencyclaw.proposals.consent import Consent
from agencyclaw.store.engine import Database
from agencyclaw.store.proposals import ProposalStore
from agencyclaw.store.suspensions import end_unanswered


@dataclass(frozen=True)
class Expiry:
    """Ends proposals when their time is over, and brings back those nobody answered about."""

    db: Database
    proposals: ProposalStore
    consent: Consent

    async def resume(self, proposal_id: UUID) -> None:
        """Reopen a proposal whose revision was asked about and not answered in time."""
        async with self.db.transaction() as conn:
            if ended := await end_unanswered(conn, proposal_id):
                asking, proposal = ended
                await repost_card(conn, proposal, receipt_id=asking)

    async def expire(self, proposal_id: UUID) -> None:
        """Expire one proposal if it is still open and its time is over."""
        for proposal in await self.proposals.by_ids([proposal_id]):
            await self.consent.expire(proposal)
