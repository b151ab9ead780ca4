"""`make retrieval`: every system on two agencies; peers get their thresholds by one rule.

`export DIR` writes what a model would read, `record DIR` takes somebody's choices.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agencyclaw.domain.sops import OFFERED_FROM
from evals.databases import Cluster, running_cluster
from evals.retrieval import reader
from evals.retrieval.agencies import (
    DEVELOPMENT,
    ECOMMERCE,
    RENTALS,
    Graded,
    checksum,
    filled,
    has_questions,
    procedures_of,
    questions_of,
)
from evals.retrieval.measures import (
    NOISE,
    Answer,
    measure,
    sure_and_wrong,
    threshold_of,
)
from evals.retrieval.systems import OURS, systems

AGENCIES = (ECOMMERCE, RENTALS)
# The rule's limit, and others, to show what depends on it.
LIMITS = (NOISE, 0.02, 0.06, 0.1, 0.15)
Answers = Mapping[str, Mapping[str, Sequence[Answer]]]
Judged = tuple[Sequence[Graded], Sequence[Answer]]


@dataclass(frozen=True)
class Chosen:
    """The variant that stands for a system, and below which score it says nothing.

    `alone` has the threshold that each agency would have by its own development questions.
    """

    variant: str
    threshold: float
    alone: Mapping[str, float]


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


def _choose(asked: Mapping[str, Answers], system: str, noise: float = NOISE) -> Chosen:
    """Return the variant with the highest recall, each with its threshold for this noise."""
    variants = next(iter(asked.values()))[system]
    tried = {name: _by_agency({of: asked[of][system][name] for of in asked}) for name in variants}
    cuts = {name: threshold_of([*agencies.values()], noise) for name, agencies in tried.items()}

    def found(name: str) -> tuple[float, float]:
        figures = [measure(*agency, cuts[name]) for agency in tried[name].values()]
        return sum(one.recall for one in figures), sum(one.ndcg for one in figures)

    best = max(cuts, key=found)
    alone = {of: threshold_of([agency], noise) for of, agency in tried[best].items()}
    return Chosen(best, cuts[best], alone)


def _by_agency(answers: Mapping[str, Sequence[Answer]]) -> dict[str, Judged]:
    """Return the development questions of each agency with a system's answers."""
    found: dict[str, tuple[list[Graded], list[Answer]]] = {}
    for name, agency in DEVELOPMENT.items():
        questions, given = found.setdefault(agency, ([], []))
        questions += questions_of(name)
        given += answers[name]
    return dict(found)


async def _measure(*, show: bool) -> None:
    async with running_cluster("") as cluster:
        tried = {
            name: await _ask(cluster, agency, questions_of(name))
            for name, agency in DEVELOPMENT.items()
        }
        for limit in LIMITS:
            _compare(tried, limit)
        chosen = {system: _choose(tried, system) for system in tried["dev"]}
        print(
            f"in production nothing is offered below {OFFERED_FROM};"
            f" by the rule: {chosen[OURS].threshold:.4f}"
        )
        chosen[OURS] = replace(chosen[OURS], threshold=OFFERED_FROM)
        for name, asked in tried.items():
            _report(name, DEVELOPMENT[name], questions_of(name), asked, chosen)
            if show:
                _show(questions_of(name), asked[OURS][chosen[OURS].variant])
        for agency in AGENCIES:
            await _judge(cluster, agency, chosen)


async def _judge(cluster: Cluster, agency: str, chosen: Mapping[str, Chosen]) -> None:
    """Print what an agency's held-out questions say, if there are any."""
    if not has_questions(agency):
        print(f"{agency}: no held-out questions; they are written when the ranking is finished")
        return
    questions = questions_of(agency)
    outside = sum(one.is_outside for one in questions)
    print(f"{agency}: n={len(questions)}, {outside} without an answer; {checksum(agency)}")
    _report(agency, agency, questions, await _ask(cluster, agency, questions), chosen)
    print(await reader.line(cluster, agency, questions))


def _compare(tried: Mapping[str, Answers], limit: float) -> None:
    """Print what each system finds of the development questions under a limit of noise."""
    print(f"development, fp at most {limit:.2f} at each agency (recall@3, ndcg@10, fp):")
    for system in tried["dev"]:
        one = _choose(tried, system, limit)
        answers = {of: tried[of][system][one.variant] for of in tried}
        figures = {of: measure(*a, one.threshold) for of, a in _by_agency(answers).items()}
        line = "; ".join(
            f"{of} {f.recall:.3f}, {f.ndcg:.3f}, {f.noise:.3f}" for of, f in figures.items()
        )
        print(f"  {system} ({one.variant}, from {one.threshold:.4g}): {line}")


def _report(
    name: str,
    agency: str,
    questions: Sequence[Graded],
    asked: Answers,
    chosen: Mapping[str, Chosen],
) -> None:
    for system, one in chosen.items():
        answers = asked[system][one.variant]
        figures = measure(questions, answers, one.threshold)
        sure, wrong = sure_and_wrong(questions, answers)
        print(f"retrieval {name} {system}: {figures.line} sure_wrong={len(wrong)}")
        shown = measure(questions, answers)
        alone = measure(questions, answers, one.alone[agency])
        print(
            f"  {one.variant}, from {one.threshold:.4g} on; {sure} sure; of all that it ranks:"
            f" recall@3={shown.recall:.3f} ndcg@10={shown.ndcg:.3f}; with a threshold for this"
            f" agency alone: {alone.line}"
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
    if options.action in ("export", "record") and not options.folder:
        parser.error(f"{options.action} needs a folder")
    match options.action:
        case "export":
            asyncio.run(
                reader.export(options.folder, [one for one in AGENCIES if has_questions(one)])
            )
        case "record":
            reader.record(options.folder, AGENCIES)
        case _:
            asyncio.run(_measure(show=options.show))


if __name__ == "__main__":
    main()
