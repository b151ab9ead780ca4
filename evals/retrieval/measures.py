"""What is measured: found, found first, in good order, and silent where nothing answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evals.retrieval.agencies import Graded

# Of an agency's development questions without an answer, at most this share may get something said.
# None: what is said is offered as the procedure to work by, and a wrong one is worse than none.
NOISE = 0.0
_ALL = -1.0


@dataclass(frozen=True)
class Answer:
    """What a system returns: titles with their scores, best first, and which one is sure."""

    ranked: tuple[tuple[str, float], ...] = ()
    sure: str | None = None

    @property
    def best(self) -> float:
        """The first one's score; 0 if there is none."""
        return self.ranked[0][1] if self.ranked else 0.0


@dataclass(frozen=True)
class Figures:
    """Means over the questions that have an answer; `noise` is over those that have none."""

    recall: float
    mrr: float
    ndcg: float
    noise: float

    @property
    def line(self) -> str:
        """The figures as one printed line."""
        return (
            f"recall@3={self.recall:.3f} mrr={self.mrr:.3f}"
            f" ndcg@10={self.ndcg:.3f} fp={self.noise:.3f}"
        )


def measure(
    questions: Sequence[Graded], answers: Sequence[Answer], threshold: float = _ALL
) -> Figures:
    """Judge the answers; below the threshold a system says nothing, and what is not said is lost.

    What is sure is said whatever its score.
    """
    inside: list[tuple[Graded, list[str]]] = []
    noise: list[bool] = []
    for question, answer in zip(questions, answers, strict=True):
        is_said = bool(answer.ranked) and (answer.best >= threshold or answer.sure is not None)
        if question.is_outside:
            noise.append(is_said)
        else:
            names = [name for name, _ in answer.ranked] if is_said else []
            inside.append((question, names))
    return Figures(
        recall=_mean([_recall(q, names) for q, names in inside]),
        mrr=_mean([_reciprocal(q, names) for q, names in inside]),
        ndcg=_mean([_ndcg(q, names) for q, names in inside]),
        noise=_mean([float(one) for one in noise]),
    )


def sure_and_wrong(
    questions: Sequence[Graded], answers: Sequence[Answer]
) -> tuple[int, list[Graded]]:
    """Return how many answers are sure, and the questions whose sure answer is none of theirs."""
    sure = [(q, a.sure) for q, a in zip(questions, answers, strict=True) if a.sure is not None]
    return len(sure), [question for question, title in sure if title not in question.wanted]


def threshold_of(
    agencies: Sequence[tuple[Sequence[Graded], Sequence[Answer]]], noise: float = NOISE
) -> float:
    """Return the lowest score at which a system is silent often enough at each agency.

    It is the score with the highest recall that keeps to the limit.
    """
    scores = {answer.best for _, answers in agencies for answer in answers if answer.ranked}
    outside = [_outside(*agency) for agency in agencies]
    silent = (
        one
        for one in sorted(scores)
        if all(_mean([float(said >= one) for said in scored]) <= noise for scored in outside)
    )
    return next(silent, math.inf)


def _outside(questions: Sequence[Graded], answers: Sequence[Answer]) -> list[float]:
    """Return the score of what could be said to each question without an answer."""
    return [
        math.inf if answer.sure is not None else answer.best if answer.ranked else -math.inf
        for question, answer in zip(questions, answers, strict=True)
        if question.is_outside
    ]


def _recall(question: Graded, names: list[str]) -> float:
    return len(question.wanted & set(names[:3])) / min(3, len(question.wanted))


def _reciprocal(question: Graded, names: list[str]) -> float:
    return next((1 / at for at, name in enumerate(names, 1) if name in question.wanted), 0.0)


def _ndcg(question: Graded, names: list[str]) -> float:
    gained = _gain([question.grades.get(name, 0) for name in names[:10]])
    return gained / _gain(sorted(question.grades.values(), reverse=True)[:10])


def _gain(grades: list[int]) -> float:
    return sum((2**grade - 1) / math.log2(at + 1) for at, grade in enumerate(grades, 1))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
