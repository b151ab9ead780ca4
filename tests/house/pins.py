"""How promised behaviours are pinned to the tests that hold them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parents[1]


@dataclass(frozen=True)
class Pin:
    """The test that holds a behaviour, with what it leaves open or decides otherwise."""

    test: str
    remark: str = ""


@dataclass(frozen=True)
class Promises:
    """The behaviours of one list: pinned to a test, or not yet held and why."""

    pinned: Mapping[str, Pin]
    not_yet: Mapping[str, str]

    @property
    def areas(self) -> Counter[str]:
        """How many there are of each area, the letters in front of the number."""
        return Counter(one.rstrip("-0123456789") for one in (*self.pinned, *self.not_yet))

    @property
    def doubled(self) -> set[str]:
        """Those that are called held and missing at once."""
        return set(self.pinned) & set(self.not_yet)

    @property
    def orphans(self) -> list[str]:
        """The tests that are named and do not exist."""
        existing = names_of_tests()
        return [pin.test for pin in self.pinned.values() if pin.test not in existing]


def names_of_tests() -> set[str]:
    """The names of all test functions there are."""
    sources = (path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    return {name for text in sources for name in re.findall(r"def (test_\w+)\(", text)}
