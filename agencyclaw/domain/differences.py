"""A line diff of two Markdown texts, with the heading above each changed line."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from agencyclaw.domain.messages import message
from agencyclaw.domain.text import one_line

_LINE = 200
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


def differences(before: str, after: str) -> list[Difference]:
    """Return added and removed lines in the order of the newer text; blank lines are ignored."""
    old, new = list(_lines(before)), list(_lines(after))
    matcher = SequenceMatcher(None, [line.text for line in old], [line.text for line in new])
    changed: list[Difference] = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            changed += [_difference(line, is_new=False) for line in old[old_start:old_end]]
            changed += [_difference(line, is_new=True) for line in new[new_start:new_end]]
    return changed


def _difference(line: _Line, *, is_new: bool) -> Difference:
    text = one_line(_plain_line(line.text), _LINE) or message("differences.line_marks")
    return Difference(line.heading, is_new, text)


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
