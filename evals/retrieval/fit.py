"""`python -m evals.retrieval.fit`: the weights of `agencyclaw/knowledge/ranking.py`, fitted anew.

A logistic regression says whether the document that holds most of a question answers it. Outside
questions weigh as much as all others together. The list of subjects was written by people who had
read these questions, so each outside question counts half as it is and half with its subjects read
as plain words: what is fitted has to hold where a subject is one that nobody thought of.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from agencyclaw.domain.search import Candidate, Question, Shelf
from agencyclaw.knowledge.evidence import Evidence, Scales
from agencyclaw.knowledge.ranking import RANKER, Ranker, Signs, Tuning, signs
from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import SURE
from agencyclaw.store.scratch import Content, running_cluster
from agencyclaw.store.search import PROCEDURES, Search
from evals.retrieval.measures import Ranked, best_threshold, measure
from evals.retrieval.questions import Graded, read_half
from evals.retrieval.systems import LIMIT, UNGUARDED

FOLDS = 5
_FIRM = 0.3
_ROUNDS = 30
np: Any = numpy


class Look(NamedTuple):
    """A question read in one way, with what the store knew of it."""

    question: Question
    shelf: Shelf
    candidates: list[Candidate]


class Example(NamedTuple):
    """A question of the development half, its looks as it is read, and what it weighs."""

    graded: Graded
    looks: list[Look]
    weight: float


async def _look(search: Search, reader: Ranker, text: str) -> list[Look]:
    question = reader.read(text)
    shelf = await search.shelf(question)
    first = Look(question, shelf, await search.candidates(question, shelf))
    doubtful = reader.doubtful(question, shelf)
    near = await search.near_words([*doubtful.values()]) if doubtful else {}
    meant = reader.respelt(question, doubtful, near) if doubtful else None
    if not meant:
        return [first]
    again = await search.shelf(meant)
    return [first, Look(meant, again, await search.candidates(meant, again))]


async def examples(db: Database, half: Sequence[Graded]) -> list[Example]:
    """Return the questions as they are, then those without an answer once more, unguarded."""
    search = Search(db, PROCEDURES)
    outside = [one for one in half if one.is_outside]
    each = (len(half) - len(outside)) / max(len(outside), 1) / 2
    plain = [
        Example(one, await _look(search, RANKER, one.text), each if one.is_outside else 1.0)
        for one in half
    ]
    return plain + [Example(one, await _look(search, UNGUARDED, one.text), each) for one in outside]


def answer(looks: Sequence[Look], tuning: Tuning) -> tuple[Look, Ranked]:
    """Return which reading is used and what it finds, as the knowledge reader would."""
    ranker, used, ranked = Ranker(tuning._replace(floor=0.0)), looks[0], Ranked()
    for look in looks:
        names = {one.id: one.category for one in look.candidates}
        found = ranker.judge(*look)
        if found and (not ranked or ranked[0][1] < SURE):
            used, ranked = look, [(names[one.id], one.score) for one in found[:LIMIT]]
    return used, ranked


def _told(example: Example) -> tuple[Signs, bool] | None:
    """Return the signs of the document that holds most, and whether it is the right one."""
    used, _ = answer(example.looks, RANKER.tuning)
    scales = Scales(used.question, used.shelf, RANKER.tuning.weights)
    seen: list[tuple[Evidence, str]] = [
        (scales.evidence(one), one.category) for one in used.candidates
    ]
    seen.sort(key=lambda one: -one[0].held)
    if not seen or not seen[0][0].held:
        return None
    rival = seen[1][0].held if len(seen) > 1 else 0.0
    return signs(seen[0][0], rival), seen[0][1] in example.graded.wanted


def fit(given: Sequence[Example]) -> Tuning:
    """Return the tuning with the weights of these examples and the floor that suits them."""
    told = [(one, example.weight) for example in given if (one := _told(example))]
    rows = np.array([[1.0, *one] for (one, _), _ in told])
    right = np.array([float(is_right) for (_, is_right), _ in told])
    weights = np.array([weight for _, weight in told])
    found = np.zeros(rows.shape[1])
    firm = _FIRM * np.array([0.0] + [1.0] * (rows.shape[1] - 1))
    for _ in range(_ROUNDS):
        sure = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (weights * (right - sure)) - firm * found
        bend = (rows * (weights * sure * (1 - sure))[:, None]).T @ rows + np.diag(firm)
        found = found + np.linalg.solve(bend, slope)
    names = ("bias", *Signs._fields)
    fitted = {name: round(float(value), 2) for name, value in zip(names, found, strict=True)}
    tuning = RANKER.tuning._replace(**fitted)
    graded = [example.graded for example in given]
    answers = [answer(example.looks, tuning)[1] for example in given]
    return tuning._replace(floor=round(best_threshold(graded, answers), 4))


def _fold(given: list[Example], at: int) -> list[Ranked]:
    """Return what one fold's questions get by what was fitted without them."""
    ids = list(dict.fromkeys(one.graded.id for one in given))[at::FOLDS]
    tuning = fit([one for one in given if one.graded.id not in ids])
    found = [answer(one.looks, tuning)[1] if one.graded.id in ids else Ranked() for one in given]
    return [ranked if ranked and ranked[0][1] >= tuning.floor else [] for ranked in found]


def _report(given: list[Example], answers: list[Ranked], size: int) -> None:
    kinds = {"d and e": "de", "h": "h", "u": "u", "together": "dehu"}
    for name, initials in kinds.items():
        chosen = [at for at in range(size) if given[at].graded.id[0] in initials]
        figures = measure([given[at].graded for at in chosen], [answers[at] for at in chosen], 0)
        print(f"  {name}: n={len(chosen)} {figures.line}")
    bare = [example.graded for example in given[size:]]
    print(f"  without the list of subjects: fp={measure(bare, answers[size:], 0).fp:.3f}")


async def _run() -> None:
    half = read_half("dev")
    async with running_cluster("") as cluster, cluster.database(Content.AGENCY) as db:
        given = await examples(db, half)
    folds = [_fold(given, at) for at in range(FOLDS)]
    print(f"{FOLDS} folds, each by weights and a floor that were fitted without it:")
    _report(given, [max(ways, key=len) for ways in zip(*folds, strict=True)], len(half))
    tuning = fit(given)
    for name in ("floor", "bias", *Signs._fields):
        print(f"{name}: {getattr(tuning, name)} (in production: {getattr(RANKER.tuning, name)})")


def main() -> None:
    """Fit and print; nothing is written."""
    asyncio.run(_run())


if __name__ == "__main__":
    main()
