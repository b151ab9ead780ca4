"""What the slack package needs of the application.

Protocols are for what tests replace in many ways, and for what leads to the agents.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from agencyclaw.conversation.feedback import FeedbackReview
from agencyclaw.conversation.suggested_prompts import SuggestedPrompts
from agencyclaw.conversation.task_links import TaskLinks
from agencyclaw.domain.choices import Choice
from agencyclaw.domain.commands import CommandReply, SlashCommand
from agencyclaw.domain.edits import EditForm, NotEditable, TaskEdits
from agencyclaw.domain.feedback import FeedbackQueue
from agencyclaw.domain.memory import MemoryLine
from agencyclaw.domain.people import ChannelFacts, ChannelKind, Membership, Place
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Delivery, Incoming, SessionUpdate, ShownCard
from agencyclaw.store.homes import Homes


@dataclass(frozen=True)
class BotIdentity:
    """Who we are in this workspace, as Slack says."""

    team_id: str
    user_id: str
    bot_id: str
    # The address of the workspace.
    url: str = ""


class InboxPort(Protocol):
    """Stores what people do, before it is acknowledged."""

    async def accept(self, incoming: Incoming) -> int | None:
        """Store it with the job that handles it; None if it is known already."""
        ...

    async def accept_in_thread(self, incoming: Incoming, *, mentions_others: bool) -> bool:
        """Store a thread message that does not mention us, if it may be for us.

        Returns False if it certainly is not. `mentions_others`: it mentions somebody else.
        """
        ...

    async def hold(self, incoming: Incoming) -> None:
        """Store what a form will be about; nothing comes of it until the form is sent."""
        ...

    async def held(self, key: str) -> Incoming | None:
        """Return what was stored under this key by `hold`."""
        ...

    async def forward(self, key: str, receipt_id: int, place: Place) -> None:
        """Start a thread of direct messages with a question that was asked elsewhere."""
        ...

    async def overhear(self, incoming: Incoming) -> None:
        """Record that somebody else posted where a plain yes could count."""
        ...

    async def post_ephemeral(self, place: Place, slack_user_id: str, text: str) -> None:
        """Queue a private note to a person."""
        ...


class AuditPort(Protocol):
    """Records presses without effect."""

    async def turned_away(
        self, reason: str, *, slack_user_id: str, payload: dict[str, Any]
    ) -> None:
        """Add one audit row."""
        ...


class OutboxPort(Protocol):
    """Reads and updates deliveries."""

    async def claim(self, outbox_id: UUID) -> Delivery | None:
        """Claim a delivery; None if it is sent, given up or unknown."""
        ...

    async def sent(self, outbox_id: UUID, ts: str | None, shown_hash: str | None = None) -> None:
        """Record that the message is in Slack, and the hash of what a card showed."""
        ...

    async def sent_first(self, outbox_id: UUID, ts: str) -> None:
        """Record the same for an answer outside all threads, below which people may go on."""
        ...

    async def postpone(self, outbox_id: UUID, error: str) -> None:
        """Put a delivery back; only if certainly nothing was sent."""
        ...

    async def count_failure(self, outbox_id: UUID) -> int:
        """Count a failure of our own; returns the number of failures."""
        ...

    async def dead_letter(self, outbox_id: UUID, error: str) -> None:
        """Give up a delivery that can never be sent."""
        ...

    async def uploaded(self, outbox_id: UUID, file_id: str) -> None:
        """Record what Slack calls the file of a delivery, before it is shown to anybody."""
        ...

    async def cards_of(self, proposal_id: UUID) -> list[ShownCard]:
        """Return every sent card that shows a proposal, with all the proposals on it."""
        ...


class ChoicesPort(Protocol):
    """Reads and closes the choices below answers."""

    async def offered(self, place: Place, ts: str) -> tuple[Choice, ...] | None:
        """Return an answer's choices: empty if it was answered already, None if it is unknown."""
        ...

    async def pressed(self, place: Place, ts: str, label: str) -> None:
        """Remove the buttons of an answer after one was pressed."""
        ...


class DraftAnswer(Protocol):
    """An answer while it is being written."""

    @property
    def attempt(self) -> int:
        """How often shown text was withdrawn."""
        ...

    @property
    def written(self) -> int:
        """The number of characters received."""
        ...

    def checked(self) -> str:
        """Return the text that may be shown; it only grows until `attempt` does."""
        ...


class StreamsPort(Protocol):
    """Stores which delivery owns which stream."""

    async def begin(self, receipt_id: int, run_id: UUID) -> UUID | None:
        """Reserve a row for a stream about to be opened; None if there must be none."""
        ...

    async def left_by(self, receipt_id: int) -> tuple[UUID, str | None, float] | None:
        """Return the row, stream and start time that an earlier attempt at this message left."""
        ...

    async def own(self, outbox_id: UUID, ts: str) -> None:
        """Make a delivery the owner of the stream at `ts`."""
        ...

    async def begin_write(self, outbox_id: UUID) -> bool:
        """Record that a write begins; False once the turn has ended."""
        ...

    async def end_write(self, outbox_id: UUID) -> None:
        """Record that no write is in progress."""
        ...

    async def at_rest(self, row: Delivery, longest_s: float) -> Delivery | None:
        """Return a delivery with its stream's state; None while a write is in progress."""
        ...

    async def record_text(self, outbox_id: UUID, text: str, *, is_whole: bool = False) -> bool:
        """Record the stream's text; False once the turn has ended."""
        ...

    async def owned(self, place: Place, ts: list[str]) -> set[str]:
        """Return which of these messages a delivery owns."""
        ...


