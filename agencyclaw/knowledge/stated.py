"""What people wrote, word for word: where a quote stands, with whatever turns or doubts it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agencyclaw.domain.search_keys import words_of

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_SENTENCE_END = re.compile(r"[.!?;]+(?=\s|$)|\n+")
_EDGES = " \t,.;:!?\"'“”‘’()[]<>*_`"
# Where one of these stands beside a quote, the quote alone may say something else.
_TURNING = frozenset(
    words_of(
        "no not never without none nobody nothing neither nor cannot hardly barely"
        " maybe perhaps possibly probably might may could would should if unless until till"
        " except only whether wrong false untrue doubt think thought guess wonder heard suppose"
        " assume check ask hope used formerly earlier previously anymore stopped instead but"
        " however"
    )
)
_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_HALF = 0.5


class _Word(NamedTuple):
    form: str
    start: int
    end: int


class _Span(NamedTuple):
    start: int
    end: int


def quoted(quote: str, said: Sequence[str]) -> str | None:
    """Return what somebody wrote where a quote stands, in their own letters; None where nobody did.

    Case and marks do not matter, every word and their order does. Where the rest of the sentence
    turns or doubts what is quoted, or asks it, the whole sentence is returned.
    """
    wanted = [word.form for word in _words(quote)]
    for text in said if wanted else ():
        if found := _find(wanted, text):
            return _whole_if_turned(text, found)
    return None


def nearest(quote: str, said: Sequence[str]) -> str | None:
    """Return the sentence that has most of a quote's words, at least half of them; None else."""
    wanted = {word.form for word in _words(quote)}
    sentences = [text[span.start : span.end].strip() for text in said for span in _sentences(text)]

    def shared(sentence: str) -> int:
        return len(wanted & {word.form for word in _words(sentence)})

    best = max(sentences, key=shared, default="")
    return best if wanted and shared(best) >= _HALF * len(wanted) else None


def _words(text: str) -> list[_Word]:
    return [
        _Word(match[0].casefold().replace("’", "'"), match.start(), match.end())
        for match in _WORD.finditer(text)
    ]


def _find(wanted: list[str], text: str) -> _Span | None:
    words = _words(text)
    forms = [word.form for word in words]
    for at in range(len(forms) - len(wanted) + 1):
        if forms[at : at + len(wanted)] == wanted:
            return _Span(words[at].start, words[at + len(wanted) - 1].end)
    return None


def _whole_if_turned(text: str, found: _Span) -> str:
    around = _around(text, found)
    beside = f"{text[around.start : found.start]} {text[found.end : around.end]}"
    is_turned = not _TURNING.isdisjoint(words_of(beside)) or bool(_NOT.search(beside))
    if is_turned or text[: around.end].rstrip().endswith("?"):
        return text[around.start : around.end].strip()
    return _with_its_marks(text, found)


def _around(text: str, found: _Span) -> _Span:
    """Return the sentence a quote stands in, or all of those it stands in."""
    touched = [one for one in _sentences(text) if one.end > found.start and one.start < found.end]
    return _Span(touched[0].start, touched[-1].end)


def _with_its_marks(text: str, found: _Span) -> str:
    """Return a quote with what hangs on its words: "$500" is not 500, nor "non-EU" the EU."""
    before, behind = re.search(r"\S*$", text[: found.start]), re.match(r"\S*", text[found.end :])
    start = found.start - len(before[0] if before else "")
    end = found.end + len(behind[0] if behind else "")
    return text[start:end].strip(_EDGES)


def _sentences(text: str) -> Iterator[_Span]:
    start = 0
    for mark in _SENTENCE_END.finditer(text):
        yield _Span(start, mark.end())
        start = mark.end()
    yield _Span(start, len(text))
