"""What comes of one act of a person on one proposal, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.policy import Deny
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Link, Note, OutboxKind, Receipt
from agencyclaw.proposals import words
from agencyclaw.proposals.identities import Present
from agencyclaw.store.engine import Connection
from agencyclaw.store.outbox import post


@dataclass(frozen=True)
class ActResult:
    """What came of one act on one proposal; `say` is told to the person, when there is a need.

    `is_replay`: a further yes to what was settled. `about` is the proposal that the words are
    about, `offers` those whose next steps come as buttons. What has a `once` is told one time.
    """

    reason: str
    say: str = ""
    is_private: bool = False
    links: tuple[Link, ...] = ()
    is_replay: bool = False
    about: UUID | None = None
    offers: tuple[UUID, ...] = ()
    once: str = ""


def not_theirs(receipt: Receipt, who: Present, proposal: Proposal) -> ActResult | None:
    """Return why this is not this person's word about this proposal, or None when it is."""
    if proposal.actor_profile_id != who.actor.profile_id:
        return ActResult("wrong_actor", words.only(proposal.actor_name), is_private=True)
    if proposal.place.key != receipt.incoming.place.key:
        return ActResult("forged_click", words.FORGED, is_private=True)
    return None


def refused(denied: Deny | None) -> ActResult | None:
    """Say privately what the judge refused; None where nothing was."""
    return ActResult(denied.reason, denied.message, is_private=True) if denied else None


async def tell(conn: Connection, receipt: Receipt, results: list[ActResult]) -> None:
    """Say what came of an act, once, in its thread or to the person alone."""
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
        ),
        proposal_ids=tuple(dict.fromkeys(id for one in spoken for id in one.offers)),
        slack_user_id=user,
        receipt_id=receipt.id,
    )
