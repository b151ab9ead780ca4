"""The outcomes of carrying out an effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.errors import Throttled
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import LOOKING, UNDECIDED
from agencyclaw.domain.records import NotWritten


@dataclass(frozen=True)
class Done:
    """It was done; `result` has what the receipt shows.

    `renewed` is the part that could not be done as shown, for the present facts.
    """

    result: dict[str, Any]
    was_adopted: bool = False
    renewed: Effect | None = None


@dataclass(frozen=True)
class NotDone:
    """Certainly nothing was sent; the person may retry if `can_retry`.

    `renewed` is the same request for the present facts, to be offered as a new proposal.
    """

    reason: str
    message: str
    can_retry: bool = True
    renewed: Effect | None = None


def not_written(why: NotWritten) -> NotDone:
    """Return why a record was not written; a retry would fail the same way."""
    renewed = cast("Effect | None", why.renewed)
    return NotDone(why.reason, why.message, can_retry=False, renewed=renewed)


@dataclass(frozen=True)
class Duplicate:
    """The same or probably the same was made within a day; the person may want it nevertheless."""

    title: str
    url: str | None
    is_equal: bool = True


@dataclass(frozen=True)
class Unknown:
    """The request was sent, its outcome is unknown; look again in `look_in_s` seconds, or never.

    `result` is the part that is known to be done.
    """

    look_in_s: float | None
    result: dict[str, Any] | None = None

    @property
    def reason(self) -> str:
        """The reason as stored in the proposal's row."""
        return LOOKING if self.look_in_s is not None else UNDECIDED


@dataclass(frozen=True)
class Delayed:
    """Certainly nothing was sent, because a service is unavailable; it is retried.

    `what_for` is what it waits for, in words: "Slack to say who you are".
    """

    what_for: str
    after_s: float = 0.0


@dataclass(frozen=True)
class NotThere:
    """It was looked for late enough and does not exist, so it may be sent once more."""


# What a request ends in where the other service gives no answer to it.
Unsettled = NotDone | Unknown | Delayed
Outcome = Done | Duplicate | Unsettled

CLICKUP_AWAY = message("waiting.clickup")
CLICKUP_BUSY = message("outcomes.clickup_busy")
RECORDS_AWAY = message("turn.records")


def waits_for_clickup(error: Exception) -> Delayed:
    """Return a delay until ClickUp is available, of the length it asked for."""
    if isinstance(error, Throttled):
        return Delayed(CLICKUP_BUSY, error.after)
    return Delayed(CLICKUP_AWAY)
