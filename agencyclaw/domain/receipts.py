"""What people do and what is sent back to them: incoming acts, receipts and deliveries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple
from uuid import UUID

from pydantic import ConfigDict, Field

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.people import Place, Value
from agencyclaw.domain.sheets import Sheet
from agencyclaw.domain.text import one_line
from agencyclaw.domain.thread import Carried, QuotedMessage


class ReceiptKind(StrEnum):
    """What a person did. Messages wait for their lane; everything else acts at once."""

    MESSAGE = "message"
    WORD = "word"
    CLICK = "click"
    EDIT = "edit"
    COMMAND = "command"
    STOP = "stop"
    # A shortcut used on a message; where it is answered is settled first.
    SHORTCUT = "shortcut"
    # A word was deleted or edited after it was said.
    UNSAID = "unsaid"
    # Somebody else's message in a conversation where a word could count.
    OVERHEARD = "overheard"


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
    """Whether a message speaks to us, as far as code can tell.

    PERHAPS: said directly after our own words in a thread of people, to nobody by name.
    """

    US = "us"
    PERHAPS = "perhaps"
    OTHERS = "others"


class Click(Value):
    """A pressed button of a card: an act on one or several proposals."""

    act: Act
    proposal_ids: tuple[UUID, ...]
    fingerprints: tuple[str, ...] = ()
    message_ts: str = ""

    @property
    def releases(self) -> bool:
        """Whether it confirms something; other acts only withdraw."""
        return self.act not in ("cancel", "withdraw")


_SPOKEN = ("events", "terminal")


class Incoming(Value):
    """Something a person did, sanitised; equal keys are the same act.

    `carries` is what the message holds besides typed words; None if unknown. `about_ts` is the
    message that was deleted or edited. `is_bare`: we were mentioned without any words. `quoted` is
    the message on which a shortcut was used.
    """

    key: str
    source: Literal["events", "interactions", "commands", "terminal"]
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

    @property
    def is_plain(self) -> bool:
        """Whether it is an ordinary message of the person's own words; False if unknown."""
        return self.carries == () and self.choice is None and self.source in _SPOKEN


class Receipt(Value):
    """A stored Incoming; one that can't be read any more holds only who, where and when.

    `lately` counts what this person said within the minute before it, itself included. `waits` are
    the attempts that came to nothing because a neighbour was away; they are no `attempts`.
    `failures` are those that ended in a fault of its own, not with the end of a worker.
    """

    id: int
    incoming: Incoming
    received_at: datetime
    attempts: int = 0
    waits: int = 0
    failures: int = 0
    is_readable: bool = True
    lately: int = 1


class OutboxKind(StrEnum):
    """Kinds of deliveries; the slack package decides how each looks."""

    ANSWER = "answer"
    CARD = "card"
    CARD_UPDATE = "card_update"
    ANSWER_UPDATE = "answer_update"
    NOTICE = "notice"
    EPHEMERAL = "ephemeral"
    HOME = "home"
    # A question that goes on in the asker's direct messages.
    FORWARD = "forward"
    # A list that comes below an answer as a file.
    FILE = "file"


class Link(Value):
    """A link written by code; only these are live."""

    text: str
    url: str


class Note(Value):
    """The text of a message, its code-written footer, its links and choices.

    `answered` is None as long as the choices can be pressed; then what was pressed, or "" when the
    question was answered by words. `about` is the proposal whose end it tells, `cards` are those
    whose cards it speaks of: linked where they stand in another thread. `sources` are the documents
    it rests on; without an address one is only named.

    Processes of two versions read each other's: what this one does not know is left aside.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    footer: str = ""
    sources: tuple[Link, ...] = ()
    links: tuple[Link, ...] = ()
    choices: tuple[Choice, ...] = Field(default=(), max_length=5)
    answered: str | None = None
    run_id: UUID | None = None
    about: UUID | None = None
    cards: tuple[UUID, ...] = ()

    def stored(self) -> dict[str, Any]:
        """Return it as a row holds it; what the version before does not know, only if it is set."""
        return self.model_dump(mode="json", exclude=None if self.cards else {"cards"})


NAMED_AT_MOST = 3


def rests_on(sources: Sequence[Link], shown: Callable[[str, Link], str]) -> str:
    """Name the sources of an answer, as far as there is room for them.

    `shown` writes a title, cut to its room, with or without its address.
    """
    length = 80 if len(sources) == 1 else 50
    named = ", ".join(
        shown(one_line(source.text, length), source) for source in sources[:NAMED_AT_MOST]
    )
    more = len(sources) - NAMED_AT_MOST
    return f"Rests on: {named}{f' and {more} more' if more > 0 else ''}." if sources else ""


class SessionState(StrEnum):
    """The state of a thread with the assistant, in Slack's words."""

    PROCESSING = "processing"
    SUSPENDED = "suspended"
    ACTIVE = "active"


class SessionUpdate(NamedTuple):
    """A thread whose state must be shown; `before` is what Slack shows now.

    It has been different since `changed_at`, for `waited_s` seconds.
    """

    place: Place
    state: SessionState
    before: str | None
    changed_at: datetime
    waited_s: float


class Delivery(Value):
    """A stored message on its way to Slack.

    With a `stream_text` (which may be empty) it began as a stream: at `stream_ts` if that is known,
    and with that text in it when last heard of; exactly that text if `stream_is_whole`. A
    `sheet` is delivered as a file, `file_id` is what Slack calls it once it is uploaded. With a
    `rated_run` it is the final answer of that run, which people may give a thumb.
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
    """Return the key of a note that something was said, which is no message to us."""
    return f"overheard:{team_id}:{channel_id}:{ts}"


def as_payload(incoming: Incoming) -> dict[str, Any]:
    """Return the JSON stored with a receipt."""
    return incoming.model_dump(mode="json")
