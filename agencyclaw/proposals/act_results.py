"""The result of a person's act on one proposal, and the reply to it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.policy import Deny
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Link, Note, OutboxKind, Receipt
from agencyclaw.proposals import notices
from agencyclaw.proposals.identities import Known
from agencyclaw.store.engine import Connection
from agencyclaw.store.outbox import post


@dataclass(frozen=True)
class ActResult:
    """The result of one act on one proposal; `say` is the reply, if one is needed.

    `is_replay`: a further yes to something settled. `about` is the proposal that the reply is
    about, `card` the one whose card it speaks of, `offers` those whose next steps come as buttons.
    A reply with `once` is sent a single time.
    """

    reason: str
    say: str = ""
    is_private: bool = False
    links: tuple[Link, ...] = ()
    is_replay: bool = False
    about: UUID | None = None
    card: UUID | None = None
    offers: tuple[UUID, ...] = ()
    once: str = ""


def not_theirs(receipt: Receipt, who: Known, proposal: Proposal) -> ActResult | None:
    """Return why this person may not act on this proposal; None if they may."""
    if proposal.actor_profile_id != who.actor.profile_id:
        return ActResult("wrong_actor", notices.only(proposal.actor_name), is_private=True)
    if proposal.place.key != receipt.incoming.place.key:
        return ActResult("forged_click", notices.FORGED, is_private=True)
    return None


def refused(denied: Deny | None) -> ActResult | None:
    """Return the private reply to a refusal by the judge; None if nothing was refused."""
    return ActResult(denied.reason, denied.message, is_private=True) if denied else None


async def tell(conn: Connection, receipt: Receipt, results: list[ActResult]) -> None:
    """Reply to an act once, in its thread or privately."""
    spoken = list({result.say: result for result in results if result.say}.values())
    if not spoken:
        return
    is_private = any(one.is_private or one.once for one in spoken)
    once = ":".join(one.once for one in spoken if one.once)
    user = receipt.incoming.slack_user_id
    await post(
        conn,
        key=f"late:{once}:{user}" if once else f"consent:{receipt.id}",
        kind=OutboxKind.EPHEMERAL if is_private else OutboxKind.NOTICE,
        place=receipt.incoming.place,
        note=Note(
            text="\n".join(one.say for one in spoken),
            links=tuple(dict.fromkeys(link for one in spoken for link in one.links)),
            about=next((one.about for one in spoken if one.about), None),
            cards=tuple(dict.fromkeys(one.card for one in spoken if one.card)),
        ),
        proposal_ids=tuple(dict.fromkeys(id for one in spoken for id in one.offers)),
        slack_user_id=user,
        receipt_id=receipt.id,
    )
