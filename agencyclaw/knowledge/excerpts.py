"""Cuts texts: to the passage that answers a question, into parts, or to what fits."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from agencyclaw.domain.names import plain_name
from agencyclaw.domain.text import SENTENCE_ENDS, WIDE_SENTENCE_ENDS, cut

_SENTENCE_ENDS = re.compile(rf"(?<=[{SENTENCE_ENDS}])\s+|(?<=[{WIDE_SENTENCE_ENDS}])\s*|\n+")
_SPACES = re.compile(r"\s+")
# Where neither a sentence nor a word ends, a text is cut in steps of so many characters.
_STEP = 64


def passage(body: str, query: str, limit: int) -> str:
    """Return the text from the paragraph with most of the question's rare words on, cut.

    A word counts the less the more paragraphs have it.
    """
    if len(body) <= limit:
        return body
    query_words = _words_in(query)
    paragraphs = _paragraphs(body)
    shared = [query_words & words for _, words in paragraphs]
    frequency = Counter(word for words in shared for word in words)
    scores = [math.fsum(1 / frequency[word] for word in words) for words in shared]
    best = scores.index(max(scores)) if scores else 0
    return cut("\n\n".join(part for part, _ in paragraphs[best:]), limit)


# The same procedures are quoted again and again.
@lru_cache(maxsize=128)
def _paragraphs(body: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the paragraphs of a text, each with its words."""
    return tuple((part, _words_in(part)) for part in body.split("\n\n") if part.strip())


def _words_in(text: str) -> frozenset[str]:
    return frozenset(plain_name(text).split())


def parts_of(body: str, limit: int) -> list[str]:
    """Split a text into parts, between paragraphs where possible; together they are the text."""
    parts = [""]
    for paragraph in body.split("\n\n"):
        for at in range(0, max(len(paragraph), 1), limit):
            piece = paragraph[at : at + limit]
            if parts[-1] and len(parts[-1]) + len(piece) + 2 > limit:
                parts.append("")
            parts[-1] += f"\n\n{piece}" if parts[-1] else piece
    return parts


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """Return the longest beginning of a text that fits: whole sentences, else whole words.

    If `fits` holds for a text, it must hold for its beginnings. Returns "" if none fits.
    """
    if fits(text):
        return text
    found = [[match.start() for match in end.finditer(text)] for end in (_SENTENCE_ENDS, _SPACES)]
    for ends in (*found, range(0, len(text), _STEP)):
        if beginning := _longest(text, ends, fits):
            return beginning
    return ""


def _longest(text: str, ends: Sequence[int], fits: Callable[[str], bool]) -> str:
    """Find the last cut that fits, by bisection."""
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if fits(text[: ends[middle]].rstrip()):
            low = middle + 1
        else:
            high = middle
    return text[: ends[low - 1]].rstrip() if low else ""
