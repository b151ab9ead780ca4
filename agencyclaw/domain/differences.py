"""A line diff of two Markdown texts, with the heading above each changed line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from agencyclaw.domain.messages import message
from agencyclaw.domain.text import one_line

_LINE = 200
_MARKS = "#*_> \t"
_BULLET = re.compile(r"^[-*+]\s+|^-{3,}$")


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


def differences(before: str, after: str) -> list[Difference]:
    """Return added and removed lines in the order of the newer text; blank lines are ignored."""
    old, new = list(_lines(before)), list(_lines(after))
    matcher = SequenceMatcher(None, [line.text for line in old], [line.text for line in new])
    return [
        line
        for tag, low, high, start, end in matcher.get_opcodes()
        if tag != "equal"
        for line in (*_marked(old[low:high], is_new=False), *_marked(new[start:end], is_new=True))
    ]


def _marked(lines: Sequence[_Line], *, is_new: bool) -> Iterator[Difference]:
    for line in lines:
        plain = _BULLET.sub("", line.text.replace("```", "")).lstrip("#> \t")
        yield Difference(
            line.heading, is_new, one_line(plain, _LINE) or message("differences.line_marks")
        )


def _lines(text: str) -> Iterator[_Line]:
    heading = ""
    for line in text.splitlines():
        plain = line.strip()
        if plain.startswith("#"):
            heading = one_line(plain.strip(_MARKS), 80)
        if plain:
            yield _Line(plain, heading)
