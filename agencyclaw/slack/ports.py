"""What the slack package needs: a few methods each, plugged in by the application."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.commands import CommandReply, Typed
from agencyclaw.domain.edits import EditForm, NotEditable, TaskEdits
from agencyclaw.domain.feedback import FeedbackQueue, Rated, RatingKept, RatingRefused
from agencyclaw.domain.memory import KeptLine
from agencyclaw.domain.people import ChannelFacts, ChannelKind, Membership, Place
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Delivery, Incoming, Showing, ShownCard
from agencyclaw.domain.suggested_prompts import Opener


@dataclass(frozen=True)
class Identity:
    """Who we are in this workspace, as Slack itself says."""

    team_id: str
    user_id: str
    bot_id: str


class InboxPort(Protocol):
    """Where what people do is stored, before Slack is told that it arrived."""

    async def accept(self, incoming: Incoming) -> int | None:
        """Store it with the job that handles it; None when it is known already."""
        ...

    async def accept_in_thread(self, incoming: Incoming, *, calls_others: bool) -> bool:
        """Store what was said in a thread without calling us, as far as it may be for us.

        False where it certainly is not. `calls_others`: it calls somebody else by name.
        """
        ...

    async def forward(self, key: str, receipt_id: int, place: Place) -> None:
        """Let a question that was asked elsewhere begin a thread of direct messages."""
        ...

    async def overhear(self, incoming: Incoming) -> None:
        """Note that somebody said something where a plain yes could count at present."""
        ...

    async def post_ephemeral(self, place: Place, slack_user_id: str, text: str) -> None:
        """Queue a private note to a person."""
        ...


class AuditPort(Protocol):
    """Where a press that led nowhere is noted."""

    async def turned_away(
        self, reason: str, *, slack_user_id: str, payload: dict[str, Any]
    ) -> None:
        """Add one audit row."""
        ...


class OutboxPort(Protocol):
    """What must reach Slack, and how far it got."""

    async def claim(self, outbox_id: UUID) -> Delivery | None:
        """Take a delivery; None when it is sent, dead or unknown."""
        ...

    async def sent(self, outbox_id: UUID, ts: str | None, shown_hash: str | None = None) -> None:
        """Record that the message is in Slack, and the hash of what a card showed."""
        ...

    async def postpone(self, outbox_id: UUID, error: str) -> None:
        """Put a delivery back; only when certainly nothing was sent."""
        ...

    async def blame(self, outbox_id: UUID) -> int:
        """Count a failure of ours; returns how many there were."""
        ...

    async def dead_letter(self, outbox_id: UUID, error: str) -> None:
        """Give up on a delivery that can never be sent."""
        ...

    async def cards_of(self, proposal_id: UUID) -> list[ShownCard]:
        """Return every sent card that shows a proposal, with all the proposals it shows."""
        ...


class ChoicesPort(Protocol):
    """What can be pressed under answers."""

    async def offered(self, place: Place, ts: str) -> tuple[Choice, ...] | None:
        """Return the choices of an answer; none once it was answered, None when it isn't known."""
        ...

    async def pressed(self, place: Place, ts: str, label: str) -> None:
        """Take the buttons off an answer of which one was pressed."""
        ...


class DraftAnswer(Protocol):
    """An answer while it is being written."""

    @property
    def attempt(self) -> int:
        """How often what had been shown was taken back."""
        ...

    @property
    def written(self) -> int:
        """How many characters were written so far."""
        ...

    def checked(self) -> str:
        """Return as much of it as may be shown; it only grows until `attempt` does."""
        ...


class StreamsPort(Protocol):
    """Which delivery owns which stream."""

    async def begin(self, receipt_id: int, run_id: UUID) -> UUID | None:
        """Keep a place for a stream that is about to be opened; None when there is to be none."""
        ...

    async def left_by(self, receipt_id: int) -> tuple[UUID, str | None, float] | None:
        """Return what an earlier attempt at this message left: its row, stream and birth."""
        ...

    async def own(self, outbox_id: UUID, ts: str) -> None:
        """Let a delivery own the stream at `ts`."""
        ...

    async def busy(self, outbox_id: UUID) -> bool:
        """Note that a message is about to be written; False once the turn has ended."""
        ...

    async def quiet(self, outbox_id: UUID) -> None:
        """Note that nothing is on its way any more."""
        ...

    async def at_rest(self, row: Delivery, longest_s: float) -> Delivery | None:
        """Return a delivery as its stream stands; None while something of it is on its way."""
        ...

    async def grown(self, outbox_id: UUID, text: str, *, is_whole: bool = False) -> bool:
        """Note what stands in the stream; False once the turn has ended and it is not ours."""
        ...

    async def owned(self, place: Place, ts: list[str]) -> set[str]:
        """Return which of these messages some delivery owns."""
        ...


class SessionsPort(Protocol):
    """How threads stand, and how Slack shows them."""

    async def mark(self, places: Sequence[Place]) -> None:
        """Note that these threads may stand otherwise than they are shown."""
        ...

    async def next(self, team_id: str, busy_s: float) -> Showing | None:
        """Take the thread that is most in need of being shown, for so many seconds."""
        ...

    async def shown(self, showing: Showing, *, as_it_is: bool = True) -> None:
        """Note that Slack shows a thread so, or, as it refuses to, shows nothing of it."""
        ...

    async def not_shown(self, showing: Showing, after_s: float, *, is_certain: bool) -> None:
        """Have it shown later; without certainty an earlier call may arrive until then."""
        ...


