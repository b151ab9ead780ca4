"""Two agencies of different trades: their procedures, and questions graded by title.

The first agency's questions come in two halves, one to develop on and one held out; of the second
nothing may be developed on. Its procedures were frozen before its questions were written.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from agencyclaw.store.engine import Database
from agencyclaw.store.lanternfish import sop_rows
from agencyclaw.store.scratch import Cluster, Content

HERE = Path(__file__).parent
ECOMMERCE, RENTALS = "ecommerce", "rentals"
_FILES = {
    "dev": HERE / "dev.yaml",
    ECOMMERCE: HERE / "held_out.yaml",
    RENTALS: HERE / RENTALS / "questions.yaml",
}
_ADD = """
insert into playbook_sops (clickup_doc_id, clickup_page_id, name, category, aliases, content_md,
  version) values ('eval', $1, $1, $2, $3, $4, '1')
"""


@dataclass(frozen=True)
class Procedure:
    """A procedure as its agency wrote it."""

    title: str
    category: str
    aliases: tuple[str, ...]
    body: str


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


def procedures_of(agency: str) -> list[Procedure]:
    """Return an agency's procedures, in a stable order."""
    rows: list[Any] = (
        [{**row, "title": row["name"], "body": row["content_md"]} for row in sop_rows()]
        if agency == ECOMMERCE
        else _read(HERE / agency / "procedures.yaml")
    )
    found = [
        Procedure(row["title"], row["category"], tuple(row["aliases"] or ()), row["body"])
        for row in rows
    ]
    return sorted(found, key=lambda one: one.title)


def is_there(name: str) -> bool:
    """Return whether a set of questions has been written."""
    return _FILES[name].exists()


def questions_of(name: str) -> list[Graded]:
    """Return a set of questions: `dev`, or those that an agency is judged by."""
    rows = _read(_FILES[name])
    if name == RENTALS:
        return [
            Graded(row["id"], row["kind"], row["text"], dict.fromkeys(row["answers"] or (), 3))
            for row in rows
        ]
    titles = {one.category: one.title for one in procedures_of(ECOMMERCE)}
    return [
        Graded(row["id"], row["kind"], row["text"], _by_title(row["grades"] or {}, titles))
        for row in rows["questions"]
    ]


def _by_title(grades: dict[str, int], titles: dict[str, str]) -> dict[str, int]:
    return {titles[category]: grade for category, grade in grades.items()}


def checksum(name: str) -> str:
    """Return the sha256 of a set of questions."""
    return hashlib.sha256(_FILES[name].read_bytes()).hexdigest()


@asynccontextmanager
async def filled(cluster: Cluster, procedures: Sequence[Procedure]) -> AsyncGenerator[Database]:
    """Give a database that holds these procedures and nothing else."""
    async with cluster.database(Content.EMPTY) as db:
        for one in procedures:
            await db.pool.execute(_ADD, one.title, one.category, list(one.aliases), one.body)
        yield db


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))
