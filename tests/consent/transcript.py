"""What Slack holds of a conversation and what our rows say of its proposals: a judge's whole input.

Two clocks. A `Ts` is Slack's: a string such as "1764000000.000100", unique and strictly ordered in
its channel; of equal width, so strings compare as moments. A `datetime` is our database's, in UTC.
A transcript is complete up to the moment its act is judged: it also holds what Slack had by then
and had not delivered yet (`received` later than that moment, or None).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from typing import TypeAlias

Ts: TypeAlias = str
OUR_APP = "app:ours"


@cache
def instant(ts: Ts) -> datetime:
    """Return Slack's moment on the scale of the database's clock."""
    seconds, micros = ts.split(".")
    return datetime.fromtimestamp(int(seconds), UTC) + timedelta(microseconds=int(micros))


class Place(Enum):
    """What sort of conversation a channel id names."""

    DM = "dm"  # one person and our app
    GROUP_DM = "group dm"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class Channel:
    """A conversation, and what an admin has set for it."""

    id: str
    place: Place
    words_allowed: bool = False  # an admin allowed words
    internal: bool = True  # False: shared with another organisation
    press_only: bool = False  # an admin asked for presses


class Role(Enum):
    """What our own rows make of a person."""

    MEMBER = "member"
    ADMIN = "admin"
    SUPER_ADMIN = "super admin"


class Membership(Enum):
    """What Slack answers at the moment of judging."""

    FULL = "full"
    GUEST = "guest"
    UNKNOWN = "unknown"  # Slack can't be asked


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may write or press."""

    id: str
    role: Role = Role.MEMBER
    membership: Membership = Membership.FULL


class Kind(Enum):
    """What a line of the transcript is."""

    ORDINARY = "ordinary"  # typed by a person, or posted by another app
    CHOICE = "choice"  # a pressed option of a question; `text` is the record's label
    CARD = "card"
    ANSWER = "answer"
    STREAM = "stream"  # an answer, written from `ts` to `stop`
    RECEIPT = "receipt"
    NOTICE = "notice"
    EPHEMERAL = "ephemeral"  # seen by `seen_by` alone
    STATUS = "status"
    REACTION = "reaction"
    REDRAW = "redraw"  # an update by our app of one of its messages; `ts` is when


class Carried(Enum):
    """What a message holds beside typed text."""

    FILE = "file"
    FORWARD = "forward"
    QUOTE = "quote"
    CODE_BLOCK = "code block"


@dataclass(frozen=True, slots=True)
class Message:
    """A line of a channel; one of `ts` names it within the channel."""

    channel: str
    ts: Ts
    author: str  # a person's id, OUR_APP, or another app's id
    kind: Kind
    text: str = ""  # as first written; see `Change`
    thread: Ts | None = None  # the root's ts; None: at the top level
    carries: frozenset[Carried] = frozenset()
    turn: str | None = None  # ours only: the turn that wrote it
    stop: Ts | None = None  # a stream's end; None: still being written
    seen_by: str | None = None  # an ephemeral's reader
    proposal: str | None = None  # a receipt's proposal
    received: datetime | None = None  # when our database stored it; None: it has not arrived


@dataclass(frozen=True, slots=True)
class Change:
    """An edit (`text` is the new text) or a deletion (`text` is None) by a message's author."""

    channel: str
    message: Ts
    ts: Ts
    text: str | None
    received: datetime | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of ours. What it said is the text of the messages that name it."""

    id: str
    question: str = ""  # its typed question; empty: it asked none


@dataclass(frozen=True, slots=True)
class SubjectSwitch:
    """A turn of this person took up another subject, by the model's typed argument."""

    channel: str
    person: str
    ts: Ts  # of the person's message
    subject: str  # a brand's id


@dataclass(frozen=True, slots=True)
class Delivery:
    """A card whose posting got no clear reply from Slack."""

    looked_up: datetime | None  # when we learnt whether it is there; None: not yet


@dataclass(frozen=True, slots=True)
class Card:
    """One posting of a card; postings of one proposal are in their order in `Transcript.cards`."""

    channel: str
    ts: Ts | None  # its message; None: Slack never took it
    thread: Ts | None  # where it was posted; None: at the top level
    proposals: tuple[str, ...]
    turn: str  # the turn that showed it
    delivery: Delivery | None = None  # None: Slack said at once that it is there
    folded: bool = False  # something of what will be written is not in sight
    edited: tuple[Ts, ...] = ()  # when the requester's own form changed it
    likenesses: frozenset[str] = frozenset()  # tasks that it names as repeats or likely ones


