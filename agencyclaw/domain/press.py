"""Why only a press confirms a proposal, and no yes in words."""

from __future__ import annotations

from enum import StrEnum

from agencyclaw.domain.messages import message


class WhyPress(StrEnum):
    """What decided it.

    OTHERS: it holds words that its person did not type; WORDING: the assistant wrote them after
    reading such; TALK: a yes could be meant for something else that was said; KEPT: it wanted a
    press when it was shown last.
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


_BECAUSE = {
    WhyPress.KIND: message("press.kind"),
    WhyPress.OTHERS: message("press.others"),
    WhyPress.WORDING: message("press.wording"),
    WhyPress.FOLDED: message("press.folded"),
    WhyPress.BESIDE: message("press.beside"),
    WhyPress.ADMIN: message("press.admin"),
    WhyPress.CHANNEL: message("press.channel"),
    WhyPress.TALK: message("press.talk"),
    WhyPress.KEPT: message("press.kept"),
}


def because(reason: WhyPress) -> str:
    """Return the reason as half a sentence."""
    return _BECAUSE[reason]
