"""Finds where the card of a proposal is now, to link to it from other places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Delivery, Link, Note, ShownCard
from agencyclaw.slack.cards import is_moved
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.threads import permalink
from agencyclaw.store.outbox import Outbox
from agencyclaw.store.proposals import ProposalStore


@dataclass(frozen=True)
class CardLinks:
    """Finds the cards that show proposals at present."""

    me: BotIdentity
    outbox: Outbox
    proposals: ProposalStore

    async def moved(
        self, proposals: Sequence[Proposal], shown_by: UUID, thread_ts: str
    ) -> dict[UUID, str | None]:
        """Return the addresses of cards that are no longer in this thread, by proposal.

        None for a card that was not sent: it is on its way, or was given up.
        """
        addresses: dict[UUID, str | None] = {}
        for proposal in proposals:
            if not is_moved(proposal, shown_by):
                continue
            card = await self._card_of(proposal)
            if card is None or card.thread_ts != thread_ts:
                addresses[proposal.id] = self._address(card) if card else None
        return addresses

    async def note_with_links(self, row: Delivery) -> Note:
        """Return a delivery's note, with links to the cards it mentions."""
        note = row.note or Note(text="")
        if not note.cards:
            return note
        links = list(note.links)
        for proposal in await self.proposals.by_ids(list(note.cards)):
            card = await self._card_of(proposal)
            address = self._address(card) if card else ""
            if card and address:
                is_here = card.thread_ts == row.place.thread_ts
                links.append(Link(text=_link_text(proposal, is_here=is_here), url=address))
        return note.model_copy(update={"links": tuple(links)})

    async def _card_of(self, proposal: Proposal) -> ShownCard | None:
        cards = await self.outbox.cards_of(proposal.id)
        return next((card for card in cards if card.outbox_id == proposal.card_id), None)

    def _address(self, card: ShownCard) -> str:
        return permalink(self.me.url, card.channel_id, card.ts, card.thread_ts or None)


def _link_text(proposal: Proposal, *, is_here: bool) -> str:
    label = proposal.effect.label
    if proposal.undo_until:
        return message("cards.undo_there", label=label)
    if is_here:
        return message("cards.waits_here", label=label)
    return message("cards.stands_elsewhere", label=label)
