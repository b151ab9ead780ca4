"""What a question asks for, and what search saw of a document: the words between store and rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from agencyclaw.domain.sops import MatchKind, SourceTier


class Reading(NamedTuple):
    """Words a part of a question may stand for; 1 is as good as what was said."""

    words: tuple[str, ...]
    strength: float = 1.0


class Part(NamedTuple):
    """A word or phrase of a question.

    `doubt` is how much it weighs when nothing is known of it. A subject is held only by a document
    that carries it in its heading or at its beginning. An everyday word says little either way.
    """

    said: tuple[str, ...]
    readings: tuple[Reading, ...]
    doubt: float = 1.0
    is_subject: bool = False
    is_everyday: bool = False


class Question(NamedTuple):
    """A question as search reads it; `keys` are those of its runs of words.

    A long one has `passages` besides: its own words sentence by sentence, then what it quotes.
    """

    spoken: tuple[str, ...]
    keys: tuple[str, ...]
    parts: tuple[Part, ...]
    is_respelt: bool = False
    passages: tuple[tuple[Question, ...], ...] = ()

    @property
    def every_part(self) -> tuple[Part, ...]:
        """The parts of it and of its passages, each once."""
        inside = (part for passages in self.passages for one in passages for part in one.parts)
        return tuple(dict.fromkeys((*self.parts, *inside)))

    @property
    def every_key(self) -> tuple[str, ...]:
        """The keys of it and of its passages, each once."""
        inside = (key for passages in self.passages for one in passages for key in one.keys)
        return tuple(dict.fromkeys((*self.keys, *inside)))

    @property
    def words(self) -> list[str]:
        """Every word of every reading, each once."""
        return list(
            dict.fromkeys(
                word
                for part in self.every_part
                for reading in part.readings
                for word in reading.words
            )
        )


class Known(NamedTuple):
    """What a shelf knows of a word: its stem, and how many documents hold it."""

    stem: str
    documents: int


class Shelf(NamedTuple):
    """The words of a question on one shelf of documents."""

    size: int
    words: Mapping[str, Known]
    names: frozenset[str] = frozenset()

    def stems(self, question: Question) -> dict[str, int]:
        """Return the stems of the question's words that this shelf holds, with their counts."""
        known = (self.words[word] for word in question.words if word in self.words)
        return {one.stem: one.documents for one in known if one.documents}


class Places(NamedTuple):
    """How often a stem stands in a document's title, its other names and its beginning.

    `text` has where in the text it stands, counted in words.
    """

    title: int = 0
    names: int = 0
    lead: int = 0
    text: tuple[int, ...] = ()


class Candidate(NamedTuple):
    """A document that may answer a question; `stems` has those of the question it holds."""

    id: UUID
    title: str
    category: str
    aliases: tuple[str, ...]
    tier: SourceTier = "sop"
    stems: Mapping[str, Places] = {}


class Verdict(NamedTuple):
    """A document that answers a question, how it was found, and how sure that is, 0 to 1."""

    id: UUID
    match: MatchKind
    score: float
    tier: SourceTier = "sop"


class Ranking(Protocol):
    """The rule by which questions are read and documents are judged."""

    def read(self, text: str) -> Question:
        """Return what a text asks for."""
        ...

    def doubtful(self, question: Question, shelf: Shelf) -> dict[str, str]:
        """Return the words that may be misspelt, each with its stem."""
        ...

    def respelt(
        self, question: Question, stems: Mapping[str, str], near: Mapping[str, Sequence[str]]
    ) -> Question | None:
        """Return the question with misspelt words read as near ones; None when nothing fits."""
        ...

    def judge(
        self, question: Question, shelf: Shelf, candidates: Sequence[Candidate]
    ) -> list[Verdict]:
        """Return the documents that answer, best first."""
        ...
