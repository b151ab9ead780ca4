"""Procedures (SOPs), and other evidence for answers and drafts."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID, uuid4

from pydantic import Field

from agencyclaw.domain.names import has_words
from agencyclaw.domain.people import Value

Confidence = Literal["high", "medium", "low"]
SourceTier = Literal["sop", "internal", "similar_task", "external"]
# Called by its title or another name, or found by the words of its text.
MatchKind = Literal["alias", "text"]


# A hit with at least this score is offered as the answer; searches scale their scores to it.
OFFERED_FROM = 0.5


class SopName(Value):
    """A procedure's title, and the agency's other names for it."""

    id: UUID
    title: str
    category: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it."""
        return (self.title, *self.aliases)

    @property
    def full_name(self) -> str:
        """The title, with the category that distinguishes it from namesakes."""
        return f"{self.title} ({self.category})" if self.category else self.title


class Sop(SopName):
    """A procedure as the agency keeps it."""

    body: str
    version: str
    url: str | None = None
    synced_at: datetime | None = None
    tier: SourceTier = "sop"

    @property
    def full_name(self) -> str:
        """The title with what distinguishes it from a namesake."""
        return f"{self.title} (version {self.version})"


class SopSection(Value):
    """A section of a procedure in a checklist: how many lines it has there, and how many not.

    `title` is the section's own heading; "" where the procedure has none, and for the sections
    that had no room, which have `more` lines together.
    """

    title: Annotated[str, Field(max_length=80)] = ""
    size: Annotated[int, Field(ge=0)]
    more: Annotated[int, Field(ge=0)] = 0


class SopHit(Value):
    """A procedure found for a question, by its name or by its text."""

    sop: Sop
    match: MatchKind
    score: float

    @property
    def is_sure(self) -> bool:
        """Whether it was named outright: only then may code choose it."""
        return self.match == "alias"

    @property
    def is_ground(self) -> bool:
        """Whether it is good enough to be offered as the answer."""
        return self.is_sure or confidence_of(self.score) != "low"


class KnowledgeGap(Value):
    """A question that nothing answered for certain, with the closest document.

    `chosen_id` is the procedure that was read and answered it after all.
    """

    question: str
    client_id: UUID | None = None
    asked_by: UUID | None = None
    best: float = 0.0
    closest: str | None = None
    run_id: UUID = Field(default_factory=uuid4)
    chosen_id: UUID | None = None


class OpenGap(Value):
    """A question that no search answered: how often it was asked, and when last.

    `chosen` is the procedure that was read for it, with its other names.
    """

    id: UUID
    question: str
    asked: int
    closest: str | None = None
    last_asked: datetime
    client: str | None = None
    asked_by: str | None = None
    chosen: str | None = None
    aliases: tuple[str, ...] = ()

    @property
    def suggests_a_name(self) -> bool:
        """Whether a procedure was read for it that none of its names calls."""
        names = (self.chosen, *self.aliases) if self.chosen else ()
        return bool(names) and not any(has_words(self.question, name) for name in names)


class Source(Value):
    """The source of a statement, as people read it."""

    tier: SourceTier
    id: str
    title: str
    version: str | None = None
    url: str | None = None
    confidence: Confidence


def confidence_of(score: float) -> Confidence:
    """Return the word for a score between 0 and 1."""
    if score >= 0.7:
        return "high"
    return "medium" if score >= OFFERED_FROM else "low"
