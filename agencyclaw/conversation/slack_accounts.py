"""The people of the workspace as Slack knows them, for comparing them with the agency's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agencyclaw.conversation.slack_ports import SlackReader, unread
from agencyclaw.domain.errors import Unavailable, Unclear
from agencyclaw.domain.messages import message
from agencyclaw.domain.reconciling import SlackPerson


@dataclass(frozen=True)
class SlackAccounts:
    """Reads the full members of one workspace."""

    slack: SlackReader
    team_id: str

    async def people(self) -> Sequence[SlackPerson]:
        """Return them by name; raises Refused while Slack does not list them."""
        try:
            return await self.slack.people(self.team_id)
        except (Unavailable, Unclear) as error:
            raise unread(error, message("refused.accounts.unread")) from error
