"""What a run is given; nothing in it can change anything."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from uuid import UUID

from agencyclaw.deps.ports import (
    Calculator,
    Directory,
    Knowledge,
    Memory,
    Messages,
    Meter,
    Notebook,
    Planners,
    ProductCatalog,
    Proposals,
    Researchers,
    TaskBoard,
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
from agencyclaw.domain.sheets import Sheets
from agencyclaw.domain.sops import KnowledgeGap, Sop
from agencyclaw.domain.text import folded
from agencyclaw.domain.thread import MessageLink


@dataclass
class Topic:
    """The clients a run is about, as its tools resolved them; `assumed` ones nobody named."""

    clients: set[UUID] = field(default_factory=set[UUID])
    assumed: set[UUID] = field(default_factory=set[UUID])
    implied: str = ""
    is_wide: bool = False

    def after(self, before: UUID | None) -> UUID | None:
        """Return the client that the next message means if it names none.

        A single client becomes the topic; several, or a list over all, clear it; none keeps it.
        """
        if len(self.clients) == 1 and not self.is_wide:
            return next(iter(self.clients))
        return None if self.clients or self.is_wide else before

    @property
    def in_thread(self) -> frozenset[UUID] | None:
        """The client that is settled in the thread, empty if there are several; None if unsaid."""
        named = self.clients - self.assumed
        if len(named) == 1 and not self.is_wide:
            return frozenset(named)
        return frozenset() if named or self.is_wide else None

    def add(self, other: Topic) -> None:
        """Merge the topic of a part of the run."""
        self.clients |= other.clients
        self.assumed |= other.assumed
        self.implied = self.implied or other.implied
        self.is_wide = self.is_wide or other.is_wide


@dataclass
class Inquiry:
    """What a turn and its sub-agents looked for among the procedures.

    `missed` are the questions for which a search had nothing to offer; `opened` are the procedures
    that were opened nevertheless, `used` the procedures and documents that a task rests on.
    """

    missed: list[KnowledgeGap] = field(default_factory=list[KnowledgeGap])
    opened: list[Sop] = field(default_factory=list[Sop])
    used: list[Sop] = field(default_factory=list[Sop])

    @property
    def unmet(self) -> KnowledgeGap | None:
        """The first question that found nothing; only this one counts."""
        return self.missed[0] if self.missed else None

    @property
    def is_met(self) -> bool:
        """Whether something was opened or used."""
        return bool(self.opened or self.used)

    def chosen(self, sources: Iterable[str]) -> UUID | None:
        """Return the one procedure that was chosen by reading for the one question that missed.

        It is what a task rests on, else what was opened and is among the answer's `sources`.
        """
        cited = {folded(title) for title in sources}
        rests_on = self.used or [
            document for document in self.opened if folded(document.title) in cited
        ]
        procedures = {document.id for document in rests_on if document.tier == "sop"}
        questions = {folded(document.question) for document in self.missed}
        return procedures.pop() if len(procedures) == 1 == len(questions) else None


@dataclass(frozen=True)
class Deps:
    """One run's actor, place, time and read ports; `proposals` can only draft.

    `user_texts` is what people wrote earlier in this conversation, `thread_texts` what of it they
    wrote in this thread, `materials` the same with its authors,
    `choice` the record they pressed instead of writing, `offered` the choices they were shown,
    reply by reply, the last one first, `topic` what it turns out to be about,
    `inquiry` what it looked for among the procedures, `sent_back` (tool, argument, value) the
    unstated figures that the model was told about. `calling` is the tool being called, by whose
    name reads are judged, `doubts` what its result has to say of the names it was called with,
    `picked` the records in it that were offered in a question and never named. `revised` are the
    open proposals it is called about. `rows` are the open
    and completed changes of this conversation, and `rows_now` reads how they stand by now; `heard`
    is what was read of a thread of people. `guides` are those for this person's tier;
    `calculator` is None without a sandbox, `messages` and `sheets` (the files that come below the
    answer) without Slack. `addressed` says whether the message is for us at all. `from_message` is
    where the message stands on which a shortcut was used.
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
    proposals: Proposals
    researchers: Researchers
    planners: Planners
    preferences: Preferences = field(default_factory=Preferences)
    context_tokens: int = 4_000
    calling: str = ""
    doubts: list[str] = field(default_factory=list[str])
    picked: list[FieldSource] = field(default_factory=list[FieldSource])
    revised: tuple[Proposal, ...] = ()
    rows: tuple[ChangeRow, ...] = ()
    rows_now: Callable[[], Awaitable[tuple[ChangeRow, ...]]] | None = None
    heard: str = ""
    known_links: frozenset[str] = frozenset()
    user_texts: tuple[str, ...] = ()
    thread_texts: tuple[str, ...] = ()
    materials: tuple[Material, ...] = ()
    choice: Choice | None = None
    offered: tuple[tuple[Choice, ...], ...] = ()
    topic: Topic = field(default_factory=Topic)
    inquiry: Inquiry = field(default_factory=Inquiry)
    sent_back: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])
    guides: tuple[Guide, ...] = ()
    calculator: Calculator | None = None
    messages: Messages | None = None
    sheets: Sheets | None = None
    addressed: Addressed = Addressed.US
    from_message: MessageLink | None = None

    @property
    def today(self) -> date:
        """The calendar day in the person's time zone."""
        return self.now.astimezone(self.actor.zone).date()

    async def with_rows_now(self) -> Deps:
        """Return these with the changes as they stand by now."""
        return self if self.rows_now is None else replace(self, rows=await self.rows_now())


__all__ = [
    "Calculator",
    "Deps",
    "Directory",
    "Inquiry",
    "Knowledge",
    "Memory",
    "Messages",
    "Meter",
    "Notebook",
    "Planners",
    "ProductCatalog",
    "Proposals",
    "Researchers",
    "TaskBoard",
    "Topic",
]
