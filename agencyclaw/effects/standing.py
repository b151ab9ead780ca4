"""A person's present standing: looked up again whenever something is released."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agencyclaw.domain.people import Actor, Place, Surface


@dataclass(frozen=True)
class Present:
    """Who a person is now, and what the place is now."""

    actor: Actor
    surface: Surface


@dataclass(frozen=True)
class Absent:
    """Nobody to act for: the sentence that says why, and whether asking again may help."""

    message: str
    is_final: bool = True


class Standing(Protocol):
    """The look-up; plugged in by the composition root."""

    async def of(self, place: Place, slack_user_id: str) -> Present | Absent:
        """Return the present actor and surface, or why there is none."""
        ...
