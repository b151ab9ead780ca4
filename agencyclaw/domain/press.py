"""Why only a press confirms a proposal, and no yes in words."""

from __future__ import annotations

from enum import StrEnum

from agencyclaw.domain.messages import message


class PressReason(StrEnum):
    """Why only a press confirms a proposal.

    - KIND: this kind of effect never takes words
    - OTHERS: it contains words that its requester did not type
    - WORDING: the assistant worded it after reading such words
    - FOLDED: its card does not show the whole text
    - BESIDE: other cards wait beside it
    - ADMIN: an admin demands a press for this tool
    - CHANNEL: it is in a channel
    - TALK: a yes could answer something else in the conversation
    - KEPT: words stopped counting since it was last shown, as for a change of subject or a pause
    """

    KIND = "kind"
    OTHERS = "others"
    WORDING = "wording"
    FOLDED = "folded"
    BESIDE = "beside"
    ADMIN = "admin"
    CHANNEL = "channel"
    TALK = "talk"
    KEPT = "kept"


# Shown again, or with the other card decided, it may take words.
_PASSING = frozenset({PressReason.BESIDE, PressReason.KEPT})

_TO_REQUESTER = {
    PressReason.KIND: message("press.kind"),
    PressReason.OTHERS: message("press.others"),
    PressReason.WORDING: message("press.wording"),
    PressReason.FOLDED: message("press.folded"),
    PressReason.BESIDE: message("press.beside"),
    PressReason.ADMIN: message("press.admin"),
    PressReason.CHANNEL: message("press.channel"),
    PressReason.TALK: message("press.talk"),
    PressReason.KEPT: message("press.kept"),
}
# The same where the requester is spoken of: in what a model reads, "you" is the model.
_OF_REQUESTER = {
    **_TO_REQUESTER,
    PressReason.OTHERS: message("press.others_of"),
    PressReason.WORDING: message("press.wording_of"),
    PressReason.BESIDE: message("press.beside_of"),
}


def because_to_requester(reason: PressReason) -> str:
    """Return the reason as half a sentence on the requester's card."""
    return _TO_REQUESTER[reason]


def is_lasting(reason: PressReason | None) -> bool:
    """Return whether words will not count for a card wherever it is shown again."""
    return reason is not None and reason not in _PASSING


def because(reason: PressReason) -> str:
    """Return the reason as half a sentence for the model."""
    return _OF_REQUESTER[reason]
