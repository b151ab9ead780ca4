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


class Standing(Protocol):
    """The look-up; plugged in by the composition root."""

    async def of(self, place: Place, slack_user_id: str) -> Present | str:
        """Return the present actor and surface, or a sentence that says why there is none."""
        ...
