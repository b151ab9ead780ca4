"""Cuts a text to what fits, at the end of a sentence if possible."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_SENTENCE_ENDS = re.compile(r"(?<=[.!?…])\s+|\n+")
_ANYWHERE = 64


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """Return the longest beginning of a text that fits: whole sentences, else whole words.

    If `fits` holds for a text, it must hold for its beginnings. Returns "" if none fits.
    """
    if fits(text):
        return text
    for ends in (_sentences(text), _words(text), range(0, len(text), _ANYWHERE)):
        if beginning := _longest(text, ends, fits):
            return beginning
    return ""


def _sentences(text: str) -> list[int]:
    return [match.start() for match in _SENTENCE_ENDS.finditer(text)]


def _words(text: str) -> list[int]:
    return [match.start() for match in re.finditer(r"\s+", text)]


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
