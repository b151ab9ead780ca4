"""Earlier tasks that look like a new one."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.names import plain_name
from agencyclaw.domain.runs import PriorTask

# How much of the shorter one of the two, in letters, has to stand in the other.
_ALIKE = 0.6


def similar_tasks(prior: Sequence[PriorTask], text: str, *, limit: int) -> tuple[PriorTask, ...]:
    """Return earlier tasks whose titles share most words with a text, the likest first."""
    said = frozenset(plain_name(text).split())
    scored = [(_share(task.title, said), task) for task in prior]
    found = [(share, task) for share, task in scored if share >= _ALIKE]
    found.sort(key=lambda pair: (-pair[0], -pair[1].created_at.timestamp(), str(pair[1].id)))
    return tuple(task for _, task in found[:limit])


def _share(title: str, said: frozenset[str]) -> float:
    words = frozenset(plain_name(title).split())
    letters = min(_letters(words), _letters(said))
    return _letters(words & said) / letters if letters else 0.0


def _letters(words: frozenset[str]) -> int:
    return sum(map(len, words))
