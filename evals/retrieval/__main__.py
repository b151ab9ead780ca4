"""`make retrieval`: every system on two agencies; thresholds from the dev questions of both.

`export DIR` writes what a model would read, `record DIR` takes somebody's choices.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agencyclaw.domain.sops import OFFERED_FROM
from agencyclaw.store.test_databases import Cluster, running_cluster
from evals.retrieval import reader
from evals.retrieval.agencies import (
    DEVELOPMENT,
    ECOMMERCE,
    RENTALS,
    Graded,
    checksum,
    filled,
    procedures_of,
    questions_of,
)
from evals.retrieval.measures import (
    Answer,
    measure,
    shared_threshold,
    sure_and_wrong,
    threshold_of,
)
from evals.retrieval.systems import OURS, systems

AGENCIES = (ECOMMERCE, RENTALS)
Answers = Mapping[str, Mapping[str, Sequence[Answer]]]


@dataclass(frozen=True)
class Chosen:
    """The variant that stands for a system, and below which score it says nothing."""

    variant: str
    threshold: float


async def _ask(cluster: Cluster, agency: str, questions: Sequence[Graded]) -> Answers:
    procedures = procedures_of(agency)
    async with filled(cluster, procedures) as db:
        return {
            system: {
                name: [await ask(question.text) for question in questions]
                for name, ask in variants.items()
            }
            for system, variants in systems(db, procedures).items()
        }


def _choose(system: str, asked: Mapping[str, Mapping[str, Sequence[Answer]]]) -> Chosen:
    """Return the variant that orders best while it is silent as often as everybody has to be."""
    variants = next(iter(asked.values()))
    tried = {name: _by_agency({of: asked[of][name] for of in asked}) for name in variants}
    cuts = {name: shared_threshold(agencies) for name, agencies in tried.items()}

    def ndcg(name: str) -> float:
        return sum(measure(*agency, cuts[name]).ndcg for agency in tried[name])

    best = max(cuts, key=ndcg)
    if system == OURS:
        print(
            f"in production nothing is offered below {OFFERED_FROM}; tuned here: {cuts[best]:.4f}"
        )
        return Chosen(best, OFFERED_FROM)
    return Chosen(best, cuts[best])


def _by_agency(
    answers: Mapping[str, Sequence[Answer]],
) -> list[tuple[list[Graded], list[Answer]]]:
    """Return the development questions of each agency with a system's answers."""
    found: dict[str, tuple[list[Graded], list[Answer]]] = {}
    for name, agency in DEVELOPMENT.items():
        questions, given = found.setdefault(agency, ([], []))
        questions += questions_of(name)
        given += answers[name]
    return list(found.values())


async def _measure(*, show: bool) -> None:
    async with running_cluster("") as cluster:
        tried = {
            name: await _ask(cluster, agency, questions_of(name))
            for name, agency in DEVELOPMENT.items()
        }
        chosen = {
            system: _choose(system, {name: tried[name][system] for name in tried})
            for system in tried["dev"]
        }
        for name, asked in tried.items():
            _report(name, questions_of(name), asked, chosen)
            if show:
                _show(questions_of(name), asked[OURS][chosen[OURS].variant])
        for agency in AGENCIES:
            questions = questions_of(agency)
            outside = sum(one.is_outside for one in questions)
            print(f"{agency}: n={len(questions)}, {outside} without an answer; {checksum(agency)}")
            _report(agency, questions, await _ask(cluster, agency, questions), chosen)
            print(await reader.line(cluster, agency, questions))


def _report(
    name: str, questions: Sequence[Graded], asked: Answers, chosen: Mapping[str, Chosen]
) -> None:
    ours = measure(questions, asked[OURS][chosen[OURS].variant], chosen[OURS].threshold)
    for system, (variant, threshold) in ((s, (c.variant, c.threshold)) for s, c in chosen.items()):
        answers = asked[system][variant]
        figures = measure(questions, answers, threshold)
        sure, wrong = sure_and_wrong(questions, answers)
        print(f"retrieval {name} {system}: {figures.line} sure_wrong={len(wrong)}")
        shown = measure(questions, answers)
        equal = measure(questions, answers, threshold_of(questions, answers, ours.noise))
        print(
            f"  {variant}, from {threshold:.4g} on; {sure} sure; of all that it ranks:"
            f" recall@3={shown.recall:.3f} ndcg@10={shown.ndcg:.3f}; at the fp of {OURS}:"
            f" recall@3={equal.recall:.3f} ndcg@10={equal.ndcg:.3f}"
        )


def _show(questions: Sequence[Graded], answers: Sequence[Answer]) -> None:
    """Print what goes wrong on the development questions; the others are never printed."""
    for question, answer in zip(questions, answers, strict=True):
        is_said = answer.best >= OFFERED_FROM or answer.sure is not None
        first = answer.ranked[0][0] if answer.ranked else ""
        is_right = first in question.wanted if question.grades else not is_said
        if not is_right:
            print(f"    {question.id} {question.kind}: {question.text[:80]} {answer.ranked[:3]}")


def main() -> None:
    """Read the command line and measure, export or record."""
    parser = argparse.ArgumentParser(prog="evals.retrieval", description=__doc__)
    parser.add_argument("--show", action="store_true", help="print the misses of the dev questions")
    parser.add_argument("action", nargs="?", choices=("measure", "export", "record"))
    parser.add_argument("folder", nargs="?", type=Path, help="where a reader's files lie")
    options = parser.parse_args()
    match options.action:
        case "export":
            asyncio.run(reader.export(options.folder, AGENCIES))
        case "record":
            reader.record(options.folder, AGENCIES)
        case _:
            asyncio.run(_measure(show=options.show))


if __name__ == "__main__":
    main()
