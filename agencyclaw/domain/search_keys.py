"""Words and phrases as search compares them: case, hyphens, spaces and plurals do not matter.

Postgres keeps the keys of names and aliases by the same three rules (`phrase_key` in the
migrations); a test holds the two together.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST_PHRASE = 8
MOST_WORDS = 300

_SEPARATORS = re.compile(
    r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f\u00a0\u2010-\u2015\u2018-\u201f\u2026]+"
)
_TAIL = re.compile(r"(?<=\w)['’]s?(?!\w)")
_SINGULAR = (
    (re.compile(r"([^ ]{2})ies(?= )"), r"\1y"),
    (re.compile(r"(x|ch|sh|ss)es(?= )"), r"\1"),
    (re.compile(r"([^ ][^ s])s(?= )"), r"\1"),
)
_REQUEST_WORDS = (
    "add ask brand can change client could create do does draft find fix get give how i issue let"
    " list make me month need new now of on our please procedure process send set show some sop"
    " start task tell that the there thing this today tomorrow up update us want we week what when"
    " where which who why will with work would write you your"
)


def words_of(text: str) -> list[str]:
    """Return the words of a text in the form in which they are compared."""
    spaced = f" {_SEPARATORS.sub(' ', unicodedata.normalize('NFKC', text).lower())} "
    for rule, replacement in _SINGULAR:
        spaced = rule.sub(replacement, spaced)
    return spaced.split()[:MOST_WORDS]


def plain_words(text: str) -> list[str]:
    """Return the words of a text as they are, for a stemmer to read; an apostrophe's tail goes."""
    joined = _TAIL.sub("", unicodedata.normalize("NFKC", text).lower())
    return _SEPARATORS.sub(" ", joined).split()[:MOST_WORDS]


def phrase_key(phrase: str) -> str:
    """Return what "N-Gram", "n gram" and "ngrams" have in common."""
    return "".join(words_of(phrase))


def phrase_keys(words: list[str]) -> list[str]:
    """Return the key of every run of neighbouring words, each once."""
    runs = (
        "".join(words[start : start + length])
        for start in range(len(words))
        for length in range(1, min(LONGEST_PHRASE, len(words) - start) + 1)
    )
    return list(dict.fromkeys(runs))


def telling(text: str, *, limit: int = 2_000) -> str:
    """Return a text without the words that every request has, so that the others decide."""
    kept = (word for word in text[: limit * 2].split() if phrase_key(word) not in _IDLE)
    return " ".join(kept)[:limit]


_IDLE = frozenset(words_of(_REQUEST_WORDS))
