"""What a judge of consent may say of an act."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Reason(Enum):
    """Why a word in a card's place, or a press, carries nothing out; the weightiest first."""

    NOT_THEIRS = "not theirs"
    ENDED = "ended"  # carried out, cancelled or replaced before
    EXPIRED = "expired"  # "That card expired at ...: prepare it again?"
    STALE = "stale"  # the posting, or the private note, is not the card as it stands
    SEVERAL_OPEN = "several open"
    SUSPENDED = "suspended"  # "You asked to change this: ..."
    PRESS_ONLY = "press only"
    SUBJECT_LEFT = "subject left"
    WORDS_OVER = "words over"  # "This card is from ...: press if it is still right."
    REPEAT = "repeat"
    NOT_CHOSEN = "not chosen"  # nothing ticked, or more than a dialog listed
    NOT_ALLOWED = "not allowed today"
    RELEASED = "released"  # Slack could not be asked for ten minutes
    PAUSED = "paused"


class For(Enum):
    """What a waiting act waits for."""

    THE_LOOK_UP = "the look-up of the card"
    SLACK = "Slack's answer about the person"


@dataclass(frozen=True, slots=True)
class Confirms:
    """These proposals are carried out."""

    proposals: frozenset[str]


@dataclass(frozen=True, slots=True)
class Cancels:
    """These proposals end without effect."""

    proposals: frozenset[str]


@dataclass(frozen=True, slots=True)
class Waits:
    """Nothing yet; the act is judged again."""

    waits_for: For


@dataclass(frozen=True, slots=True)
class NotConsent:
    """Conversation: goes to the model and touches no proposal.

    `again` is the proposal whose card code posts again, should the turn of this message end with
    neither a proposal nor a question.
    """

    again: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """Touches no proposal either; `reasons` are all that hold, the weightiest first."""

    reasons: tuple[Reason, ...]


Verdict: TypeAlias = Confirms | Cancels | Waits | NotConsent | Refused


def touched(verdict: Verdict) -> tuple[str, frozenset[str]]:
    """Return what happens to proposals: how a refusal is worded and to whom it goes left out."""
    match verdict:
        case Confirms(proposals):
            return "confirms", proposals
        case Cancels(proposals):
            return "cancels", proposals
        case Waits():
            return "waits", frozenset()
        case NotConsent() | Refused():
            return "nothing", frozenset()


def kind_of(verdict: Verdict) -> str:
    """Return the verdict's class, for a refusal with its weightiest reason."""
    match verdict:
        case Refused(reasons):
            return f"refused: {reasons[0].value}"
        case Waits():
            return "waits"
        case NotConsent():
            return "not consent"
        case Confirms():
            return "confirms"
        case Cancels():
            return "cancels"
