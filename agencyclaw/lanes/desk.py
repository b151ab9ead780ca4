"""What stands in for Slack inside the house until Slack is open, and on a terminal for ever."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.agents.policies.progress import Presence
from agencyclaw.agents.policies.writing import Draft, Voice
from agencyclaw.domain.errors import Unavailable
from agencyclaw.domain.people import Membership, Place
from agencyclaw.lanes.identity import Members


class Desk:
    """Stands in for Slack until it is open: then it shows a status and says who is a member."""

    def __init__(self) -> None:
        self.presence: Presence | None = None
        self.members: Members | None = None

    async def membership(self, team_id: str, slack_user_id: str) -> Membership:
        """Ask Slack how far a person belongs to a workspace."""
        if self.members is None:
            raise Unavailable("Slack is not open yet.")
        return await self.members.membership(team_id, slack_user_id)

    def begin(self, place: Place, title: str, slack_user_id: str) -> None:
        """Pass on that work begins."""
        if self.presence is not None:
            self.presence.begin(place, title, slack_user_id)

    def write(
        self, place: Place, draft: Draft, *, receipt_id: int, run_id: UUID, slack_user_id: str
    ) -> Voice | None:
        """Pass on that an answer is being written; None while nobody can show it."""
        if self.presence is None:
            return None
        return self.presence.write(
            place, draft, receipt_id=receipt_id, run_id=run_id, slack_user_id=slack_user_id
        )

    def say(self, place: Place, text: str) -> None:
        """Pass a status on."""
        if self.presence is not None:
            self.presence.say(place, text)


async def show_nobody(place: Place, tries: int, *, is_doubtful: bool) -> None:
    """Without Slack, how a thread stands is nowhere to be seen."""