class SessionsPort(Protocol):
    """Reads and records how Slack shows threads."""

    async def mark(self, places: Sequence[Place]) -> None:
        """Record that these threads may no longer be shown correctly."""
        ...

    async def next(self, team_id: str, busy_s: float) -> SessionUpdate | None:
        """Return the thread that most needs an update, reserved for `busy_s` seconds."""
        ...

    async def shown(self, showing: SessionUpdate, *, as_it_is: bool = True) -> None:
        """Record how Slack shows a thread; `as_it_is` is False if Slack shows nothing of it."""
        ...

    async def not_shown(self, showing: SessionUpdate, after_s: float, *, is_certain: bool) -> None:
        """Retry later; if the call's outcome is unknown, it may still arrive until then."""
        ...

    async def is_awaited(self, place: Place) -> bool:
        """Return whether a message of a thread has not been handled yet."""
        ...


class SlackCachePort(Protocol):
    """Caches Slack's answers about people and channels."""

    async def member(self, team_id: str, slack_user_id: str, longest_s: float) -> Membership | None:
        """Return what Slack said of a person within the last `longest_s` seconds."""
        ...

    async def ask_about_member(self, team_id: str, slack_user_id: str) -> datetime:
        """Record that Slack is about to be asked; returns the time of the question."""
        ...

    async def keep_member(
        self, team_id: str, slack_user_id: str, membership: Membership, asked_at: datetime
    ) -> None:
        """Store Slack's answer, unless a change was reported after the question."""
        ...

    async def drop_member(self, team_id: str, slack_user_id: str) -> None:
        """Invalidate everything that Slack said about a person before now."""
        ...

    async def channel(self, team_id: str, channel_id: str, longest_s: float) -> ChannelFacts | None:
        """Return what Slack said of a channel within the last `longest_s` seconds."""
        ...

    async def ask_about_channel(self, team_id: str, channel_id: str) -> datetime:
        """Record that Slack is about to be asked; returns the time of the question."""
        ...

    async def keep_channel(
        self, team_id: str, channel_id: str, facts: ChannelFacts, asked_at: datetime
    ) -> None:
        """Store Slack's answer, unless a change was reported after the question."""
        ...

    async def keep_kind(self, team_id: str, channel_id: str, kind: ChannelKind) -> None:
        """Store the kind of channel a message came from."""
        ...

    async def kind(self, team_id: str, channel_id: str) -> ChannelKind | None:
        """Return the kind of channel that Slack reported last."""
        ...

    async def drop_channel(self, team_id: str, channel_id: str) -> None:
        """Invalidate everything that Slack said about a channel before now."""
        ...


class OpenProposals(Protocol):
    """Reads stored proposals for display."""

    async def by_ids(self, ids: list[UUID]) -> list[Proposal]:
        """Return the proposals with these ids, in this order."""
        ...

    async def to_show(self, ids: list[UUID]) -> list[Proposal]:
        """Return them for a card: `words_until` only if a yes in words counts now."""
        ...

    async def waiting_for(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return the proposals that wait for this person, oldest first."""
        ...

    async def recent_of(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return the effects carried out for this person recently, newest first."""
        ...


class RevisionsPort(Protocol):
    """Edits proposals before they are confirmed."""

    async def form(
        self, proposal_id: UUID, *, team_id: str, slack_user_id: str
    ) -> EditForm | NotEditable:
        """Return the values to edit, or why there are none."""
        ...

    async def submit(
        self, incoming: Incoming, proposal_id: UUID, edits: TaskEdits
    ) -> dict[str, str] | NotEditable | None:
        """Store the edited proposal in place of the old one; else errors per field, or why not."""
        ...


class RememberedLines(Protocol):
    """Lists and deletes remembered items."""

    async def lines(self, team_id: str, slack_user_id: str) -> list[MemoryLine]:
        """Return what a person may see and delete."""
        ...

    async def press(self, act: Incoming) -> str:
        """Delete what a person's button names, or return what to tell them."""
        ...


class SlashCommandsPort(Protocol):
    """Carries out slash commands."""

    async def carry_out(self, typed: SlashCommand) -> CommandReply | FeedbackQueue:
        """Carry out a command; the reply is for the person alone."""
        ...


# Draws a person's Home tab.
PublishHome = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class InboundPorts:
    """Where Slack's requests are stored, and what answers those that can't wait for a queue.

    `full_text` returns all that a proposal is about as Markdown. `prompts` is None in the demo.
    """

    inbox: InboxPort
    audit: AuditPort
    choices: ChoicesPort
    proposals: OpenProposals
    revisions: RevisionsPort
    full_text: Callable[[Proposal], Awaitable[str]]
    commands: SlashCommandsPort
    memory: RememberedLines
    feedback: FeedbackReview
    tasks: TaskLinks
    prompts: SuggestedPrompts | None = None


@dataclass(frozen=True)
class OutboundPorts:
    """What is to be delivered, and what has been streamed and shown."""

    outbox: OutboxPort
    sessions: SessionsPort
    streams: StreamsPort


@dataclass(frozen=True)
class HomePorts:
    """What Home tabs show besides a person's own items, and which of them are kept up to date.

    The functions take a workspace and a person. `others_open` returns other people's open
    proposals, None unless the person is an admin; `banner` the sentence above everything, "" for
    none.
    """

    others_open: Callable[[str, str], Awaitable[list[Proposal] | None]]
    homes: Homes
    banner: Callable[[str, str], Awaitable[str]]
