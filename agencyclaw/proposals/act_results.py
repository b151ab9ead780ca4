"""The result of a person's act on one proposal, and the reply to it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Act, Link, Note, OutboxKind, Receipt
from agencyclaw.proposals import notices
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.engine import Connection
from agencyclaw.store.outbox import post


@dataclass(frozen=True)
class ActResult:
    """The result of one act on one proposal; `reply` is empty if none is needed.

    `is_replay`: a further yes to something settled. `about` is the proposal that the reply is
    about, `card` the one whose card it speaks of, `offers` those whose next steps come as buttons.
    Of replies with the same `once`, one is sent.
    """

    reason: str
    reply: str = ""
    is_private: bool = False
    links: tuple[Link, ...] = ()
    is_replay: bool = False
    about: UUID | None = None
    card: UUID | None = None
    offers: tuple[UUID, ...] = ()
    once: str = ""


def not_theirs(receipt: Receipt, who: Identity, proposal: Proposal) -> ActResult | None:
    """Return why this person may not act on this proposal; None if they may."""
    if proposal.actor_profile_id != who.actor.profile_id:
        text = message("proposal.only", name=proposal.actor_name)
        return ActResult("wrong_actor", text, is_private=True)
    return not_here(receipt, proposal)


def stale(proposals: list[Proposal]) -> ActResult:
    """Say that the pressed card no longer shows the present state."""
    card = proposals[0].id if len(proposals) == 1 else None
    return ActResult("stale_button", notices.STALE, is_private=True, card=card)


def expired(proposal: Proposal) -> ActResult:
    """Say when it expired, with a button to prepare it again."""
    return ActResult("expired", notices.expired(proposal), about=proposal.id, offers=(proposal.id,))


def under_revision(act: Act, proposal: Proposal) -> ActResult | None:
    """Offer both ways on to a person who asked for another version; the press does nothing."""
    if proposal.state is not ProposalState.OPEN:
        return None
    if act == "as_shown":
        is_stale = proposal.suspended_by is None
        return ActResult("stale_button", notices.STALE, is_private=True) if is_stale else None
    if proposal.suspended_by is None:
        return None
    return ActResult(
        "under_revision", notices.under_revision(proposal), is_private=True, offers=(proposal.id,)
    )


def not_here(receipt: Receipt, proposal: Proposal) -> ActResult | None:
    """Return the refusal of a button that was drawn in another place; None for others."""
    if proposal.place.key != receipt.incoming.place.key:
        return ActResult("forged_click", notices.FORGED, is_private=True)
    return None


def refused(denied: Deny | None) -> ActResult | None:
    """Return the private reply to a refusal by the judge; None if nothing was refused."""
    return ActResult(denied.reason, denied.message, is_private=True) if denied else None


async def tell(conn: Connection, receipt: Receipt, results: list[ActResult]) -> None:
    """Reply to an act once, in its thread or privately."""
    replies = list({result.reply: result for result in results if result.reply}.values())
    if not replies:
        return
    is_private = any(result.is_private or result.once for result in replies)
    once = ":".join(result.once for result in replies if result.once)
    user = receipt.incoming.slack_user_id
    await post(
        conn,
        key=f"late:{once}:{user}" if once else f"consent:{receipt.id}",
        kind=OutboxKind.EPHEMERAL if is_private else OutboxKind.NOTICE,
        place=receipt.incoming.place,
        note=Note(
            text="\n".join(result.reply for result in replies),
            links=tuple(dict.fromkeys(link for result in replies for link in result.links)),
            about=next((result.about for result in replies if result.about), None),
            cards=tuple(dict.fromkeys(result.card for result in replies if result.card)),
        ),
        proposal_ids=tuple(dict.fromkeys(id for result in replies for id in result.offers)),
        slack_user_id=user,
        receipt_id=receipt.id,
    )
