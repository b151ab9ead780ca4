"""Earlier tasks that look like a new one."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.search_keys import telling, words_of

LONG_WORD = 5


def similar_tasks(prior: Sequence[PriorTask], text: str, *, limit: int) -> tuple[PriorTask, ...]:
    """Return earlier tasks that share telling words with a text, most words first, then newest.

    One long word or two short ones are enough; "add it for the client" resembles nothing.
    """
    wanted = frozenset(words_of(telling(text)))
    scored = [(_shared(task.title, wanted), task) for task in prior]
    found = [(words, task) for words, task in scored if _is_telling(words)]
    found.sort(key=lambda pair: (-len(pair[0]), -pair[1].created_at.timestamp(), str(pair[1].id)))
    return tuple(task for _, task in found[:limit])


def _shared(title: str, wanted: frozenset[str]) -> frozenset[str]:
    return wanted & frozenset(words_of(telling(title)))


def _is_telling(words: frozenset[str]) -> bool:
    return len(words) >= 2 or any(len(word) >= LONG_WORD for word in words)
