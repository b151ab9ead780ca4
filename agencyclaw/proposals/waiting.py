"""Notices about effects that wait for a service, and about those that waited in vain."""

from __future__ import annotations

from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.proposals import notices


def records_unavailable(proposal: Proposal) -> str:
    """Say that our database is unavailable while something is carried out."""
    effect = proposal.effect
    return message("waiting.cant_reach_own_records", label=effect.label, done=effect.done)


def waits(proposal: Proposal, what_for: str) -> str:
    """Say what it waits for, and that nothing has happened yet."""
    return message(
        "waiting.waiting_nothing_changed_yet", effect=proposal.effect.label, what_for=what_for
    )


def in_vain(what_for: str) -> str:
    """Say why something is given up."""
    return message("waiting.waited_ten_minutes_vain", what_for=what_for)


def handed_back(proposal: Proposal, what_for: str) -> str:
    """Say that it waited as long as it may, and what can still be done."""
    text = message(
        "waiting.so_not_done",
        in_vain=in_vain(what_for),
        effect=proposal.effect.label,
        done=proposal.effect.done,
    )
    if proposal.state is ProposalState.OPEN:
        next_step = message("waiting.buttons_on_its_card")
    else:
        next_step = message("waiting.its_card_has_expired")
    return " ".join(
        [text, message("talk.unchanged"), next_step, notices.reference(proposal)]
    ).rstrip()
