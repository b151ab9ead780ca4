"""Ranked search hits, and when a query names one document outright."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar
from uuid import UUID

from agencyclaw.domain.names import Nameable, plain_name

# A name must be this share of the query's words: a mail that mentions "coupons" in passing does not
# ask for the procedure of that name.
_SHARE_OF_A_NAME = 0.5
# A name of several words is seldom said in passing: in a question it probably is the subject.
_SHARE_OF_A_SUBJECT = 0.1


class Ranked(NamedTuple):
    """A document and how well it fits, 0 to 1; from 0.5 on it probably is the answer."""

    id: UUID
    title: str
    aliases: tuple[str, ...]
    score: float

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it."""
        return (self.title, *self.aliases)

    @property
    def full_name(self) -> str:
        """The title: a search hit carries nothing else that distinguishes namesakes."""
        return self.title


def fused(by_words: Sequence[Ranked], by_meaning: Sequence[Ranked]) -> list[Ranked]:
    """Return two rankings as one, by the sum of their scores; the scores are those by words."""
    words = {hit.id: hit for hit in by_words}
    likeness = {hit.id: hit.score for hit in by_meaning}
    hits = {hit.id: hit._replace(score=0.0) for hit in by_meaning} | words
    return sorted(
        hits.values(),
        key=lambda hit: (-hit.score - likeness.get(hit.id, 0.0), hit.title, str(hit.id)),
    )


T = TypeVar("T", bound=Nameable)


def named_in(text: str, things: Iterable[T]) -> T | None:
    """Return the one thing whose name makes up at least half of the words of a text.

    A name inside a longer one does not count: "negative product targeting" is not about product
    targeting. Returns None when no name qualifies or several do.
    """
    span, thing = _only_name(text, things)
    return thing if len(span) >= len(plain_name(text).split()) * _SHARE_OF_A_NAME else None


def subject_of(text: str, things: Iterable[T]) -> T | None:
    """Return the one thing whose name of several words stands in a question; None as `named_in`."""
    span, thing = _only_name(text, things)
    is_long_enough = len(span) >= len(plain_name(text).split()) * _SHARE_OF_A_SUBJECT
    return thing if len(span) > 1 and is_long_enough else None


def only_named_in(text: str, things: Iterable[T]) -> T | None:
    """Return the one thing whose name stands in a text; None as `named_in`."""
    return _only_name(text, things)[1]


def _only_name(text: str, things: Iterable[T]) -> tuple[range, T | None]:
    """Return where the only name in a text stands, and whose it is."""
    words = plain_name(text).split()
    spans = [(_longest_name(words, thing), thing) for thing in things]
    longest = [
        (span, thing)
        for span, thing in spans
        if span and not any(_is_inside(span, other) for other, _ in spans)
    ]
    return longest[0] if len(longest) == 1 else (range(0), None)


def _longest_name(words: list[str], thing: Nameable) -> range:
    """Return the position of the longest of its names in a text; empty if it has none of them."""
    names = [plain_name(name).split() for name in thing.names]
    spans = (
        range(at, at + len(name))
        for name in names
        if name
        for at in range(len(words) - len(name) + 1)
        if words[at : at + len(name)] == name
    )
    return max(spans, key=len, default=range(0))


def _is_inside(span: range, other: range) -> bool:
    return len(other) > len(span) and other.start <= span.start and span.stop <= other.stop
