"""The trade's own words: what a phrase means, and which words say nothing about the work."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from agencyclaw.domain.search import Reading
from agencyclaw.domain.search_keys import plain_words, words_of

_HERE = Path(__file__).parent
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
STRENGTHS = {"same": 0.95, "like": 0.7, "plain": 0.55, "abroad": 0.85}
_COMPOUND = 6
_COMPOUND_STRENGTH = 0.5


class Glossary(NamedTuple):
    """What phrases mean; subjects of their own; the longest phrase's words; words that say little.

    `abroad` are the idle words that are not English, `silent` all idle words as they are written.
    `spelt` are the trade's single words, also those of what is meant, for a misspelt word.
    """

    means: dict[str, tuple[Reading, ...]]
    by_initial: dict[str, tuple[str, ...]]
    subjects: frozenset[str]
    longest: int
    idle: frozenset[str]
    abroad: frozenset[str]
    everyday: frozenset[str]
    silent: frozenset[str]
    spelt: dict[str, tuple[Reading, ...]]

    def readings(self, words: Iterable[str]) -> tuple[Reading, ...]:
        """Return what a phrase also means; empty when the trade does not know it."""
        return self.means.get(fold_words(words), ())

    def is_subject(self, words: Iterable[str]) -> bool:
        """Return whether a phrase names a subject of its own."""
        return fold_words(words) in self.subjects

    def inside(self, word: str) -> tuple[Reading, ...]:
        """Return what a long word means by the trade's word it begins or ends with."""
        folded = fold_words((word,))
        for size in range(len(folded) - 3, _COMPOUND - 1, -1):
            for part in (folded[:size], folded[-size:]):
                if found := self.means.get(part):
                    return tuple(Reading(one.words, _COMPOUND_STRENGTH) for one in found)
        return ()


@cache
def read_glossary() -> Glossary:
    """Read the data files that lie beside this module, once."""
    kinds: dict[str, dict[str, list[str]]] = _read("glossary.yaml")
    subjects = frozenset(
        fold_words(plain_words(str(phrase)))
        for phrases in kinds.pop("subjects").values()
        for phrase in phrases
    )
    means: dict[str, list[Reading]] = {}
    for kind, concepts in kinds.items():
        for concept, phrases in concepts.items():
            reading = Reading(tuple(plain_words(concept)), STRENGTHS[kind])
            for phrase in phrases:
                means.setdefault(fold_words(plain_words(str(phrase))), []).append(reading)
    spelt = {phrase: list(readings) for phrase, readings in means.items() if " " not in phrase}
    for concept in (word for concepts in kinds.values() for word in concepts):
        for word in plain_words(concept):
            spelt.setdefault(word, [Reading((word,))])
    written = {
        kind: frozenset(word for line in text.split() for word in plain_words(line))
        for kind, text in _read("idle.yaml").items()
    }
    idle = {
        kind: frozenset(fold_words((word,)) for word in words) for kind, words in written.items()
    }
    everyday = idle.pop("everyday")
    every = frozenset[str]().union(*idle.values())
    return Glossary(
        means={phrase: tuple(readings) for phrase, readings in means.items()},
        by_initial=_by_initial(spelt),
        spelt={word: tuple(readings) for word, readings in spelt.items()},
        subjects=subjects,
        longest=max(phrase.count(" ") + 1 for phrase in (*means, *subjects)),
        idle=every,
        abroad=every - idle["english"],
        everyday=everyday - every,
        silent=frozenset[str]().union(*(written[kind] for kind in idle)),
    )


def _by_initial(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return words by their first letters, for a misspelt one to be compared with."""
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[:1], []).append(word)
    return {initial: tuple(words) for initial, words in found.items()}


def _read(name: str) -> dict[str, Any]:
    return yaml.load((_HERE / name).read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506


def fold_words(words: Iterable[str]) -> str:
    """Return words as phrases are compared: without accents and plurals."""
    return _fold(" ".join(words))


@lru_cache(maxsize=50_000)
def _fold(phrase: str) -> str:
    bare = unicodedata.normalize("NFKD", phrase.lower())
    return " ".join(words_of("".join(c for c in bare if not unicodedata.combining(c))))
