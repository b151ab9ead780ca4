"""What people do (stored as receipts) and what is sent to them (deliveries)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.choices import CHOICES_AT_MOST, Choice
from agencyclaw.domain.messages import message
from agencyclaw.domain.missed_words import MissedWord
from agencyclaw.domain.people import Place, Value, stored_as
from agencyclaw.domain.sheets import Sheet
from agencyclaw.domain.text import first_few, one_line
from agencyclaw.domain.thread import AttachedFile, Carried, QuotedMessage


class ReceiptKind(StrEnum):
    """What a person did. Messages wait for their lane; everything else is handled at once."""

    MESSAGE = "message"
    WORD = "word"
    CLICK = "click"
    EDIT = "edit"
    COMMAND = "command"
    STOP = "stop"
    # A shortcut that was used on a message.
    SHORTCUT = "shortcut"
    # A word of consent that was deleted or edited afterwards.
    UNSAID = "unsaid"
    # Somebody else's message in a conversation where a word of consent could count.
    OVERHEARD = "overheard"
    # A schedule came due: a message that nobody typed, which takes no lane.
    FIRING = "firing"


Act = Literal[
    "confirm",
    "cancel",
    "withdraw",
    "create_anyway",
    "retry",
    "undo",
    "as_shown",
    "prepare_again",
    "prepare_for_me",
]


class Addressed(StrEnum):
    """Whether a message is for us, as far as code can tell.

    PERHAPS: it follows our own post in a thread of people and addresses nobody by name.
    """

    US = "us"
    PERHAPS = "perhaps"
    OTHERS = "others"


class Click(Value):
    """A pressed button of a card: an act on one or several proposals.

    `is_rejection`: it is the one proposal's own no, whose label the effect chooses.
    """

    act: Act
    proposal_ids: tuple[UUID, ...]
    fingerprints: tuple[str, ...] = ()
    message_ts: str = ""
    is_rejection: bool = False

    @property
    def releases(self) -> bool:
        """Whether it lets something happen; cancel and withdraw only stop it."""
        return self.act not in ("cancel", "withdraw")


_SPOKEN = ("events", "terminal")


class Incoming(Value):
    """Something a person did, sanitised; equal keys are the same act.

    - `carries`: what the message has besides typed words; None if unknown
    - `about_ts`: the message that was deleted or edited, or below which a choice was pressed
    - `is_bare`: we were mentioned without any words
    - `quoted`: the message on which a shortcut was used
    - `files`: the readable files that came with it, or with the message of a shortcut
    - `found`: what a watch found, in lines
    """

    key: str
    source: Literal["events", "interactions", "commands", "terminal", "schedules"]
    kind: ReceiptKind
    place: Place
    slack_ts: str
    slack_user_id: str
    text: str = ""
    click: Click | None = None
    choice: Choice | None = None
    carries: tuple[Carried, ...] | None = None
    about_ts: str = ""
    addressed: Addressed = Addressed.US
    is_bare: bool = False
    quoted: QuotedMessage | None = None
    files: Annotated[tuple[AttachedFile, ...], stored_as("csv_files")] = ()
    found: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether it is an ordinary message of the person's own words; False if unknown."""
        return self.carries == () and self.choice is None and self.source in _SPOKEN


# What begins the key of a message that goes on in the background; a run's id follows.
GOES_ON = "goes_on:"


class Receipt(Value):
    """A stored Incoming; if it is not `is_readable`, only who, where and when are known.

    - `attempts`: how often it was begun; `failures`: how many of these ended in an error
    - `waits`: further attempts that only found a service unavailable
    - `lately`: this person's messages within the last minute, this one included
    - `missed`: why its plain yes or no decided nothing, in this attempt; stored nowhere
    """

    id: int
    incoming: Incoming
    received_at: datetime
    attempts: int = 0
    waits: int = 0
    failures: int = 0
    is_readable: bool = True
    lately: int = 1
    missed: MissedWord | None = None

    @property
    def goes_on_from(self) -> UUID | None:
        """The run that reached its time and goes on in the background; None for any other."""
        key = self.incoming.key
        return UUID(key.removeprefix(GOES_ON)) if key.startswith(GOES_ON) else None


class OutboxKind(StrEnum):
    """Kinds of deliveries; the slack package decides how each looks."""

    ANSWER = "answer"
    CARD = "card"
    CARD_UPDATE = "card_update"
    ANSWER_UPDATE = "answer_update"
    NOTICE = "notice"
    EPHEMERAL = "ephemeral"
    HOME = "home"
    # A question that continues in the asker's direct messages.
    FORWARD = "forward"
    # A list below an answer, as a file.
    FILE = "file"


class Link(Value):
    """A link written by code; no other link can be clicked."""

    text: str
    url: str


TaskStatus = Literal["in_progress", "complete", "error"]


