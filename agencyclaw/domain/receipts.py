"""What arrives from people and what goes back to them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.people import Place, Value


class ReceiptKind(StrEnum):
    """What a person did. Messages wait for their lane; the others act at once."""

    MESSAGE = "message"
    WORD = "word"
    CLICK = "click"
    EDIT = "edit"
    COMMAND = "command"
    STOP = "stop"


Act = Literal["confirm", "cancel", "withdraw", "create_anyway", "retry", "undo"]


class Click(Value):
    """A pressed button of a card: which act on which proposals."""

    act: Act
    proposal_ids: tuple[UUID, ...]
    fingerprints: tuple[str, ...] = ()
    message_ts: str = ""


class Incoming(Value):
    """Something a person did, cleaned, with the key that makes it one."""

    key: str
    source: Literal["events", "interactions", "commands", "terminal"]
    kind: ReceiptKind
    place: Place
    slack_ts: str
    slack_user_id: str
    text: str = ""
    click: Click | None = None


class Receipt(Value):
    """A stored Incoming; one that can't be read any more holds only who, where and when.

    `lately` counts what this person said within the minute before it, itself included.
    """

    id: int
    incoming: Incoming
    received_at: datetime
    attempts: int = 0
    is_readable: bool = True
    lately: int = 1


class OutboxKind(StrEnum):
    """The kinds of delivery; what each looks like is the Slack room's business."""

    ANSWER = "answer"
    CARD = "card"
    CARD_UPDATE = "card_update"
    ANSWER_UPDATE = "answer_update"
    NOTICE = "notice"
    EPHEMERAL = "ephemeral"
    HOME = "home"


class Link(Value):
    """A link written by code: only these are live."""

    text: str
    url: str


class Note(Value):
    """The text of a message, its code-written footer, its links and choices.

    `answered` is None as long as the choices can be pressed; then what was pressed, or "" when the
    question was answered by words.
    """

    text: str
    footer: str = ""
    links: tuple[Link, ...] = ()
    choices: tuple[str, ...] = Field(default=(), max_length=5)
    answered: str | None = None
    run_id: UUID | None = None


class SessionState(StrEnum):
    """How a thread with the assistant stands, as Slack names it."""

    PROCESSING = "processing"
    SUSPENDED = "suspended"
    ACTIVE = "active"


class Delivery(Value):
    """A stored message on its way to Slack.

    With a `stream_text` (which may be empty) it began as a stream: at `stream_ts` if that is known,
    and with that text in it when last heard of; exactly that text if `stream_is_whole`.
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
    attempts: int = 0


class ShownCard(NamedTuple):
    """A card that stands in Slack: where, and which proposals it shows, in their order."""

    channel_id: str
    ts: str
    proposal_ids: tuple[UUID, ...]


def message_key(team_id: str, channel_id: str, ts: str) -> str:
    """One message is one receipt, however many events tell of it."""
    return f"message:{team_id}:{channel_id}:{ts}"


def as_payload(incoming: Incoming) -> dict[str, Any]:
    """Return the JSON that is stored with a receipt."""
    return incoming.model_dump(mode="json")
