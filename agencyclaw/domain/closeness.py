"""Ranks things by how well a text's words match theirs; rare words count more.

A word that everything has counts little, so no list of stop words is needed. Similarly spelled
words count nearly as much, which covers plurals and typing errors in any language.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

from agencyclaw.domain.names import likeness, plain_name

MOST_WORDS = 300
# One letter more or less in a word of five, or the beginning of one: more would be another word.
_ALIKE = 88
# A thing is close when it fits nearly as well as the best one, and the best one well enough. One
# too many costs a few tokens, one that is not found is a dead end: so little is enough.
_NEARLY = 0.7
_WELL = 0.3

Key = TypeVar("Key")


def words_of(text: str) -> list[str]:
    """Return the words of a text without case, accents and punctuation."""
    return plain_name(text).split()[:MOST_WORDS]


def closeness(words: Sequence[str], things: Sequence[Mapping[str, float]]) -> list[float]:
    """Return for each thing the share of the text's words that match its own, about 0 to 1.

    A thing assigns a weight to each of its words. A word that nothing has counts against all.
    """
    vocabulary = {known for thing in things for known in thing}
    scores = [0.0] * len(things)
    best_possible = 0.0
    for word in dict.fromkeys(words):
        alike = _alike(word, vocabulary)
        matches = [_best_match(alike, thing) for thing in things]
        matching = sum(1 for match in matches if match)
        rarity = math.log(1 + len(things) / (matching or 0.5))
        best_possible += rarity
        for at, match in enumerate(matches):
            scores[at] += rarity * match
    return [score / best_possible if best_possible else 0.0 for score in scores]


def close_to(
    words: Sequence[str], things: Mapping[Key, Mapping[str, float]], least: float = _WELL
) -> list[Key]:
    """Return the keys of the things that fit a text best or nearly as well, the closest first.

    None if the best one has less than `least`.
    """
    scores = dict(zip(things, closeness(words, list(things.values())), strict=True))
    best = max(scores.values(), default=0.0)
    if best < least:
        return []
    close = [key for key, score in scores.items() if score >= _NEARLY * best]
    return sorted(close, key=lambda key: -scores[key])


def _best_match(alike: Mapping[str, float], thing: Mapping[str, float]) -> float:
    """Return the highest product of a word's similarity and its weight in a thing."""
    products = (thing.get(known, 0) * similarity for known, similarity in alike.items())
    return max(products, default=0)


def _alike(word: str, vocabulary: set[str]) -> dict[str, float]:
    """Return the known words equal or similar to a word, each with its similarity, 0 to 1."""
    if word in vocabulary:
        return {word: 1.0}
    scored = {known: max(likeness(word, known), likeness(known, word)) for known in vocabulary}
    return {known: score / 100 for known, score in scored.items() if score >= _ALIKE}
