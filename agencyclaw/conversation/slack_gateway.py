"""Stands in for Slack until it is connected, and always at a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from agencyclaw.agents.policies.progress import StatusIndicator
from agencyclaw.agents.policies.writing import Draft, StreamWriter
from agencyclaw.conversation.identity import ChannelsPort, MembersPort
from agencyclaw.conversation.shortcuts import ConversationAccess
from agencyclaw.conversation.slack_reading import SlackReading
from agencyclaw.domain.consent import Posted
from agencyclaw.domain.conversations import Channel, ChannelMessage, Period
from agencyclaw.domain.errors import Unavailable
from agencyclaw.domain.people import Access, ChannelFacts, Freshness, Membership, Place
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.thread import QuotedMessage, ThreadPost
from agencyclaw.proposals.consent_by_word import ThreadsPort
from agencyclaw.proposals.execute import OutageNoticesPort

T = TypeVar("T")


@dataclass(frozen=True)
class SlackPorts:
    """The ports to Slack; a terminal has none."""

    members: MembersPort | None = None
    channels: ChannelsPort | None = None
    threads: ThreadsPort | None = None
    thread_posts: SlackReading | None = None
    conversations: ConversationAccess | None = None
    outage_notices: OutageNoticesPort | None = None


class SlackGateway:
    """Forwards to Slack once it is connected; until then it shows nothing and knows nobody."""

    def __init__(self) -> None:
        self.status: StatusIndicator | None = None
        self.members: MembersPort | None = None
        self.threads: ThreadsPort | None = None
        self.channels: ChannelsPort | None = None
        self.outage_notices: OutageNoticesPort | None = None
        self.thread_posts: SlackReading | None = None
        self.conversations: ConversationAccess | None = None

    @property
    def ports(self) -> SlackPorts:
        """The gateway as each of Slack's ports."""
        return SlackPorts(
            members=self,
            channels=self,
            threads=self,
            thread_posts=self,
            conversations=self,
            outage_notices=self,
        )

    async def records_unavailable(self, proposal: Proposal, text: str, card_ts: str) -> None:
        """Forward the notice that our database is unavailable; a terminal shows its own errors."""
        if self.outage_notices is not None:
            await self.outage_notices.records_unavailable(proposal, text, card_ts)

    async def since(self, place: Place, *, after: str, word: str, whole: bool) -> Sequence[Posted]:
        """Ask Slack which messages a conversation has."""
        return await _connected(self.threads).since(place, after=after, word=word, whole=whole)

    async def posts(self, place: Place, *, until: str) -> Sequence[ThreadPost]:
        """Ask Slack which messages of people a thread has."""
        return await _connected(self.thread_posts).posts(place, until=until)

    async def shared(self, slack_user_id: str) -> Sequence[Channel]:
        """Ask Slack which conversations a person and we are in."""
        return await _connected(self.thread_posts).shared(slack_user_id)

    async def messages(
        self, place: Place, channel: Channel, period: Period, *, pages: int
    ) -> tuple[Sequence[ChannelMessage], bool]:
        """Ask Slack what people wrote in a conversation."""
        return await _connected(self.thread_posts).messages(place, channel, period, pages=pages)

    async def searched(
        self, place: Place, ts: str, words: str, period: Period
    ) -> Sequence[ChannelMessage] | None:
        """Let Slack search in the name of who wrote a message."""
        return await _connected(self.thread_posts).searched(place, ts, words, period)

    async def access(self, place: Place, slack_user_id: str) -> Access:
        """Ask Slack who of us can see a conversation."""
        return await _connected(self.conversations).access(place, slack_user_id)

    async def named(self, team_id: str, post: QuotedMessage) -> QuotedMessage:
        """Ask Slack who wrote a message."""
        return await _connected(self.conversations).named(team_id, post)

    async def membership(
        self, team_id: str, slack_user_id: str, freshness: Freshness
    ) -> Membership:
        """Ask Slack how a person belongs to a workspace."""
        return await _connected(self.members).membership(team_id, slack_user_id, freshness)

    async def about(self, place: Place, freshness: Freshness) -> ChannelFacts:
        """Ask Slack what kind of channel it is."""
        return await _connected(self.channels).about(place, freshness)

    def begin(self, place: Place, title: str, slack_user_id: str) -> None:
        """Forward that work begins."""
        if self.status is not None:
            self.status.begin(place, title, slack_user_id)

    def write(
        self, place: Place, draft: Draft, *, receipt_id: int, run_id: UUID, slack_user_id: str
    ) -> StreamWriter | None:
        """Forward that an answer is being written; None if nobody can show it."""
        if self.status is None:
            return None
        return self.status.write(
            place, draft, receipt_id=receipt_id, run_id=run_id, slack_user_id=slack_user_id
        )

    def acknowledge(self, place: Place, text: str) -> None:
        """Forward that a message is stored."""
        if self.status is not None:
            self.status.acknowledge(place, text)

    def say(self, place: Place, text: str) -> None:
        """Forward a status."""
        if self.status is not None:
            self.status.say(place, text)


def _connected(port: T | None) -> T:
    if port is None:
        raise Unavailable("Slack is not open yet.")
    return port
