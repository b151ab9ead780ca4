"""What people wrote, word for word: where a quote stands, and the whole sentence around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from agencyclaw.domain.text import one_line

# Words and sentences by their marks alone, whatever the language.
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_SENTENCE_END = re.compile(r"[.!?;。！？]+(?=\s|$)|\n+")
_EDGES = " \t,.;:!?\"'“”‘’()[]<>*_`"
_NEAR = 60


@dataclass(frozen=True)
class OwnWords:
    """A quote in its writer's letters, and the sentence it was taken out of."""

    text: str
    sentence: str


def quoted(quote: str, said: Sequence[str]) -> OwnWords | None:
    """Return what somebody wrote where a quote stands; None where nobody did.

    Case and marks do not matter, every word and their order does.
    """
    wanted = _forms(quote)
    for text in said if wanted else ():
        forms = _forms(text)
        for at in range(len(forms) - len(wanted) + 1):
            if forms[at : at + len(wanted)] == wanted:
                return _taken(text, at, at + len(wanted) - 1)
    return None


def nearest(quote: str, said: Sequence[str]) -> str | None:
    """Return the sentence that holds what is spelled most like a quote; None where nothing is."""
    found = [
        (match.score, _sentence(text, match.dest_start, match.dest_end))
        for text in said
        if quote.strip()
        and (match := fuzz.partial_ratio_alignment(quote, text, score_cutoff=_NEAR))
    ]
    return one_line(max(found)[1], 200) or None if found else None


def _forms(text: str) -> list[str]:
    return [match[0].casefold().replace("’", "'") for match in _WORD.finditer(text)]


def _taken(text: str, first: int, last: int) -> OwnWords:
    """Take words out with what hangs on them: "$500" is not 500, nor "non-EU" the EU."""
    words = list(_WORD.finditer(text))
    start, end = words[first].start(), words[last].end()
    around = _sentence(text, start, end)
    while start and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return OwnWords(text[start:end].strip(_EDGES), around)


def _sentence(text: str, start: int, end: int) -> str:
    ends = [mark.end() for mark in _SENTENCE_END.finditer(text)]
    begins = max((one for one in ends if one <= start), default=0)
    stops = min((one for one in ends if one >= end), default=len(text))
    return text[begins:stops].strip()