class ShownTask(Value):
    """How work in the background is going, and the run that it goes on from."""

    title: str
    details: str
    status: TaskStatus
    run: UUID

    @property
    def is_under_way(self) -> bool:
        """Whether it has not ended, and can be stopped."""
        return self.status == "in_progress"


class Note(Value):
    """The text of a message, its code-written footer, its links and choices.

    - `answered`: None while its buttons can be pressed; then the pressed one, or "" if the question
      was answered in words
    - `about`: the proposal whose outcome it reports
    - `cards`: the proposals it mentions; their cards are linked if they are in another thread
    - `sources`: the documents it is based on
    - `schedule`: the schedule that posts it, which buttons below it pause, thin out or end
    - `task`: the work in the background that it tells of, with a button to stop it
    - `goes_on`: the run that a button lets go on in the background
    """

    text: str
    footer: str = ""
    sources: tuple[Link, ...] = ()
    links: tuple[Link, ...] = ()
    choices: tuple[Choice, ...] = Field(default=(), max_length=CHOICES_AT_MOST)
    answered: str | None = None
    run_id: UUID | None = None
    about: UUID | None = None
    cards: tuple[UUID, ...] = ()
    schedule: UUID | None = None
    task: ShownTask | None = None
    goes_on: UUID | None = None

    @classmethod
    def read(cls, stored: dict[str, Any]) -> Note:
        """Return a stored note without fields that it does not know, however deep they are.

        Processes of two versions read each other's notes.
        """
        return cls.model_validate(stored, extra="ignore")

    def stored(self) -> dict[str, Any]:
        """Return it as stored: the fields that were added later only if they are set."""
        later = ("cards", "schedule", "task", "goes_on")
        unset = {name for name in later if not getattr(self, name)}
        return self.model_dump(mode="json", exclude=unset)


NAMED_AT_MOST = 3


def rests_on(sources: Sequence[Link], shown: Callable[[str, Link], str]) -> str:
    """Return a line with the first sources of an answer; `shown` formats a title and link."""
    if not sources:
        return ""
    length = 80 if len(sources) == 1 else 50
    named = [shown(one_line(source.text, length), source) for source in sources]
    return message("built.rests_on", sources=first_few(named, NAMED_AT_MOST))


class SessionState(StrEnum):
    """The state of a thread with the assistant, in Slack's words."""

    PROCESSING = "processing"
    SUSPENDED = "suspended"
    ACTIVE = "active"


class SessionUpdate(NamedTuple):
    """A thread whose state must be shown; `before` is what Slack shows now.

    It has been different since `changed_at`, for `waited_s` seconds. `title` is the first message
    to us in it, `initiator` the Slack user who wrote that; both are "" if there is none.
    """

    place: Place
    state: SessionState
    before: str | None
    changed_at: datetime
    waited_s: float
    title: str = ""
    initiator: str = ""


class Delivery(Value):
    """A stored message on its way to Slack.

    - `stream_text`: not None if it began as a stream; the text it had in Slack when last heard of,
      and exactly that if `stream_is_whole`
    - `stream_ts`: the stream's message in Slack, if known
    - `sheet`: a list that is delivered as a file; `file_id` is Slack's id once it is uploaded
    - `rated_run`: the run whose final answer it is, which people may rate
    """

    id: UUID
    key: str
    kind: OutboxKind
    place: Place
    slack_user_id: str | None = None
    receipt_id: int | None = None
    proposal_ids: tuple[UUID, ...] = ()
    note: Note | None = None
    was_sending: bool = False
    sending_at: float | None = None
    sent_ts: str | None = None
    stream_ts: str | None = None
    stream_text: str | None = None
    stream_is_whole: bool = False
    queued_at: float = 0.0
    rated_run: UUID | None = None
    sheet: Sheet | None = None
    file_id: str | None = None

    @property
    def may_begin_thread(self) -> bool:
        """Whether what is said below it continues it: an answer outside all threads."""
        return self.kind is OutboxKind.ANSWER and not self.place.thread_ts and bool(self.receipt_id)


class ShownCard(NamedTuple):
    """A card in Slack: where it is, and its proposals in order."""

    outbox_id: UUID
    channel_id: str
    ts: str
    proposal_ids: tuple[UUID, ...]
    thread_ts: str = ""


def message_key(team_id: str, channel_id: str, ts: str) -> str:
    """Return a message's key, the same for every event that reports the message."""
    return f"message:{team_id}:{channel_id}:{ts}"


def overheard_key(team_id: str, channel_id: str, ts: str) -> str:
    """Return the key of a message that was not for us."""
    return f"overheard:{team_id}:{channel_id}:{ts}"


def as_payload(incoming: Incoming) -> dict[str, Any]:
    """Return the JSON stored with a receipt; a process of an older version reads most of them."""
    unset = {name for name in ("files", "found") if not getattr(incoming, name)}
    return incoming.model_dump(mode="json", exclude=unset)
