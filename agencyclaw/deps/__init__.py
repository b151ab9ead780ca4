"""What an agent's run can use; nothing in it can change anything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from agencyclaw.deps.board import TaskBoard
from agencyclaw.deps.directory import Directory
from agencyclaw.deps.knowledge import Knowledge
from agencyclaw.deps.ports import (
    Accounts,
    AttachedFiles,
    Calculator,
    Memory,
    Messages,
    Meter,
    Notebook,
    Operations,
    Planners,
    ProductCatalog,
    Proposals,
    Researchers,
)
from agencyclaw.domain.choices import Choice
from agencyclaw.domain.field_sources import FieldSource, Material
from agencyclaw.domain.guides import Guide
from agencyclaw.domain.memory import Preferences
from agencyclaw.domain.people import Actor, Place, Scope, Session, Surface
from agencyclaw.domain.policy import Switches
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Addressed
from agencyclaw.domain.replies import ChangeRow
from agencyclaw.domain.schedules import Firing
from agencyclaw.domain.sheets import Sheets
from agencyclaw.domain.sops import KnowledgeGap, Sop
from agencyclaw.domain.task_requests import AskedBefore
from agencyclaw.domain.text import folded
from agencyclaw.domain.thread import MessageLink

LimitKey = tuple[str, UUID | None]


@dataclass
class Topic:
    """The clients a run is about, as its tools resolved them.

    `found` are those that a name in a call was taken for, and not who else has it. `assumed` are
    those that nobody named; `is_wide`: a tool listed all clients.
    """

    clients: set[UUID] = field(default_factory=set[UUID])
    found: set[UUID] = field(default_factory=set[UUID])
    assumed: set[UUID] = field(default_factory=set[UUID])
    implied: str = ""
    is_wide: bool = False

    def after(self, before: UUID | None) -> UUID | None:
        """Return the client that the next message is about if it names none.

        A single client becomes the topic, none keeps the one `before`; several or all clear it.
        """
        return self.only if self.clients or self.is_wide else before

    @property
    def only(self) -> UUID | None:
        """The client it is about; None if there is none, or not a single one."""
        is_single = len(self.clients) == 1 and not self.is_wide
        return next(iter(self.clients)) if is_single else None

    @property
    def in_thread(self) -> frozenset[UUID] | None:
        """The client that the thread is about; empty if there are several, None if unknown."""
        named = self.clients - self.assumed
        if len(named) == 1 and not self.is_wide:
            return frozenset(named)
        return frozenset() if named or self.is_wide else None

    def add(self, other: Topic) -> None:
        """Merge the topic of a part of the run."""
        self.clients |= other.clients
        self.found |= other.found
        self.assumed |= other.assumed
        self.implied = self.implied or other.implied
        self.is_wide = self.is_wide or other.is_wide


class OtherMatches(NamedTuple):
    """Whom else a name in a call fits, for the model, and all whom it fits as choices."""

    remark: str
    choices: tuple[Choice, ...]


@dataclass
class Inquiry:
    """What a turn and its sub-agents looked for among the procedures.

    `missed` are the questions that a search had no answer for, `opened` the procedures that were
    read anyway, `used` the procedures and documents that a task is based on. `listed_in` are the
    runs of agents whose model has the titles of the others.
    """

    missed: list[KnowledgeGap] = field(default_factory=list[KnowledgeGap])
    opened: list[Sop] = field(default_factory=list[Sop])
    used: list[Sop] = field(default_factory=list[Sop])
    listed_in: set[str | None] = field(default_factory=set[str | None])

    @property
    def unmet(self) -> KnowledgeGap | None:
        """The first question without an answer; only this one is recorded."""
        return self.missed[0] if self.missed else None

    @property
    def is_met(self) -> bool:
        """Whether something was opened or used."""
        return bool(self.opened or self.used)

    def chosen(self, sources: Iterable[str]) -> UUID | None:
        """Return the procedure that answered the one missed question after all; None if unclear.

        It is the one that a task is based on, else the opened one among the answer's `sources`.
        """
        cited = {folded(title) for title in sources}
        documents = self.used or [sop for sop in self.opened if folded(sop.title) in cited]
        procedures = {document.id for document in documents if document.tier == "sop"}
        questions = {folded(gap.question) for gap in self.missed}
        is_clear = len(procedures) == 1 and len(questions) == 1
        return procedures.pop() if is_clear else None


@dataclass(frozen=True)
class Deps:
    """One run's actor, place, time and read ports; `proposals` can only draft.

    The conversation:
    - `user_texts`: what people wrote earlier; `thread_texts`: the part from this thread
    - `materials`: the same texts with their authors
    - `thread_read`: what was read of a thread of people, or what a watch found
    - `choice`: the record that the person pressed instead of writing
    - `offered`: the choices that they were shown, by reply, the last one first
    - `asked_before`: the tasks with products that it asked for and that are on no card
    - `addressed`: whether the message is for us at all
    - `from_message`: the message on which a shortcut was used
    - `firing`: the schedule that came due; None if somebody wrote
    - `rows`: its open and completed changes; `rows_now` reads their present state
    - `rows_of_others`: what others had changed in this thread
    - `ahead`: how much `now` is ahead of the clock of what is stored, in a demo

    What the run learns:
    - `topic`: the clients it turns out to be about
    - `inquiry`: what it looked for among the procedures
    - `sent_back`: (tool, argument, value) of figures without a source that the model was told about
    - `counted_before`: by tool, what a call that was sent back was counted for

    The tool call in progress:
    - `calling`: the tool's name, by which reads are judged
    - `counted`: the limits it was counted for: each a tool, and the client it is for or None
    - `other_matches`: remarks of its result on the names in its arguments
    - `picked`: records in its arguments that a question offered and nobody named
    - `revised`: the open proposals that it is about

    Without a sandbox there is no `calculator`; without Slack, no `messages`, no
    `sheets`, the files below the answer, and no `accounts` of people. Without a readable file in
    this conversation there are no `attached`.
    """

    run_id: UUID
    actor: Actor
    surface: Surface
    place: Place
    session: Session
    scope: Scope
    now: datetime
    request: str
    switches: Switches
    directory: Directory
    knowledge: Knowledge
    board: TaskBoard
    notebook: Notebook
    memory: Memory
    catalog: ProductCatalog
    meter: Meter
    operations: Operations
    proposals: Proposals
    researchers: Researchers
    planners: Planners
    preferences: Preferences = field(default_factory=Preferences)
    context_tokens: int = 4_000
    calling: str = ""
    counted: set[LimitKey] = field(default_factory=set[LimitKey])
    other_matches: list[OtherMatches] = field(default_factory=list[OtherMatches])
    picked: list[FieldSource] = field(default_factory=list[FieldSource])
    revised: tuple[Proposal, ...] = ()
    rows: tuple[ChangeRow, ...] = ()
    rows_now: Callable[[], Awaitable[tuple[ChangeRow, ...]]] | None = None
    thread_read: str = ""
    known_links: frozenset[str] = frozenset()
    rows_of_others: tuple[ChangeRow, ...] = ()
    user_texts: tuple[str, ...] = ()
    thread_texts: tuple[str, ...] = ()
    materials: tuple[Material, ...] = ()
    choice: Choice | None = None
    offered: tuple[tuple[Choice, ...], ...] = ()
    asked_before: tuple[AskedBefore, ...] = ()
    topic: Topic = field(default_factory=Topic)
    inquiry: Inquiry = field(default_factory=Inquiry)
    sent_back: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])
    counted_before: dict[str, set[LimitKey]] = field(default_factory=dict[str, set[LimitKey]])
    guides: tuple[Guide, ...] = ()
    calculator: Calculator | None = None
    messages: Messages | None = None
    attached: AttachedFiles | None = None
    accounts: Accounts | None = None
    sheets: Sheets | None = None
    addressed: Addressed = Addressed.US
    from_message: MessageLink | None = None
    firing: Firing | None = None
    ahead: timedelta = timedelta()

    @property
    def stored_now(self) -> datetime:
        """The time on the clock by which proposals are stamped, which no demo moves."""
        return self.now - self.ahead

    @property
    def today(self) -> date:
        """The calendar day in the person's time zone."""
        return self.now.astimezone(self.actor.zone).date()

    async def with_rows_now(self) -> Deps:
        """Return these with the present state of the changes."""
        return self if self.rows_now is None else replace(self, rows=await self.rows_now())
