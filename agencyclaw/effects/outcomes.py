"""How carrying out an effect can end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agencyclaw.domain.effects import Effect

LOOKING = "looking"
UNDECIDED = "undecided"
# Why a proposal of unknown fate waits; a further yes to it leaves that standing.
DOUBTS = (LOOKING, UNDECIDED)


@dataclass(frozen=True)
class Done:
    """It happened; `result` holds what the receipt shows.

    `renewed` is what of the wish could not be done as shown, for the facts of today.
    """

    result: dict[str, Any]
    was_adopted: bool = False
    renewed: Effect | None = None


@dataclass(frozen=True)
class NotDone:
    """Certainly nothing was sent; the person may try again when `can_retry`.

    `renewed` is the same wish for the facts of today, to be offered as a fresh proposal.
    """

    reason: str
    message: str
    can_retry: bool = True
    renewed: Effect | None = None


def changed_since(message: str, renewed: Effect | None) -> NotDone:
    """Say what changed after the card; `renewed` is the same wish for the facts of today."""
    if renewed is None:
        message += "; ask me again for a new proposal"
    return NotDone("changed_since", message, can_retry=False, renewed=renewed)


@dataclass(frozen=True)
class Duplicate:
    """The same thing was made within a day; a person may want it anyway."""

    title: str
    url: str | None


@dataclass(frozen=True)
class Maybe:
    """The request was sent and nobody knows; look again in `look_in_s` seconds, or ask a person."""

    look_in_s: float | None

    @property
    def reason(self) -> str:
        """How the proposal's row says it."""
        return LOOKING if self.look_in_s is not None else UNDECIDED


Outcome = Done | NotDone | Duplicate | Maybe
