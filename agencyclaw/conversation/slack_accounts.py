"""The people of the workspace as Slack knows them, for comparing them with the agency's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agencyclaw.conversation.slack_ports import SlackReader, unread
from agencyclaw.conversation.threads import ThreadReading
from agencyclaw.domain.errors import Unavailable, Unclear
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.store.jobs import is_local


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


def slack_accounts(threads: ThreadReading | None, place: Place) -> SlackAccounts | None:
    """Return the accounts of a place's workspace; a terminal has none."""
    if threads is None or is_local(place.team_id):
        return None
    return SlackAccounts(threads.reader, place.team_id)
