"""What code says about an effect that waits for a neighbour, and about one that waited in vain."""

from __future__ import annotations

from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.proposals import words


def unnoted(proposal: Proposal) -> str:
    """Say that our own records are away while something is carried out."""
    effect = proposal.effect
    return (
        "I can't reach my own records just now, so I can't say yet whether "
        f"“{effect.label}” was {effect.done}. I keep trying and will tell you here; nothing is "
        "done twice, so please don't do it by hand yet."
    )


def waits(proposal: Proposal, what_for: str) -> str:
    """Say what it waits for, and that nothing happened yet."""
    return (
        f"“{proposal.effect.label}” is waiting for {what_for}. Nothing was changed yet; I keep "
        "trying and will tell you here."
    )


def in_vain(what_for: str) -> str:
    """Say why something is given up."""
    return f"I waited ten minutes for {what_for}, in vain"


def given_back(proposal: Proposal, what_for: str) -> str:
    """Say that it waited as long as it may, and what can still be done."""
    said = f"{in_vain(what_for)}, so “{proposal.effect.label}” was not {proposal.effect.done}."
    if proposal.state is ProposalState.OPEN:
        next_step = "The buttons on its card are back: press again if it is still right."
    else:
        next_step = "Its card has expired meanwhile; ask me again if you still want it."
    return " ".join([said, "Nothing was changed.", next_step, words.reference(proposal)]).rstrip()
