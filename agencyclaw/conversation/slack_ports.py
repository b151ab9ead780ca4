"""What conversations need of Slack, and a status where there is no Slack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import logfire

from agencyclaw.conversation.suggested_prompts import PersonReader
from agencyclaw.deps.status import DraftAnswer, StreamWriter
from agencyclaw.domain.conversations import Channel, ChannelMessage, Period
from agencyclaw.domain.errors import AgencyClawError, Refused
from agencyclaw.domain.people import Access, ChannelFacts, Freshness, Membership, Place
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.domain.thread import QuotedMessage, ThreadPost
from agencyclaw.proposals.consent_by_word import ThreadsPort
from agencyclaw.proposals.execute import OutageNoticesPort


def unread(error: AgencyClawError, words: str) -> Refused:
    """Return what a person is told where Slack does not let us read; only ClickUp is waited for."""
    logfire.warn("slack not read", error=type(error).__name__)
    return Refused(words, reason="slack_unread")


class MembersPort(PersonReader, Protocol):
    """Slack's information about people."""

    async def membership(
        self, team_id: str, slack_user_id: str, freshness: Freshness
    ) -> Membership:
        """Return how a person belongs to a workspace; raises if that is unknown."""
        ...


class ChannelsPort(Protocol):
    """Slack's information about channels."""

    async def about(self, place: Place, freshness: Freshness) -> ChannelFacts:
        """Return what kind of channel it is; raises if that is unknown."""
        ...


class ConversationsPort(Protocol):
    """Asks Slack about conversations and authors."""

    async def access(self, place: Place, slack_user_id: str) -> Access:
        """Return who of us can see a conversation; raises when Slack does not say."""
        ...

    async def with_author(self, team_id: str, post: QuotedMessage) -> QuotedMessage:
        """Return a message with its author's name and affiliation."""
        ...


class SlackReader(Protocol):
    """Reads what people wrote. Raises Unavailable, Throttled, Unclear or Misconfigured."""

    async def posts(self, place: Place, *, until: str) -> Sequence[ThreadPost]:
        """Return a thread's messages before a timestamp, oldest first, without ours."""
        ...

    async def shared_conversations(self, slack_user_id: str) -> Sequence[Channel]:
        """Return the conversations that both a person and we are in, direct messages left out."""
        ...

    async def messages(
        self, place: Place, channel: Channel, period: Period, *, pages: int
    ) -> tuple[Sequence[ChannelMessage], bool]:
        """Return what people wrote in one, oldest first, and whether that is all of it."""
        ...

    def address(self, channel_id: str, ts: str, thread_ts: str) -> str:
        """Return a message's address; "" while Slack has not said where the workspace is."""
        ...

    async def file(self, file_id: str, *, at_most: int) -> bytes | None:
        """Return an attached file's bytes; None if it has more than `at_most`."""
        ...

    async def people(self, team_id: str) -> Sequence[SlackPerson]:
        """Return the full members of a workspace who are people, by name."""
        ...

    async def search(
        self, place: Place, ts: str, words: str, period: Period
    ) -> Sequence[ChannelMessage] | None:
        """Return what Slack finds in public channels for a message; None if it does not search."""
        ...


@dataclass(frozen=True)
class SlackPorts:
    """The ports to Slack; a terminal has none."""

    members: MembersPort | None = None
    channels: ChannelsPort | None = None
    threads: ThreadsPort | None = None
    reader: SlackReader | None = None
    conversations: ConversationsPort | None = None
    outage_notices: OutageNoticesPort | None = None


class NoStatus:
    """A status indicator that shows nothing."""

    def begin(self, place: Place, *, receipt_id: int) -> None:
        """Show nothing."""

    def write(
        self, place: Place, draft: DraftAnswer, *, receipt_id: int, run_id: UUID, slack_user_id: str
    ) -> StreamWriter | None:
        """Return that nobody watches."""

    def acknowledge(self, place: Place, text: str, *, receipt_id: int) -> None:
        """Show nothing."""

    def say(self, place: Place, text: str) -> None:
        """Show nothing."""
