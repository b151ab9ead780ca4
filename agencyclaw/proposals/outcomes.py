"""How carrying out an effect can end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.errors import Throttled
from agencyclaw.domain.messages import message
from agencyclaw.domain.records import NotWritten

LOOKING = "looking"
UNDECIDED = "undecided"
# Why a proposal of unknown outcome waits; a further yes to it changes nothing.
UNKNOWN_REASONS = (LOOKING, UNDECIDED)


@dataclass(frozen=True)
class Done:
    """It happened; `result` holds what the receipt shows.

    `renewed` is what could not be done as shown, for the facts of today.
    """

    result: dict[str, Any]
    was_adopted: bool = False
    renewed: Effect | None = None


@dataclass(frozen=True)
class NotDone:
    """Certainly nothing was sent; the person may try again when `can_retry`.

    `renewed` is the same request for the facts of today, to be offered as a fresh proposal.
    """

    reason: str
    message: str
    can_retry: bool = True
    renewed: Effect | None = None


def not_written(why: NotWritten) -> NotDone:
    """Say that a record stays as it is; trying the same again would end alike."""
    renewed = cast("Effect | None", why.renewed)
    return NotDone(why.reason, why.message, can_retry=False, renewed=renewed)


@dataclass(frozen=True)
class Duplicate:
    """The same thing was made within a day, or likely the same; a person may want it anyway."""

    title: str
    url: str | None
    is_equal: bool = True


@dataclass(frozen=True)
class Unknown:
    """The request was sent and nobody knows; look again in `look_in_s` seconds, or ask a person."""

    look_in_s: float | None

    @property
    def reason(self) -> str:
        """How the proposal's row says it."""
        return LOOKING if self.look_in_s is not None else UNDECIDED


@dataclass(frozen=True)
class Delayed:
    """Certainly nothing was sent, for a neighbour is away or says nothing; it is tried again.

    `what_for` is what it waits for, in words: "Slack to say who you are".
    """

    what_for: str
    after_s: float = 0.0


@dataclass(frozen=True)
class NotThere:
    """What was looked for is nowhere, by looks that came late enough: it may be sent once more."""


Outcome = Done | NotDone | Duplicate | Unknown | Delayed

CLICKUP_AWAY = message("waiting.clickup")
CLICKUP_BUSY = message("outcomes.clickup_busy")
RECORDS_AWAY = message("turn.records")


def waits_for_clickup(error: Exception) -> Delayed:
    """Wait for ClickUp, for as long as it asked for."""
    if isinstance(error, Throttled):
        return Delayed(CLICKUP_BUSY, error.after)
    return Delayed(CLICKUP_AWAY)
