"""`make retrieval`: every system on the held-out questions, tuned on the development half alone."""

from __future__ import annotations

import argparse
import asyncio

from agencyclaw.knowledge.ranking import RANKER
from agencyclaw.store.scratch import Content, running_cluster
from evals.retrieval.measures import Ranked, best_threshold, crossed, curve, measure
from evals.retrieval.questions import Graded, checksum, is_there, read_half
from evals.retrieval.systems import System, systems

FOLDS = 5
NOISE = (0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2)


async def _ask(system: System, questions: list[Graded]) -> dict[str, list[Ranked]]:
    return {
        name: [await answer(question.text) for question in questions]
        for name, answer in system.variants.items()
    }


async def _ask_again(system: System, questions: list[Graded]) -> dict[str, Ranked]:
    """Ask what has no answer once more, where a list of subjects knew these very questions.

    The others would answer the same again, and their threshold would stay where it is.
    """
    if system.unguarded is None:
        return {}
    return {one.id: await system.unguarded(one.text) for one in questions if one.is_outside}


async def _run(half: str, *, show: bool) -> None:
    dev, judged = read_half("dev"), read_half(half)
    outside = sum(one.is_outside for one in judged)
    print(f"sha256 of the {half} half: {checksum(half)}")
    print(f"judged on the {half} half: n={len(judged)}, of which {outside} have no answer")
    async with running_cluster("") as cluster, cluster.database(Content.AGENCY) as db:
        for system in await systems(db):
            tried, again = await _ask(system, dev), await _ask_again(system, dev)
            twice = [*dev, *(one for one in dev if one.id in again)]
            cuts = {
                name: best_threshold(twice, [*answers, *again.values()])
                for name, answers in tried.items()
            }
            best = max(cuts, key=lambda n: measure(dev, tried[n], cuts[n]).objective)
            answers = (await _ask(system, judged))[best]
            figures = measure(judged, answers, cuts[best])
            print(f"retrieval {system.name}: {figures.line}")
            print(f"  variant: {best}; says nothing below {cuts[best]:.4g}")
            if half == "dev":
                _generalise(dev, tried[best], again)
            if system.name == "agencyclaw":
                _compare_floor(cuts[best])
                if show:
                    _show(dev, tried[best], cuts[best])


def _generalise(dev: list[Graded], answers: list[Ranked], again: dict[str, Ranked]) -> None:
    """Print what is left where each fifth is judged by a threshold from the other four."""
    print(f"  {FOLDS} folds: {crossed(dev, answers, FOLDS, again).line}")
    points = " ".join(f"{one.fp:.3f}:{one.recall:.3f}" for one in curve(dev, answers, NOISE))
    print(f"  recall@3 by fp: {points}")


def _compare_floor(cut: float) -> None:
    floor = RANKER.tuning.floor
    print(f"  in production it says nothing below {floor} (tuned here: {cut:.4f})")


def _show(questions: list[Graded], answers: list[Ranked], cut: float) -> None:
    """Print what went wrong on the development half; the other half is never printed."""
    for question, ranked in zip(questions, answers, strict=True):
        top = [(name, score) for name, score in ranked[:3]]
        said = bool(top) and top[0][1] >= cut
        right = said and top[0][0] in question.wanted if question.grades else not said
        if not right:
            print(
                f"    {question.id} {question.kind}: {question.text[:80]} {question.grades} {top}"
            )


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(prog="evals.retrieval", description=__doc__)
    parser.add_argument("--half", choices=("dev", "held-out"), default="held-out")
    parser.add_argument("--show", action="store_true", help="print the misses of the dev half")
    options = parser.parse_args()
    if not is_there(options.half):
        parser.exit(2, 'There is no held-out half here. Try ARGS="--half dev".\n')
    asyncio.run(_run(options.half, show=options.show))


if __name__ == "__main__":
    main()
