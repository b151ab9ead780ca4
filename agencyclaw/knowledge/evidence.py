"""What speaks for a document: which words of a question it holds, where, and how much they say.

Rare words weigh more, words that nothing holds weigh against every document, and words that stand
close together in a text say more than words strewn over it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from agencyclaw.domain.search import Candidate, Part, Question, Reading, Shelf

STRETCH = 30
# On a shelf of two documents every word would seem common.
LEAST_SIZE = 15
# "Storage" is an everyday word for a warehouse: it is only half a word of the trade.
_TRADE, _EVERYDAY = 0.7, 0.5
_LITTLE = 0.3


class Weights(NamedTuple):
    """How much a word says by where it stands, 0 to 1, and by what is known of it."""

    title: float = 1.0
    names: float = 0.9
    lead: float = 0.9
    text: float = 0.3
    near: float = 0.7
    unknown: float = 0.7
    everyday: float = 0.6


class Evidence(NamedTuple):
    """What a document holds of a question, counted in rare words of its shelf.

    `held` of `asked` is found at all, `headed` of it in the heading or the beginning, `trade` of it
    in words whose meaning the trade knows. `parts` counts what is asked, `met` those of which the
    document holds more than a little, and `astray` the subjects of their own that it is not about.
    """

    held: float
    asked: float
    headed: float
    trade: float
    parts: int
    met: int
    astray: int

    @property
    def share(self) -> float:
        """How much of the question the document holds, 0 to 1."""
        return self.held / self.asked if self.asked else 1.0

    @property
    def adrift(self) -> float:
        """How far the question is about something else, 0 to 1: a third of it is all of it."""
        return min(1.0, 3 * self.astray / self.parts) if self.parts else 0.0


class Scales:
    """A question's parts, weighed on one shelf."""

    def __init__(self, question: Question, shelf: Shelf, weights: Weights) -> None:
        self._weights = weights
        self._parts = [_Weighed(part, shelf, weights) for part in question.parts]
        self._unit = _rarity(1, shelf.size)
        self._asked = sum(part.weight for part in self._parts) / self._unit

    def evidence(self, one: Candidate) -> Evidence:
        """Return what speaks for a document."""
        places = [place for at, part in enumerate(self._parts) for place in part.places(at, one)]
        near = _richest(places, [part.weight for part in self._parts])
        anywhere = _by_part(places)
        held = headed = trade = 0.0
        met = 0
        for at, part in enumerate(self._parts):
            weight, heading = part.weight / self._unit, part.heading_of(one)
            there = anywhere.get(at, 0.0)
            text = max(self._weights.text * there, self._weights.near * near.get(at, 0.0))
            held += weight * max(heading, text)
            headed += weight * heading
            trade += part.trade * weight * max(heading, there)
            met += weight > 0 and max(heading, there) > _LITTLE
        weighty = sum(part.weight > 0 for part in self._parts)
        astray = sum(part.is_astray(one) for part in self._parts)
        return Evidence(held, self._asked, headed, trade, weighty, met, astray)


class _Weighed:
    """A part of the question with its weight on a shelf."""

    def __init__(self, part: Part, shelf: Shelf, weights: Weights) -> None:
        self._weights = weights
        self._readings = [
            (reading.strength, stems, sum(weight for _, weight in stems))
            for reading in part.readings
            if (stems := list(_stems(reading, shelf)))
        ]
        self._is_subject = part.is_subject
        self.trade = _trade(part)
        plain = weights.everyday if part.is_everyday else 1.0
        known = [
            max(weight for stem, weight in stems if stem)
            for _, stems, _ in self._readings
            if any(stem for stem, _ in stems)
        ]
        if shelf.names.issuperset(part.said):
            self.weight = 0.0
        elif known and not part.is_subject:
            self.weight = max(known) * plain
        else:
            self.weight = plain * part.doubt * weights.unknown * _rarity(0, shelf.size)

    def heading_of(self, one: Candidate) -> float:
        """Return how much of this part a document's heading or beginning holds, 0 to 1."""
        if self._is_subject:
            return max((self._whole(stems, one) for _, stems, _ in self._readings), default=0.0)
        shares = (
            strength * sum(weight * self._place(one, stem) for stem, weight in stems) / all_of_it
            for strength, stems, all_of_it in self._readings
        )
        return max(shares, default=0.0)

    def is_astray(self, one: Candidate) -> bool:
        """Return whether this is a subject of its own that the document is not about.

        One word is also held by a text; several words may stand there far from each other.
        """
        if not self._is_subject or not self.weight or self.heading_of(one):
            return False
        return not any(
            len(stems) == 1 and stems[0][0] in one.stems for _, stems, _ in self._readings
        )

    def places(self, at: int, one: Candidate) -> Iterable[_Place]:
        """Return where in the text the words of this part, the question's `at`th, stand."""
        if self._is_subject:
            return
        for number, (strength, stems, all_of_it) in enumerate(self._readings):
            for stem, weight in stems:
                for position in one.stems[stem].text if stem in one.stems else ():
                    yield _Place(position, at, number, stem, strength * weight / all_of_it)

    def _whole(self, stems: list[tuple[str, float]], one: Candidate) -> float:
        return min((self._place(one, stem) for stem, _ in stems), default=0.0)

    def _place(self, one: Candidate, stem: str) -> float:
        places = one.stems.get(stem)
        if places is None:
            return 0.0
        weights = self._weights
        return max(
            weights.title if places.title else 0.0,
            weights.names if places.names else 0.0,
            weights.lead if places.lead else 0.0,
        )


def _trade(part: Part) -> float:
    """Return how much a part is a word of the trade, 0 to 1."""
    strongest = max((reading.strength for reading in part.readings[1:]), default=0.0)
    if part.is_subject or not strongest:
        return 0.0
    return 1.0 if strongest >= _TRADE else _EVERYDAY


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


def _richest(places: list[_Place], weights: Sequence[float]) -> dict[int, float]:
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
        yield known.stem if known.documents else "", _rarity(known.documents, shelf.size)


def _rarity(documents: int, size: int) -> float:
    size = max(size, LEAST_SIZE)
    return math.log(1 + (max(size, documents) - documents + 0.5) / (documents + 0.5))
