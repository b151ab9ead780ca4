"""Finds tasks by their titles: those similar to a new one, and those that words describe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from agencyclaw.domain.closeness import close_to, words_of
from agencyclaw.domain.names import plain_name
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.tasks import TaskRow

# The share of the shorter text, in letters, that the other one must contain.
_ALIKE = 0.6


class Titled(Protocol):
    """Something with names, its title first."""

    @property
    def names(self) -> tuple[str, ...]:
        """All its names."""
        ...


T = TypeVar("T", bound=Titled)


def similar_tasks(prior: Sequence[PriorTask], text: str, *, limit: int) -> tuple[PriorTask, ...]:
    """Return earlier tasks whose titles share most words with a text, the most similar first."""
    newest = sorted(prior, key=lambda task: (-task.created_at.timestamp(), str(task.id)))
    return _most_similar(newest, text, (), limit)


def similar_open_tasks(
    rows: Sequence[TaskRow], title: str, identifiers: Iterable[str], *, limit: int
) -> tuple[TaskRow, ...]:
    """Return open tasks with a similar title, or with one of its products in theirs."""
    by_id = sorted(rows, key=lambda row: row.id)
    return _most_similar(by_id, title, identifiers, limit)


def titled_like(text: str, tasks: Sequence[T]) -> list[T]:
    """Return the tasks whose titles have the words of a text or nearly so, the closest first.

    Equally close ones come in the order given.
    """
    titles = {at: dict.fromkeys(words_of(one.names[0]), 1.0) for at, one in enumerate(tasks)}
    return [tasks[at] for at in close_to(words_of(text), titles)]


def _most_similar(
    tasks: Sequence[T], text: str, identifiers: Iterable[str], limit: int
) -> tuple[T, ...]:
    """Return the most similar tasks; equally similar ones in the order given."""
    words, products = _words(text), frozenset(map(plain_name, identifiers))
    scored = [(_share(_words(task.names[0]), words, products), task) for task in tasks]
    similar = [(share, task) for share, task in scored if share >= _ALIKE]
    similar.sort(key=lambda pair: -pair[0])
    return tuple(task for _, task in similar[:limit])


def _share(words: frozenset[str], others: frozenset[str], products: frozenset[str]) -> float:
    if words & products:
        return 1.0
    letters = min(_letters(words), _letters(others))
    return _letters(words & others) / letters if letters else 0.0


def _words(text: str) -> frozenset[str]:
    return frozenset(plain_name(text).split())


def _letters(words: frozenset[str]) -> int:
    return sum(map(len, words))
