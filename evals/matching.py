"""Matches what was made to what was expected: in any order, and figures as whole ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

Made = TypeVar("Made")
Wanted = TypeVar("Wanted")


def assign(
    wanted: Sequence[Wanted], made: Sequence[Made], fits: Callable[[Made, Wanted], bool]
) -> dict[int, int]:
    """Return the position of what was made by the position of what was wanted.

    As many as possible get one each; where one fits several, it goes where no other one fits.
    """
    holders: dict[int, int] = {}

    def find(seeker: int, tried: set[int]) -> bool:
        """Give the seeker one that fits, if need be by finding its holder another one."""
        for at, one in enumerate(made):
            if at in tried or not fits(one, wanted[seeker]):
                continue
            tried.add(at)
            if at not in holders or find(holders[at], tried):
                holders[at] = seeker
                return True
        return False

    for seeker in range(len(wanted)):
        find(seeker, set())
    return {seeker: at for at, seeker in holders.items()}


def stands_in(text: str, words: str) -> bool:
    """Return whether words stand in a text; "7" does not in "17" or "7,000", nor "60 d" in "160 d".

    Other words may be parts of longer ones.
    """
    before = r"(?<!\d)(?<!\d[.,])" if words[:1].isdigit() else ""
    after = r"(?!\d)(?![.,]\d)" if words[-1:].isdigit() else ""
    return re.search(f"{before}{re.escape(words)}{after}", text) is not None