class Effect(Enum):
    """What sort of thing a proposal writes."""

    TASK = "task"
    COMMENT = "comment"
    RIGHTS = "rights and roles"
    TARGETS = "targets"
    PROCEDURE = "procedure"
    DELETION = "deletion"


class Source(Enum):
    """Where the text of a written field comes from."""

    TYPED = "typed by the requester"
    APPROVED_PROCEDURE = "approved procedure"
    RECORD = "name of a record chosen by id"
    FILE = "file"
    FORWARD = "forward"
    QUOTE = "quote"
    CODE_BLOCK = "code block"
    OTHERS_MESSAGE = "somebody else's message"
    TASK_BODY = "task body"
    TASK_COMMENT = "task comment"
    WEB = "web"
    ASSISTANT = "the assistant's wording"


@dataclass(frozen=True, slots=True)
class Field:
    """A written field and its basis."""

    name: str
    source: Source
    quote: str = ""
    held: str = ""  # the source's whole text


@dataclass(frozen=True, slots=True)
class Work:
    """What a proposal would do, or a task is."""

    title: str
    brand: str
    client: str
    list: str
    procedure: str | None = None
    products: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Task:
    """Work that exists already, whoever made it."""

    id: str
    work: Work


class State(Enum):
    """How far a proposal has come; expiry and suspension are judged from their times."""

    OPEN = "open"
    INTENT_WRITTEN = "intent written"
    DONE = "done"
    CANCELLED = "cancelled"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Question:
    """What a turn that revised a proposal asked."""

    asked: datetime
    settled: datetime | None = None  # answered or dropped


class TurnEnd(Enum):
    """How the receipt of a turn was closed."""

    ANSWERED = "answered"
    STOPPED = "stopped"
    SET_ASIDE = "set aside"
    WORKER_DEAD = "worker dead"


@dataclass(frozen=True, slots=True)
class Suspension:
    """The gate's mark that a tool named this proposal or its duplicate key."""

    since: datetime
    closed: datetime | None = None  # when the receipt that it names was closed; None: its turn runs
    how: TurnEnd | None = None
    question: Question | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """A prepared effect. `words_until` and `expires_at` are what the row says."""

    id: str
    owner: str  # the requester
    work: Work
    created: datetime
    words_until: datetime
    expires_at: datetime
    effect: Effect = Effect.TASK
    fields: tuple[Field, ...] = ()
    scheduled: bool = False
    next_firing: datetime | None = None  # of a schedule's proposal
    state: State = State.OPEN
    suspensions: tuple[Suspension, ...] = ()


@dataclass(frozen=True, slots=True)
class PauseSwitch:
    """`/claw pause` or its end, by anybody who tried."""

    by: str
    at: datetime
    on: bool


@dataclass(frozen=True, slots=True)
class Transcript:
    """Everything a judge may know."""

    channels: tuple[Channel, ...]
    people: tuple[Person, ...]
    messages: tuple[Message, ...]  # by ts
    proposals: tuple[Proposal, ...]
    cards: tuple[Card, ...]
    turns: tuple[Turn, ...]
    changes: tuple[Change, ...] = ()
    switches: tuple[SubjectSwitch, ...] = ()
    pauses: tuple[PauseSwitch, ...] = ()
    tasks: tuple[Task, ...] = ()
    press_only_clients: frozenset[str] = frozenset()
    press_only_everything: bool = False
    forbidden: frozenset[str] = frozenset()  # proposals that today's tier, assignment, mapping or
    # switches don't allow


class Button(Enum):
    """What can be pressed on a card, or on the private note of a suspended one."""

    CONFIRM = "confirm"
    CANCEL = "cancel"
    SELECTED = "create the ticked ones"
    CREATE_ALL = "create all"
    CREATE_AS_SHOWN = "create as shown"
    DROP_IT = "drop it"


@dataclass(frozen=True, slots=True)
class Said:
    """An act: a message of the transcript, judged at a moment before the intent row is written."""

    channel: str
    ts: Ts
    judged: datetime


@dataclass(frozen=True, slots=True)
class Press:
    """An act: a button of a posting, or of the private note about it."""

    person: str
    button: Button
    channel: str
    card: Ts  # the posting
    proposals: frozenset[str]  # what it is for; of SELECTED: what is ticked
    ts: Ts  # Slack's moment of the press
    received: datetime
    judged: datetime
    listed: frozenset[str] = frozenset()  # what Slack's confirm dialog listed; empty: none opened


Act: TypeAlias = Said | Press
