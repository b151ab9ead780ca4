"""A person's current identity: looked up again whenever something is released."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Freshness, Place, Surface


@dataclass(frozen=True)
class Present:
    """Who a person is now, and what the place is now."""

    actor: Actor
    surface: Surface


@dataclass(frozen=True)
class Absent:
    """Nobody to act for: the sentence that says why."""

    message: str


WHO_YOU_ARE = message("standing.who_you_are")


@dataclass(frozen=True)
class Unverified:
    """Slack can't be asked for now, and wants not to be for `after_s` seconds.

    `presumed` is who it would be; `about` says what is to be asked, in words for the person.
    """

    presumed: Present
    about: str = WHO_YOU_ARE
    after_s: float = 0.0

    @property
    def what_for(self) -> str:
        """What is waited for, in words for the person."""
        return message("standing.slack_say", about=self.about)


class IdentityResolver(Protocol):
    """The look-up; plugged in by the composition root."""

    async def of(
        self, place: Place, slack_user_id: str, freshness: Freshness = Freshness.NOW
    ) -> Present | Absent | Unverified:
        """Return the present actor and surface, or why there is none."""
        ...
