"""What conversations need of Slack, and a status where there is no Slack."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.agents.policies.writing import Draft, StreamWriter
from agencyclaw.conversation.identity import ChannelsPort, MembersPort
from agencyclaw.conversation.shortcuts import ConversationAccess
from agencyclaw.conversation.slack_reading import SlackReading
from agencyclaw.domain.people import Place
from agencyclaw.proposals.consent_by_word import ThreadsPort
from agencyclaw.proposals.execute import OutageNoticesPort


@dataclass(frozen=True)
class SlackPorts:
    """The ports to Slack; a terminal has none."""

    members: MembersPort | None = None
    channels: ChannelsPort | None = None
    threads: ThreadsPort | None = None
    thread_posts: SlackReading | None = None
    conversations: ConversationAccess | None = None
    outage_notices: OutageNoticesPort | None = None


class NoStatus:
    """A status indicator that shows nothing."""

    def begin(self, place: Place, title: str, slack_user_id: str) -> None:
        """Show nothing."""

    def write(
        self, place: Place, draft: Draft, *, receipt_id: int, run_id: UUID, slack_user_id: str
    ) -> StreamWriter | None:
        """Return that nobody watches."""

    def acknowledge(self, place: Place, text: str) -> None:
        """Show nothing."""

    def say(self, place: Place, text: str) -> None:
        """Show nothing."""
