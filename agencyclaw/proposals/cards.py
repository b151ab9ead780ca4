"""The cards of proposals, as deliveries: posted, reposted, redrawn."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import PRESS_S, Proposal
from agencyclaw.domain.receipts import OutboxKind
from agencyclaw.store.engine import Connection
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.outbox import post
from agencyclaw.store.proposal_states import hold_open, show_on, show_on_again


async def post_card(
    conn: Connection,
    proposals: list[Proposal],
    *,
    key: str,
    receipt_id: int,
    run_id: UUID | None = None,
) -> None:
    """Queue one card for these proposals; from now on it is the one that shows them."""
    ids = tuple(proposal.id for proposal in proposals)
    card_id = await _queue(conn, proposals[0], ids, f"card:{key}", receipt_id, run_id)
    if card_id:
        await show_on(conn, ids, card_id)


async def repost_card(
    conn: Connection, proposal: Proposal, *, receipt_id: int, place: Place | None = None
) -> None:
    """Queue the card again as the last message, in the thread of `place`; the old one shrinks.

    Words count for ten more minutes, if they count at all; the press expires as before.
    """
    if not await hold_open(conn, proposal.id):
        return
    key = f"card:{proposal.id}:{receipt_id}"
    moved = proposal.model_copy(update={"place": thread_for(proposal, place)})
    card_id = await _queue(conn, moved, (proposal.id,), key, receipt_id, proposal.run_id)
    if card_id:
        await show_on_again(conn, proposal.id, card_id, moved.place.thread_ts)
        await redraw(conn, proposal, why=f"moved:{receipt_id}")


def thread_for(proposal: Proposal, place: Place | None) -> Place:
    """Return the place for a card: where its person wrote, if that is in the same conversation.

    The threads of a direct message are one conversation; those of a channel are not.
    """
    if place and place.thread_ts and place.key == proposal.place.key:
        return place
    return proposal.place


async def redraw(conn: Connection, proposal: Proposal, *, why: str = "ended") -> None:
    """Redraw every card that shows a proposal, from the state at the time of drawing."""
    await post(
        conn,
        key=f"redraw:{proposal.id}:{why}",
        kind=OutboxKind.CARD_UPDATE,
        place=proposal.place,
        proposal_ids=(proposal.id,),
    )


async def execute_later(
    conn: Connection, proposal: Proposal, *, seconds: float | None = None
) -> None:
    """Queue a confirmed proposal to be carried out now, or in some seconds."""
    await defer(
        conn,
        "execute",
        {"proposal_id": str(proposal.id)},
        queue=queue_of(proposal.place.team_id),
        lock=f"execute:{proposal.id}",
        seconds=seconds,
    )


async def expire_later(conn: Connection, proposal: Proposal) -> None:
    """Redraw the card of a retryable failure when its time is over."""
    await defer(
        conn,
        "expire",
        {"proposal_id": str(proposal.id)},
        queue=queue_of(proposal.place.team_id),
        seconds=PRESS_S,
    )


async def _queue(
    conn: Connection,
    first: Proposal,
    ids: tuple[UUID, ...],
    key: str,
    receipt_id: int,
    run_id: UUID | None,
) -> UUID | None:
    return await post(
        conn,
        key=key,
        kind=OutboxKind.CARD,
        place=first.place,
        proposal_ids=ids,
        receipt_id=receipt_id,
        run_id=run_id,
    )
