"""What comes of one act of a person on one proposal."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Link, Receipt
from agencyclaw.effects import words
from agencyclaw.effects.standing import Present


@dataclass(frozen=True)
class Verdict:
    """What came of one act on one proposal; `say` is told to the person, when there is a need."""

    reason: str
    say: str = ""
    is_private: bool = False
    links: tuple[Link, ...] = ()


def not_theirs(receipt: Receipt, who: Present, proposal: Proposal) -> Verdict | None:
    """Return why this is not this person's word about this proposal, or None when it is."""
    if proposal.actor_profile_id != who.actor.profile_id:
        return Verdict("wrong_actor", words.only(proposal.actor_name), is_private=True)
    if proposal.place.key != receipt.incoming.place.key:
        return Verdict("forged_click", words.FORGED, is_private=True)
    return None
