"""Looks up a person's current identity and rights before something is confirmed or carried out."""

from __future__ import annotations

from agencyclaw.conversation.identity import Identify, Known, Unidentified
from agencyclaw.domain.people import Freshness, Place
from agencyclaw.proposals.identities import Absent, Present, Unverified


class SlackIdentityResolver:
    """Identifies a person anew, by `identify`."""

    def __init__(self, identify: Identify) -> None:
        self._identify = identify

    async def of(
        self, place: Place, slack_user_id: str, freshness: Freshness = Freshness.NOW
    ) -> Present | Absent | Unverified:
        """Return the current actor and surface, why there are none, or when to ask again."""
        match await self._identify(place, slack_user_id, freshness):
            case Known() as known:
                return Present(known.actor, known.surface)
            case Unidentified(message=message):
                return Absent(message)
            case Unverified() as unverified:
                return unverified
