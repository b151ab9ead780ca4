"""Finds figures with the sign beside them, such as 20 % or $500; no word is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import category

from agencyclaw.domain.quotes import plain_number

# A number by itself: not within a word or id, and not a part of a date. Only ASCII letters count
# as a word around it, because some scripts write no spaces.
_PART = r"\dA-Za-z_"
_NUMBER = re.compile(
    rf"(?<![{_PART}.,/])(?<![{_PART}]-)\d+(?:[.,:/'’\u00a0\u202f-]\d+)*(?![{_PART}]|[.,]\d)"
)
# Joins two numbers: 5-10 %.
_JOINT = re.compile("[:/-]")
_SHARES = frozenset("%‰")
_SPACES = " \u00a0\u202f"


@dataclass(frozen=True)
class SignedFigure:
    """A figure without its grouping marks, and its sign."""

    digits: str
    sign: str


def signed_figures(text: str) -> dict[SignedFigure, str]:
    """Return the figures of a text that have a sign, each as it is first written."""
    figures: dict[SignedFigure, str] = {}
    for figure, written in _found(text):
        figures.setdefault(figure, written)
    return figures


def _found(text: str) -> Iterator[tuple[SignedFigure, str]]:
    for number in _NUMBER.finditer(text):
        start, end = number.span()
        if sign := _sign(text[end : end + 2]):
            end = text.index(sign, end) + 1
        elif sign := _sign(text[max(start - 2, 0) : start][::-1]):
            if sign in _SHARES:
                continue
            start = text.rindex(sign, 0, start)
        else:
            continue
        digits = "-".join(map(plain_number, _JOINT.split(number[0])))
        yield SignedFigure(digits, sign), text[start:end]


def _sign(beside: str) -> str:
    """Return a sign that stands at once or after one space."""
    char = beside.lstrip(_SPACES)[:1]
    return char if char in _SHARES or (char and category(char) == "Sc") else ""
