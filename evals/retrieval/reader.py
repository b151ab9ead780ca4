"""What somebody chooses who reads what the model would see: question, hits, titles of the rest.

A reader sees no gold and answers each question with one title or "none". What was seen is kept as
a hash beside each choice, so that a choice counts only for the text it was made on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from agencyclaw.domain.text import one_line
from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.tools.sops import MOST_HITS, other_titles, quoted
from evals.databases import Cluster, running_cluster
from evals.retrieval.agencies import HERE, Graded, filled, procedures_of, questions_of
from evals.yaml_files import read_yaml

# One sitting: of more questions every second, third, … is read.
MOST_QUESTIONS = 200
QUOTED = 200
NONE = "none"
_HEAD = """\
# Which procedure answers?

For each question below name the ONE procedure that answers it, by its exact title, or `none` where
no procedure of this agency answers it. Judge by reading. What stands under a question was found by
words alone and may be wrong: the right title may be any of the list. Write `answers.yaml` beside
this file, one line per question: `id: "Title"` or `id: none`.

## All titles, with their other names

{titles}

## Questions
"""


def sample(questions: Sequence[Graded]) -> list[Graded]:
    """Return the questions that are read, mixed: their order in the file follows the procedures."""
    step = -(-len(questions) // MOST_QUESTIONS)
    return sorted(questions[::step], key=lambda one: hashlib.sha256(one.id.encode()).digest())


async def seen(db: Database, question: Graded) -> str:
    """Return what is read for a question beside the list of titles."""
    hits = await KnowledgeReader(db).find_sops(question.text, limit=MOST_HITS)
    found = quoted(tuple(hits), question.text)
    lines = [f"- {one.title} ({one.confidence}): {one_line(one.excerpt, QUOTED)}" for one in found]
    asked = "\n".join(f"> {line}" for line in question.text.splitlines())
    return "\n".join([f"### {question.id}", asked, "Found by words:", *(lines or ["- nothing"])])


async def titles(db: Database) -> str:
    """Return all titles as the model sees them, page after page."""
    names = await KnowledgeReader(db).sop_names()
    first, note = other_titles(names, ())
    pages = int(note.split(" of ")[1]) if note else 1
    lines = [*first, *(one for at in range(2, pages + 1) for one in other_titles(names, (), at)[0])]
    return "\n".join(f"- {line}" for line in lines)


async def export(folder: Path, agencies: Sequence[str]) -> None:
    """Write for each agency what a reader reads, and the hash of each piece."""
    async with running_cluster("") as cluster:
        for agency in agencies:
            found, head = await pieces(cluster, agency, questions_of(agency))
            place = folder / agency
            place.mkdir(parents=True, exist_ok=True)
            text = "\n\n".join([_HEAD.format(titles=head), *found.values()])
            (place / "seen.md").write_text(f"{text}\n", encoding="utf-8")
            hashes = {id: hash_of(head, piece) for id, piece in found.items()}
            (place / "hashes.yaml").write_text(yaml.safe_dump(hashes), encoding="utf-8")
            print(f"{place}: {len(found)} questions, {len(text):,} characters")


def record(folder: Path, agencies: Sequence[str]) -> None:
    """Keep a reader's choices with the hash of what was exported to them, and today's date."""
    for agency in agencies:
        answers, hashes = folder / agency / "answers.yaml", folder / agency / "hashes.yaml"
        if answers.exists():
            chosen: dict[str, Any] = read_yaml(answers)
            read: dict[str, str] = read_yaml(hashes)
            verdicts = {
                id: {"chosen": str(chosen[id] or NONE), "hash": hash}
                for id, hash in read.items()
                if id in chosen
            }
            kept = {"date": date.today().isoformat(), "verdicts": verdicts}
            _file(agency).write_text(
                yaml.safe_dump(kept, allow_unicode=True, sort_keys=True), encoding="utf-8"
            )
            print(f"{_file(agency)}: {len(verdicts)} of {len(read)}")


async def line(cluster: Cluster, agency: str, questions: Sequence[Graded]) -> str:
    """Return how often the recorded reader chose right, judged on what is seen today."""
    if not _file(agency).exists():
        return f"retrieval {agency} reader: not recorded"
    kept: dict[str, Any] = read_yaml(_file(agency))
    found, head = await pieces(cluster, agency, questions)
    hashes = {id: hash_of(head, piece) for id, piece in found.items()}
    return judged(agency, sample(questions), hashes, kept)


def judged(
    agency: str, questions: Sequence[Graded], hashes: dict[str, str], kept: dict[str, Any]
) -> str:
    """Return the line: a question without a verdict, or with one on another text, is failed."""
    verdicts: dict[str, dict[str, str]] = kept["verdicts"]
    stale = [q for q in questions if verdicts.get(q.id, {}).get("hash") != hashes[q.id]]
    right = {q.id for q in questions if q not in stale and _is_right(q, verdicts[q.id]["chosen"])}
    inside = [q for q in questions if not q.is_outside]
    outside = [q for q in questions if q.is_outside]
    return (
        f"retrieval {agency} reader: chosen@1={_share(inside, right)}"
        f" none@none={_share(outside, right)} n={len(questions)} stale={len(stale)}"
        f" read on {kept['date']}"
    )


def hash_of(head: str, piece: str) -> str:
    """Return the hash of all that is read for a question."""
    return hashlib.sha256(f"{head}\n{piece}".encode()).hexdigest()[:16]


async def pieces(
    cluster: Cluster, agency: str, questions: Sequence[Graded]
) -> tuple[dict[str, str], str]:
    """Return what is read for each question by its id, and the list of all titles."""
    async with filled(cluster, procedures_of(agency)) as db:
        return {one.id: await seen(db, one) for one in sample(questions)}, await titles(db)


def _is_right(question: Graded, chosen: str) -> bool:
    return chosen == NONE if question.is_outside else chosen in question.wanted


def _share(questions: Sequence[Graded], right: set[str]) -> str:
    return f"{sum(q.id in right for q in questions) / len(questions):.3f}" if questions else "-"


def _file(agency: str) -> Path:
    return HERE / f"reader_{agency}.yaml"
