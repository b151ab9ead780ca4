"""Words and phrases as notes are searched by: case, hyphens, spaces and plurals do not matter."""

from __future__ import annotations

import re
import unicodedata

MOST_WORDS = 300

_SEPARATORS = re.compile(
    r"[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f\u00a0\u2010-\u2015\u2018-\u201f\u2026]+"
)
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


def phrase_key(phrase: str) -> str:
    """Return what "N-Gram", "n gram" and "ngrams" have in common."""
    return "".join(words_of(phrase))


def telling(text: str, *, limit: int = 2_000) -> str:
    """Return a text without the words that every request has, so that the others decide."""
    kept = (word for word in text[: limit * 2].split() if phrase_key(word) not in _IDLE)
    return " ".join(kept)[:limit]


_IDLE = frozenset(words_of(_REQUEST_WORDS))