class DeparturesPort(Protocol):
    """What ends when people and channels go."""

    async def archived(self, team_id: str, channel_id: str) -> None:
        """A channel was archived."""
        ...

    async def left(self, team_id: str, slack_user_id: str, *, is_gone: bool) -> None:
        """Somebody is no full member any more; whoever `is_gone` can't be told anything."""
        ...


class BeliefsPort(Protocol):
    """What Slack said and when, as far as it still holds."""

    async def member(self, team_id: str, slack_user_id: str, longest_s: float) -> Membership | None:
        """Return what Slack said of a person within the last `longest_s` seconds."""
        ...

    async def ask_about_member(self, team_id: str, slack_user_id: str) -> datetime:
        """Note that Slack is about to be asked; returns when."""
        ...

    async def keep_member(
        self, team_id: str, slack_user_id: str, membership: Membership, asked_at: datetime
    ) -> None:
        """Keep what Slack answered, unless it has said since that it changed."""
        ...

    async def drop_member(self, team_id: str, slack_user_id: str) -> None:
        """Believe nothing any more that was heard of a person before now."""
        ...

    async def channel(self, team_id: str, channel_id: str, longest_s: float) -> ChannelFacts | None:
        """Return what Slack said of a channel within the last `longest_s` seconds."""
        ...

    async def ask_about_channel(self, team_id: str, channel_id: str) -> datetime:
        """Note that Slack is about to be asked; returns when."""
        ...

    async def keep_channel(
        self, team_id: str, channel_id: str, facts: ChannelFacts, asked_at: datetime
    ) -> None:
        """Keep what Slack answered, unless it has said since that it changed."""
        ...

    async def keep_kind(self, team_id: str, channel_id: str, kind: ChannelKind) -> None:
        """Keep what kind of channel a message came from."""
        ...

    async def kind(self, team_id: str, channel_id: str) -> ChannelKind | None:
        """Return what kind of channel Slack last said it is."""
        ...

    async def drop_channel(self, team_id: str, channel_id: str) -> None:
        """Believe nothing any more that was heard of a channel before now."""
        ...


class OpenProposals(Protocol):
    """The stored proposals, to be shown."""

    async def by_ids(self, ids: list[UUID]) -> list[Proposal]:
        """Return the proposals with these ids, in the order of the ids."""
        ...

    async def to_show(self, ids: list[UUID]) -> list[Proposal]:
        """Return them as a card may promise them: with words only where a yes counts by now."""
        ...

    async def waiting_for(self, team_id: str, slack_user_id: str) -> list[Proposal]:
        """Return what waits for this person's word, oldest first."""
        ...


class Texts(Protocol):
    """The whole text that a proposal is about."""

    async def of(self, proposal: Proposal) -> str:
        """Return it as Markdown, to its last character."""
        ...


class RevisionsPort(Protocol):
    """Changing a proposal before it is confirmed."""

    async def form(
        self, proposal_id: UUID, *, team_id: str, slack_user_id: str
    ) -> EditForm | NotEditable:
        """Return the values to edit, or why not."""
        ...

    async def submit(
        self, incoming: Incoming, proposal_id: UUID, edits: TaskEdits
    ) -> dict[str, str] | NotEditable | None:
        """Store the edited proposal in place of the old; else errors per field, or why not."""
        ...


class OpenedHomes(Protocol):
    """The Home tabs to keep fresh."""

    async def opened(self, team_id: str, slack_user_id: str, *, sees_all: bool) -> None:
        """Keep a person's tab fresh from now on; `sees_all` when it shows others' proposals."""
        ...

    async def again(self, team_id: str, slack_user_id: str) -> None:
        """Have a person's tab drawn soon, until Slack has taken it."""
        ...


class RememberedLines(Protocol):
    """What is remembered, to be shown and deleted."""

    async def lines(self, team_id: str, slack_user_id: str) -> list[KeptLine]:
        """Return what a person may see and delete."""
        ...

    async def press(self, act: Incoming) -> str:
        """Forget what a person's button names, or return what else they are told."""
        ...


class SuggestedPromptsPort(Protocol):
    """What is offered to a person who opens the conversation."""

    async def offered(self, place: Place, slack_user_id: str) -> list[Opener]:
        """Return sentences to begin with; none for whom we would not answer."""
        ...


class SlashCommandsPort(Protocol):
    """Where typed commands are carried out."""

    async def carry_out(self, typed: Typed) -> CommandReply | FeedbackQueue:
        """Do what was typed; the answer is for the person alone."""
        ...


class Feedback(Protocol):
    """What people think of answers."""

    async def rate(self, rated: Rated) -> RatingKept | RatingRefused:
        """Keep a thumb, or say why not."""
        ...

    async def comment(self, run_id: UUID, slack_user_id: str, text: str) -> None:
        """Keep what was wrong with an answer that this person gave a thumbs down."""
        ...

    async def settle(
        self, place: Place, slack_user_id: str, feedback_id: UUID
    ) -> FeedbackQueue | CommandReply:
        """Take a complaint off an admin's queue; returns what is left of it."""
        ...


Overview = Callable[[str, str], Awaitable[list[Proposal] | None]]
# What stands above everything in a Home tab: workspace and person to a sentence, or nothing.
Banner = Callable[[str, str], Awaitable[str]]
RecentActions = Callable[[str, str], Awaitable[list[Proposal]]]
PublishHome = Callable[[str], Awaitable[None]]
