"""How close words come to things that are known by theirs: the fewer know a word, the more it says.

No word is idle by itself: one that everything is known by just says little. What is spelt almost
alike counts nearly as much, so plurals and typing errors of any language need no rule.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from agencyclaw.domain.names import likeness, plain_name

MOST_WORDS = 300
# One letter more or less in a word of five, or the beginning of one: more would be another word.
_ALIKE = 88


def words_of(text: str) -> list[str]:
    """Return the words of a text without case, accents and punctuation."""
    return plain_name(text).split()[:MOST_WORDS]


def closeness(words: Sequence[str], things: Sequence[Mapping[str, float]]) -> list[float]:
    """Return for each thing how much of what the words say it is known by, 0 to 1 or a bit above.

    A thing gives each of its words a worth. A word that nothing knows counts against all.
    """
    vocabulary = {known for thing in things for known in thing}
    scores, whole = [0.0] * len(things), 0.0
    for word in dict.fromkeys(words):
        alike = _alike(word, vocabulary)
        worths = [
            max((thing.get(k, 0) * v for k, v in alike.items()), default=0) for thing in things
        ]
        spread = sum(1 for worth in worths if worth)
        rarity = math.log(1 + len(things) / (spread or 0.5))
        whole += rarity
        scores = [score + rarity * worth for score, worth in zip(scores, worths, strict=True)]
    return [score / whole if whole else 0.0 for score in scores]


def _alike(word: str, vocabulary: set[str]) -> dict[str, float]:
    """Return the known words that a word is, or is almost: how alike, 0 to 1."""
    if word in vocabulary:
        return {word: 1.0}
    scored = {one: max(likeness(word, one), likeness(one, word)) for one in vocabulary}
    return {known: score / 100 for known, score in scored.items() if score >= _ALIKE}
