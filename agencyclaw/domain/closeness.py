"""Ranks things by how well a text's words match theirs; rare words count more.

A word that everything has counts little, so no list of stop words is needed. Similarly spelled
words count nearly as much, which covers plurals and typing errors in any language.
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
    """Return for each thing the share of the text's words that match its own, about 0 to 1.

    A thing assigns a weight to each of its words. A word that nothing has counts against all.
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
    """Return the known words equal or similar to a word, each with its similarity, 0 to 1."""
    if word in vocabulary:
        return {word: 1.0}
    scored = {known: max(likeness(word, known), likeness(known, word)) for known in vocabulary}
    return {known: score / 100 for known, score in scored.items() if score >= _ALIKE}
