"""A person's present standing, for whatever is released later."""

from __future__ import annotations

from agencyclaw.conversation.identity import Identify, Known, Stranger
from agencyclaw.domain.people import Freshness, Place
from agencyclaw.proposals.standing import Absent, Present, Unverified


class StandingNow:
    """Looks a person up again whenever something is released."""

    def __init__(self, identify: Identify) -> None:
        self._identify = identify

    async def of(
        self, place: Place, slack_user_id: str, freshness: Freshness = Freshness.NOW
    ) -> Present | Absent | Unverified:
        """Return the present actor and surface, the sentence for a stranger, or that it waits."""
        match await self._identify(place, slack_user_id, freshness):
            case Known() as known:
                return Present(known.actor, known.surface)
            case Stranger(message=message):
                return Absent(message)
            case Unverified() as unverified:
                return unverified
