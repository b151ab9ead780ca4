"""A person's current identity, looked up whenever something is confirmed or carried out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Freshness, Place, Surface


@dataclass(frozen=True)
class Present:
    """A person's current identity and place."""

    actor: Actor
    surface: Surface


@dataclass(frozen=True)
class Absent:
    """Nobody to act for; `message` says why."""

    message: str


WHO_YOU_ARE = message("standing.who_you_are")


@dataclass(frozen=True)
class Unverified:
    """Slack can't be asked now, nor for the next `after_s` seconds.

    `presumed` is the identity by cached answers; `about` says what Slack has to confirm, in a
    person's words.
    """

    presumed: Present
    about: str = WHO_YOU_ARE
    after_s: float = 0.0

    @property
    def what_for(self) -> str:
        """What is waited for, in a person's words."""
        return message("standing.slack_say", about=self.about)


class IdentityResolver(Protocol):
    """Looks identities up; implemented by the composition root."""

    async def of(
        self, place: Place, slack_user_id: str, freshness: Freshness = Freshness.NOW
    ) -> Present | Absent | Unverified:
        """Return the current actor and surface, or why there are none."""
        ...
