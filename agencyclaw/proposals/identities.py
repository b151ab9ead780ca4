"""A person's current identity, looked up whenever they write, confirm or press."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Freshness, Place, Surface


@dataclass(frozen=True)
class Identity:
    """A person with an active profile, and the place where they write or press."""

    actor: Actor
    surface: Surface


@dataclass(frozen=True)
class Unidentified:
    """A person who is refused, with the reason for the audit and the text for them."""

    reason: str
    message: str


WHO_YOU_ARE = message("identity.who_you_are")


@dataclass(frozen=True)
class Unverified:
    """Slack can't be asked now, nor for the next `after_s` seconds.

    `presumed` is the identity by cached answers; `about` says what Slack has to confirm, in a
    person's words.
    """

    presumed: Identity
    about: str = WHO_YOU_ARE
    after_s: float = 0.0

    @property
    def what_for(self) -> str:
        """What is waited for, in a person's words."""
        return message("identity.slack_say", about=self.about)


Who = Identity | Unidentified | Unverified
Identify = Callable[[Place, str, Freshness], Awaitable[Who]]
