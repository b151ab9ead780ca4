"""Which document a question means, and how sure that is.

Named in full wins: the longest phrase, wherever in the sentence it stands, for "negative product
targeting" is not about product targeting. For the rest a document is judged by how much of the
question it covers, rare words weighing more, and words that nothing holds counting against it: a
question about something else is answered by nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.search import (
    Candidate,
    Part,
    Question,
    Reading,
    Shelf,
    Verdict,
)
from agencyclaw.domain.search_keys import LONGEST_PHRASE, phrase_key
from agencyclaw.domain.sops import MatchKind
from agencyclaw.knowledge.question import (
    doubtful_words,
    is_near_name,
    read_question,
    respell,
)

SAME_CATEGORY = 0.9
HIGH, MEDIUM = 0.7, 0.5
GUESS = 0.45
_TEXT_AT_MOST = 0.69
_LONG = 30
STRETCH = 30
# On a shelf of two documents every word would seem common.
LEAST_SIZE = 15


class Tuning(NamedTuple):
    """What was fitted on the development half of the retrieval questions."""

    floor: float = 0.3
    title: float = 1.0
    names: float = 0.9
    lead: float = 0.9
    text: float = 0.2
    near: float = 0.7
    unknown: float = 0.7
    everyday: float = 0.4
    mass: float = 3.0
    scale: float = 1.8
    aside: float = 0.5
    named: float = 0.5


class Span(NamedTuple):
    """Where in the question a document's name stands."""

    start: int
    end: int
    length: int
    kind: MatchKind

    def covers(self, other: Span) -> bool:
        """Return whether the other name is only a part of this one."""
        return self.start <= other.start and other.end <= self.end and self.length > other.length


class Ranker:
    """Reads questions and judges documents; without state, so that one serves all."""

    def __init__(self, tuning: Tuning | None = None) -> None:
        self.tuning = tuning or Tuning()

    def read(self, text: str) -> Question:
        """Return what a text asks for."""
        return read_question(text)

    def doubtful(self, question: Question, shelf: Shelf) -> dict[str, str]:
        """Return the words that may be misspelt, as nothing holds them, each with its stem."""
        return {
            word: shelf.words[word].stem
            for word in doubtful_words(question)
            if word not in shelf.names and word in shelf.words and not shelf.words[word].documents
        }

    def respelt(
        self, question: Question, stems: Mapping[str, str], near: Mapping[str, Sequence[str]]
    ) -> Question | None:
        """Return the question with misspelt words read as near ones; None when nothing fits."""
        return respell(question, stems, near)

    def judge(
        self, question: Question, shelf: Shelf, candidates: Sequence[Candidate]
    ) -> list[Verdict]:
        """Return the documents that answer, best first."""
        spans = {one.id: list(_spoken(question, one)) for one in candidates}
        every = [span for found in spans.values() for span in found]
        held = self._held(question, shelf, candidates)
        verdicts = (
            self._verdict(question, one, _own(spans[one.id], every), held[one.id])
            for one in candidates
        )
        return sorted((v for v in verdicts if v.score >= self.tuning.floor), key=_order)

    def _verdict(
        self, question: Question, one: Candidate, spans: list[Span], held: _Held
    ) -> Verdict:
        tuning = self.tuning
        said = min(_TEXT_AT_MOST, held.mass / (held.total + tuning.mass) * tuning.scale)
        if not spans:
            return Verdict(one.id, "text", self._capped(question, said), one.tier)
        if "".join(question.spoken) == phrase_key(one.category):
            return Verdict(one.id, "category", SAME_CATEGORY, one.tier)
        longest = max(spans, key=lambda span: (span.length, span.kind == "category"))
        size = min(longest.length, _LONG) / _LONG
        aside = min(1.0, held.share / tuning.aside) ** tuning.named
        score = max(said, (HIGH + 0.19 * size) * aside)
        return Verdict(one.id, longest.kind, self._capped(question, score), one.tier)

    def _capped(self, question: Question, score: float) -> float:
        """What was read into misspelt words is never more than a guess."""
        return round(min(score, GUESS) if question.is_respelt else score, 4)

    def _held(
        self, question: Question, shelf: Shelf, candidates: Sequence[Candidate]
    ) -> dict[UUID, _Held]:
        """Return how much of the question each document holds."""
        parts = [_Weighed(part, shelf, self.tuning) for part in question.parts]
        total = sum(part.weight for part in parts)
        return {one.id: _Held(self._mass(one, parts), total) for one in candidates}

    def _mass(self, one: Candidate, parts: list[_Weighed]) -> float:
        """Words that stand close together in the text say more than words strewn over it."""
        tuning = self.tuning
        places = [place for at, part in enumerate(parts) for place in part.places(at, one)]
        near = _richest(places, [part.weight for part in parts])
        anywhere = _by_part(places)
        mass = 0.0
        for at, part in enumerate(parts):
            text = max(tuning.text * anywhere.get(at, 0.0), tuning.near * near.get(at, 0.0))
            mass += part.weight * max(part.heading_of(one), text)
        return mass


class _Held(NamedTuple):
    """The weight of what a document holds of a question, and the question's whole weight."""

    mass: float
    total: float

    @property
    def share(self) -> float:
        """How much of the question the document holds, 0 to 1."""
        return self.mass / self.total if self.total else 1.0


