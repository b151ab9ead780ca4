"""Finds quotes in what people wrote, with the signs and the sentence around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import category

from rapidfuzz import fuzz

from agencyclaw.domain.text import SENTENCE_ENDS, WIDE_SENTENCE_ENDS, one_line

# Spaces and punctuation tell words and sentences apart, in whatever language. Where no spaces are
# written, what is between two signs counts as one word.
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_WIDE = f"{WIDE_SENTENCE_ENDS}；"
_CHUNK = re.compile(rf"[^\s{_WIDE}]+[{_WIDE}]*|[{_WIDE}]+")
_SENTENCE_END = re.compile(rf"[{SENTENCE_ENDS};]+(?=\s|$)|[{_WIDE}]+|\n+")
EDGES = f" \t,;:\"'“”‘’()[]<>*_`{SENTENCE_ENDS}{_WIDE}"
_NEAR = 60
# Signs that belong to the figure beside them, even after a space: "28 %", "$ 500".
_UNITS = frozenset("%％‰°")


@dataclass(frozen=True)
class OwnWords:
    """A quote as its author wrote it, and the sentence it is from."""

    text: str
    sentence: str


def quoted(quote: str, texts: Sequence[str]) -> OwnWords | None:
    """Return the words of an author that a quote repeats; None if nobody wrote them.

    Case and punctuation are ignored; every word and their order count.
    """
    wanted = _forms(quote)
    for text in texts if wanted else ():
        forms = _forms(text)
        for at in range(len(forms) - len(wanted) + 1):
            if forms[at : at + len(wanted)] == wanted:
                return _with_attached(text, at, at + len(wanted) - 1)
    return None


def has_own_words(value: str, quote: str) -> bool:
    """Return whether every word of a value, except figures, occurs in its quote as a whole word."""
    known = set(_forms(quote))
    return all(form in known for form in _forms(value) if not any(map(str.isdigit, form)))


def nearest(quote: str, texts: Sequence[str]) -> str | None:
    """Return the sentence spelled most like a quote; None if none is close."""
    scored: list[tuple[float, str]] = []
    for text in texts if quote.strip() else ():
        match = fuzz.partial_ratio_alignment(quote, text, score_cutoff=_NEAR)
        if match:
            scored.append((match.score, sentence_at(text, match.dest_start, match.dest_end)))
    if not scored:
        return None
    _, sentence = max(scored)
    return one_line(sentence, 200) or None


def _forms(text: str) -> list[str]:
    return [match[0].casefold().replace("’", "'") for match in _WORD.finditer(text)]


def _with_attached(text: str, first: int, last: int) -> OwnWords:
    """Return words with what is attached to them: "$500" is not 500, nor "non-EU" the EU.

    `first` and `last` are their positions among the words of the text.
    """
    words = list(_WORD.finditer(text))
    start, end = words[first].start(), words[last].end()
    chunks = list(_CHUNK.finditer(text))
    begin = next(at for at, chunk in enumerate(chunks) if chunk.end() > start)
    stop = next(at for at, chunk in enumerate(chunks) if chunk.end() >= end)
    if begin > 0 and words[first][0].isdecimal() and _is_unit(chunks[begin - 1][0]):
        begin -= 1
    if stop + 1 < len(chunks) and words[last][0].isdecimal() and _is_unit(chunks[stop + 1][0]):
        stop += 1
    attached = text[chunks[begin].start() : chunks[stop].end()].strip(EDGES)
    return OwnWords(attached, sentence_at(text, start, end))


def _is_unit(chunk: str) -> bool:
    """Return whether a text is only a unit or currency sign, ignoring punctuation."""
    bare = chunk.strip(EDGES)
    return bool(bare) and signs_of(bare).issuperset(bare)


def signs_of(text: str) -> frozenset[str]:
    """Return the units and currencies that are written as signs."""
    return frozenset(char for char in text if char in _UNITS or category(char) == "Sc")


def whole_words(text: str, start: int, end: int, limit: int) -> str:
    """Return a piece of a text as whole words with their signs, limited in characters.

    A word that the piece cuts at either end is dropped; a single long word is kept.
    """
    chunks = [match.span() for match in _CHUNK.finditer(text)]
    whole = [chunk for chunk in chunks if _is_held(text, chunk, start, end)]
    while whole and whole[-1][1] - max(whole[0][0], start) > limit:
        whole.pop()
    if not whole:
        return text[start:end].strip()[:limit].strip()
    return text[max(whole[0][0], start) : min(whole[-1][1], end)].strip()


def _is_held(text: str, chunk: tuple[int, int], start: int, end: int) -> bool:
    """Return whether a piece contains a chunk, apart from punctuation at its edges."""
    begins, stops = max(chunk[0], start), min(chunk[1], end)
    left_out = text[chunk[0] : begins], text[stops : chunk[1]]
    return begins < stops and not any(part.strip(EDGES) for part in left_out)


def sentences(text: str) -> list[tuple[int, int]]:
    """Return where each sentence or line with a letter or digit begins and ends."""
    bounds = [0, *(mark.end() for mark in _SENTENCE_END.finditer(text)), len(text)]
    return [(at, end) for at, end in pairwise(bounds) if any(map(str.isalnum, text[at:end]))]


def sentence_at(text: str, start: int, end: int) -> str:
    """Return the sentences or lines around a piece of a text."""
    bounds = [0, *(mark.end() for mark in _SENTENCE_END.finditer(text)), len(text)]
    begins = max(bound for bound in bounds if bound <= start)
    stops = min(bound for bound in bounds[1:] if bound >= end)
    return text[begins:stops].strip()
