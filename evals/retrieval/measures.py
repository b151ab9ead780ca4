"""What is measured: found, found first, in good order, and silent where nothing answers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evals.retrieval.questions import Graded

Ranked = list[tuple[str, float]]


@dataclass(frozen=True)
class Figures:
    """Means over the questions that have an answer; `fp` over those that have none."""

    recall: float
    mrr: float
    ndcg: float
    fp: float

    @property
    def line(self) -> str:
        return (
            f"recall@3={self.recall:.3f} mrr={self.mrr:.3f}"
            f" ndcg@10={self.ndcg:.3f} fp={self.fp:.3f}"
        )

    @property
    def objective(self) -> float:
        """What thresholds are tuned for: good order and silence count the same."""
        return (self.ndcg + 1 - self.fp) / 2


def measure(questions: Sequence[Graded], answers: Sequence[Ranked], threshold: float) -> Figures:
    """Judge the answers; a system says nothing where its best score is below the threshold."""
    inside: list[tuple[Graded, list[str]]] = []
    noise: list[bool] = []
    for question, ranked in zip(questions, answers, strict=True):
        is_said = bool(ranked) and ranked[0][1] >= threshold
        if question.is_outside:
            noise.append(is_said)
        else:
            inside.append((question, [name for name, _ in ranked] if is_said else []))
    return Figures(
        recall=_mean([_recall(q, names) for q, names in inside]),
        mrr=_mean([_reciprocal(q, names) for q, names in inside]),
        ndcg=_mean([_ndcg(q, names) for q, names in inside]),
        fp=_mean([float(one) for one in noise]),
    )


def best_threshold(questions: Sequence[Graded], answers: Sequence[Ranked]) -> float:
    """Return the threshold with the best objective, half way between two scores that occur."""
    tops = sorted({ranked[0][1] for ranked in answers if ranked})
    between = [(low + high) / 2 for low, high in pairwise(tops)]
    tried = [tops[0] / 2 if tops else 0.0, *between]
    return max(tried, key=lambda t: (measure(questions, answers, t).objective, -t))


def crossed(
    questions: Sequence[Graded],
    answers: Sequence[Ranked],
    folds: int,
    again: Mapping[str, Ranked],
) -> Figures:
    """Judge every question by a threshold that was tuned without it and its fold.

    `again` has second answers by a question's id: they help to tune and are not judged.
    """
    kept: list[Ranked] = [[] for _ in answers]
    for fold in range(folds):
        others = [at for at in range(len(questions)) if at % folds != fold]
        twice = [at for at in others if questions[at].id in again]
        cut = best_threshold(
            [questions[at] for at in (*others, *twice)],
            [*(answers[at] for at in others), *(again[questions[at].id] for at in twice)],
        )
        for at in range(fold, len(questions), folds):
            kept[at] = answers[at] if answers[at] and answers[at][0][1] >= cut else []
    return measure(questions, kept, 0.0)


def curve(
    questions: Sequence[Graded], answers: Sequence[Ranked], noise: Sequence[float]
) -> list[Figures]:
    """Return the most that is found at each share of noise, by the threshold alone."""
    tops = sorted({ranked[0][1] for ranked in answers if ranked})
    figures = [measure(questions, answers, top) for top in tops]
    return [max((f for f in figures if f.fp <= most), key=lambda f: f.recall) for most in noise]


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
