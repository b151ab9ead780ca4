"""The graded questions: one half to develop on, one held out and frozen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import yaml

HERE = Path(__file__).parent
HALVES = {"dev": HERE / "dev.yaml", "held-out": HERE / "held_out.yaml"}


@dataclass(frozen=True)
class Graded:
    """A question and how well each procedure answers it, 1 to 3; empty: none does."""

    id: str
    kind: str
    text: str
    grades: dict[str, int]

    @property
    def is_outside(self) -> bool:
        return not self.grades

    @property
    def wanted(self) -> frozenset[str]:
        """The procedures that must be found: graded 2 or 3, or what there is."""
        best = {name for name, grade in self.grades.items() if grade >= 2}
        return frozenset(best or self.grades)


def is_there(name: str) -> bool:
    """Return whether a half has been written."""
    return HALVES[name].exists()


def read_half(name: str) -> list[Graded]:
    """Return the questions of one half."""
    rows = yaml.safe_load(HALVES[name].read_text(encoding="utf-8"))["questions"]
    return [Graded(row["id"], row["kind"], row["text"], row["grades"] or {}) for row in rows]


def checksum(name: str) -> str:
    """Return the sha256 of a half's file."""
    return hashlib.sha256(HALVES[name].read_bytes()).hexdigest()
