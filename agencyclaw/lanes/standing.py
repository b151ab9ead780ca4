"""A person's present standing, for whatever is released later."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from agencyclaw.domain.people import Place
from agencyclaw.effects.standing import Absent, Present
from agencyclaw.lanes.identity import UNVERIFIED, Known, Stranger


class StandingNow:
    """Looks a person up again whenever something is released."""

    def __init__(self, identify: Callable[[Place, str], Awaitable[Known | Stranger]]) -> None:
        self._identify = identify

    async def of(self, place: Place, slack_user_id: str) -> Present | Absent:
        """Return the present actor and surface, or the sentence for a stranger."""
        match await self._identify(place, slack_user_id):
            case Known() as known:
                return Present(known.actor, known.surface)
            case Stranger(reason=reason, message=message):
                return Absent(message, is_final=reason != UNVERIFIED)
