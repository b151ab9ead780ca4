"""A line diff of two Markdown texts, with the heading above each changed line."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from rapidfuzz.distance import Prefix

from agencyclaw.domain.messages import message
from agencyclaw.domain.text import one_line

# How long a line may be, and how much stands before what is other in a longer one.
_LINE, _BEFORE = 200, 60
_MARKS = "#*_> \t"


class Difference(NamedTuple):
    """A line that was added or removed."""

    heading: str
    is_new: bool
    text: str

    @property
    def sentence(self) -> str:
        """The line as shown on a card."""
        return f"{'now' if self.is_new else 'before'}: {self.text}"


class _Line(NamedTuple):
    text: str
    heading: str


def differences(before: str, after: str, *, is_cut: bool = True) -> list[Difference]:
    """Return added and removed lines in the order of the newer text.

    Blank lines and indentation are ignored. A long line is cut around what is other in it, unless
    `is_cut` is False.
    """
    old, new = list(_lines(before)), list(_lines(after))
    matcher = SequenceMatcher(None, [line.text for line in old], [line.text for line in new])
    changed: list[Difference] = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            gone, come = old[old_start:old_end], new[new_start:new_end]
            for lines, others, is_new in ((gone, come, False), (come, gone, True)):
                known = sorted(_plain_line(other.text) for other in others)
                changed += [
                    _difference(line, known, is_new=is_new, is_cut=is_cut) for line in lines
                ]
    return changed


def _difference(line: _Line, others: Sequence[str], *, is_new: bool, is_cut: bool) -> Difference:
    """Return a line, cut around what is other in it than in the sorted `others`."""
    plain = _plain_line(line.text)
    if is_cut and len(plain) > _LINE and (start := _alike(plain, others) - _BEFORE) > 0:
        plain = f"…{plain[start:]}"
    text = one_line(plain, _LINE if is_cut else len(plain)) or message("differences.line_marks")
    return Difference(line.heading, is_new, text)


def _alike(text: str, others: Sequence[str]) -> int:
    """Return how many characters it begins with as one of the sorted `others` does.

    The one that shares most of them stands next to where the text would stand.
    """
    at = bisect(others, text)
    nearest = others[max(at - 1, 0) : at + 1]
    return max((Prefix.similarity(text, other) for other in nearest), default=0)


def _plain_line(line: str) -> str:
    """Return a line of Markdown without what marks it as a list item, heading, quote or code."""
    text = line.replace("```", "")
    is_rule = len(text) >= 3 and not text.strip("-")
    bullet, *items = text.split(maxsplit=1) or [""]
    if items and bullet in ("-", "*", "+"):
        text = items[0]
    return "" if is_rule else text.lstrip("#> \t")


def _lines(text: str) -> Iterator[_Line]:
    heading = ""
    for line in text.splitlines():
        plain = line.strip()
        if plain.startswith("#"):
            heading = one_line(plain.strip(_MARKS), 80)
        if plain:
            yield _Line(plain, heading)
