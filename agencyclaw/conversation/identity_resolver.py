"""A person's current identity and rights, for whatever is released later."""

from __future__ import annotations

from agencyclaw.conversation.identity import Identify, Known, Unidentified
from agencyclaw.domain.people import Freshness, Place
from agencyclaw.proposals.identities import Absent, Present, Unverified


class SlackIdentityResolver:
    """Looks a person up again whenever something is released."""

    def __init__(self, identify: Identify) -> None:
        self._identify = identify

    async def of(
        self, place: Place, slack_user_id: str, freshness: Freshness = Freshness.NOW
    ) -> Present | Absent | Unverified:
        """Return the actor and surface of now, why there are none, or that it waits."""
        match await self._identify(place, slack_user_id, freshness):
            case Known() as known:
                return Present(known.actor, known.surface)
            case Unidentified(message=message):
                return Absent(message)
            case Unverified() as unverified:
                return unverified
