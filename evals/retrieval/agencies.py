"""Two agencies of different trades: their procedures, and questions graded by title.

What may be developed on and what is held out are different files. The held-out questions are
written by somebody who has seen the procedures alone, when the ranking is finished. Once they are
looked at they are questions to develop on, and there are none until new ones are written.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agencyclaw.store.demo_agency import sop_rows
from agencyclaw.store.engine import Database
from evals.databases import Cluster, DatabaseContent
from evals.yaml_files import read_yaml

HERE = Path(__file__).parent
ECOMMERCE, RENTALS = "ecommerce", "rentals"
DEVELOPMENT = {
    "dev": ECOMMERCE,
    "dev-2": ECOMMERCE,
    "dev-3": ECOMMERCE,
    "dev-rentals": RENTALS,
    "dev-rentals-2": RENTALS,
}
_FILES = {
    "dev": HERE / "dev.yaml",
    "dev-2": HERE / "dev_2.yaml",
    "dev-3": HERE / "dev_3.yaml",
    "dev-rentals": HERE / RENTALS / "dev.yaml",
    "dev-rentals-2": HERE / RENTALS / "dev_2.yaml",
    ECOMMERCE: HERE / "held_out.yaml",
    RENTALS: HERE / RENTALS / "held_out.yaml",
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
        """Whether no procedure answers it."""
        return not self.grades

    @property
    def wanted(self) -> frozenset[str]:
        """The procedures that must be found: graded 2 or 3, or what there is."""
        best = {name for name, grade in self.grades.items() if grade >= 2}
        return frozenset(best or self.grades)


@cache
def procedures_of(agency: str) -> list[Procedure]:
    """Return an agency's procedures, in a stable order."""
    rows: list[Any] = (
        [{**row, "title": row["name"], "body": row["content_md"]} for row in sop_rows()]
        if agency == ECOMMERCE
        else read_yaml(HERE / agency / "procedures.yaml")
    )
    found = [
        Procedure(row["title"], row["category"], tuple(row["aliases"] or ()), row["body"])
        for row in rows
    ]
    return sorted(found, key=lambda one: one.title)


def questions_of(name: str) -> list[Graded]:
    """Return a set of questions: one to develop on, or those that an agency is judged by."""
    rows: list[Any] = read_yaml(_FILES[name])["questions"]
    return [
        _graded(row, row.get("grades") or dict.fromkeys(row.get("answers") or (), 3))
        for row in rows
    ]


def has_questions(name: str) -> bool:
    """Return whether such a set of questions is written."""
    return _FILES[name].exists()


def _graded(row: Any, grades: dict[str, int]) -> Graded:
    """Return a question; the first agency's answers are named by category, the other's by title."""
    titles = {one.category: one.title for one in procedures_of(ECOMMERCE)}
    by_title = {titles.get(name, name): grade for name, grade in grades.items()}
    return Graded(row["id"], row["kind"], row["text"], by_title)


def checksum(name: str) -> str:
    """Return the sha256 of a set of questions."""
    return hashlib.sha256(_FILES[name].read_bytes()).hexdigest()


@asynccontextmanager
async def filled(cluster: Cluster, procedures: Sequence[Procedure]) -> AsyncGenerator[Database]:
    """Yield a database that holds these procedures and nothing else."""
    async with cluster.database(DatabaseContent.EMPTY) as db:
        for one in procedures:
            await db.pool.execute(_ADD, one.title, one.category, list(one.aliases), one.body)
        yield db
