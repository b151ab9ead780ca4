"""Where the card of a proposal stands now, for whoever looks at it from another thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Delivery, Link, Note, ShownCard
from agencyclaw.slack.cards import is_moved
from agencyclaw.slack.ports import Identity, OpenProposals, OutboxPort
from agencyclaw.slack.threads import permalink


@dataclass(frozen=True)
class CardLinks:
    """Finds the cards that show proposals at present."""

    me: Identity
    outbox: OutboxPort
    proposals: OpenProposals

    async def moved(
        self, proposals: Sequence[Proposal], shown_by: UUID, thread_ts: str
    ) -> dict[UUID, str | None]:
        """Return the addresses of those whose card is not in this thread any more.

        None if no card of it is found: it is on its way, or could not be sent.
        """
        found: dict[UUID, str | None] = {}
        for one in proposals:
            if not is_moved(one, shown_by):
                continue
            card = await self._card_of(one)
            if card is None or card.thread_ts != thread_ts:
                found[one.id] = self._address(card) if card else None
        return found

    async def added_to(self, row: Delivery) -> Note:
        """Return a delivery's note, with links to the cards it speaks of in other threads."""
        note = row.note or Note(text="")
        found: list[Link] = []
        for one in await self.proposals.by_ids(list(note.cards)) if note.cards else []:
            card = await self._card_of(one)
            address = self._address(card) if card else ""
            if card and address and card.thread_ts != row.place.thread_ts:
                label = message("cards.stands_elsewhere", label=one.effect.label)
                found.append(Link(text=label, url=address))
        return note.model_copy(update={"links": (*note.links, *found)}) if found else note

    async def _card_of(self, proposal: Proposal) -> ShownCard | None:
        cards = await self.outbox.cards_of(proposal.id)
        return next((one for one in cards if one.outbox_id == proposal.card_id), None)

    def _address(self, card: ShownCard) -> str:
        return permalink(self.me.url, card.channel_id, card.ts, card.thread_ts or None)