class _Weighed:
    """A part of the question with its weight on a shelf."""

    def __init__(self, part: Part, shelf: Shelf, tuning: Tuning) -> None:
        self._tuning = tuning
        self._readings = [
            (reading.strength, [(s, w) for s, w in _stems(reading, shelf)])
            for reading in part.readings
        ]
        known = [
            max(weight for stem, weight in stems if stem)
            for _, stems in self._readings
            if any(stem for stem, _ in stems)
        ]
        self._is_subject = part.is_subject
        plain = tuning.everyday if part.is_everyday else 1.0
        if shelf.names.issuperset(part.said):
            self.weight = 0.0
        elif known and not part.is_subject:
            self.weight = max(known) * plain
        else:
            self.weight = plain * part.doubt * tuning.unknown * _rarity(0, shelf.size)

    def heading_of(self, one: Candidate) -> float:
        """Return how much of this part a document's heading or beginning holds, 0 to 1."""
        if self._is_subject:
            return max((self._whole(stems, one) for _, stems in self._readings), default=0.0)
        shares = (
            strength * sum(weight * self._place(one, stem) for stem, weight in stems) / all_of_it
            for strength, stems in self._readings
            if (all_of_it := sum(weight for _, weight in stems))
        )
        return max(shares, default=0.0)

    def places(self, at: int, one: Candidate) -> Iterable[_Place]:
        """Return where in the text the words of this part, the question's `at`th, stand."""
        if self._is_subject:
            return
        for number, (strength, stems) in enumerate(self._readings):
            all_of_it = sum(weight for _, weight in stems)
            for stem, weight in stems:
                for position in one.stems[stem].text if stem in one.stems else ():
                    yield _Place(position, at, number, stem, strength * weight / all_of_it)

    def _whole(self, stems: list[tuple[str, float]], one: Candidate) -> float:
        places = [self._place(one, stem) for stem, _ in stems]
        return min(places, default=0.0)

    def _place(self, one: Candidate, stem: str) -> float:
        places = one.stems.get(stem)
        if places is None:
            return 0.0
        tuning = self._tuning
        return max(
            tuning.title if places.title else 0.0,
            tuning.names if places.names else 0.0,
            tuning.lead if places.lead else 0.0,
        )


class _Place(NamedTuple):
    """A word in a text: of which part and reading, and how much of the reading it is."""

    position: int
    part: int
    reading: int
    stem: str
    share: float


def _by_part(places: Iterable[_Place]) -> dict[int, float]:
    """Return how much of each part these words hold, by its best reading."""
    shares = {(one.part, one.reading, one.stem): one.share for one in places}
    readings: dict[tuple[int, int], float] = {}
    for (part, reading, _), share in shares.items():
        readings[part, reading] = readings.get((part, reading), 0.0) + share
    best: dict[int, float] = {}
    for (part, _), share in readings.items():
        best[part] = max(best.get(part, 0.0), share)
    return best


def _richest(places: list[_Place], weights: list[float]) -> dict[int, float]:
    """Return how much of each part the richest stretch of the text holds; one part is none."""
    ordered = sorted(places)
    best, chosen = 0.0, dict[int, float]()
    for start, first in enumerate(ordered):
        stretch = _by_part(
            takewhile(
                lambda one, end=first.position + STRETCH: one.position <= end, ordered[start:]
            )
        )
        worth = sum(weights[at] * share for at, share in stretch.items())
        if len(stretch) > 1 and worth > best:
            best, chosen = worth, stretch
    return chosen


def _stems(reading: Reading, shelf: Shelf) -> Iterable[tuple[str, float]]:
    """Each stem of a reading with its rarity; an empty stem where the shelf has none."""
    for word in reading.words:
        known = shelf.words.get(word)
        if known is None:
            continue
        yield (
            known.stem if known.documents else "",
            _rarity(known.documents, shelf.size),
        )


def _rarity(documents: int, size: int) -> float:
    size = max(size, LEAST_SIZE)
    return math.log(1 + (max(size, documents) - documents + 0.5) / (documents + 0.5))


def _own(spans: list[Span], every: list[Span]) -> list[Span]:
    return [span for span in spans if not any(other.covers(span) for other in every)]


def _spoken(question: Question, candidate: Candidate) -> Iterable[Span]:
    names, words = _names(candidate), question.spoken
    for start in range(len(words)):
        for end in range(start + 1, min(start + LONGEST_PHRASE, len(words)) + 1):
            key = "".join(words[start:end])
            if key in names:
                yield Span(start, end, len(key), names[key])
            elif question.is_respelt and any(is_near_name(key, name) for name in names):
                yield Span(start, end, len(key), "text")


def _names(candidate: Candidate) -> Mapping[str, MatchKind]:
    return _keys_of(candidate.title, candidate.category, candidate.aliases)


@lru_cache(maxsize=2_000)
def _keys_of(title: str, category: str, aliases: tuple[str, ...]) -> Mapping[str, MatchKind]:
    """A document goes by its category, its aliases and its own title."""
    names: dict[str, MatchKind] = {phrase_key(name): "alias" for name in (*aliases, title)}
    names[phrase_key(category)] = "category"
    names.pop("", None)
    return names


def _order(verdict: Verdict) -> tuple[float, str]:
    return (-verdict.score, str(verdict.id))


RANKER = Ranker()
