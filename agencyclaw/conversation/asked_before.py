"""The tasks that a person asked for before and of which no card waits, as their calls tell them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from agencyclaw.agents.stored_parts import parts_of, results_of
from agencyclaw.domain.identifiers import find_identifiers
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_requests import AskedBefore
from agencyclaw.domain.text import folded
from agencyclaw.store.background import Background, PastRun
from agencyclaw.store.interrupted_runs import read_arguments

_CREATE = "create_task"
_CANCELLED = frozenset({ProposalState.CANCELLED, ProposalState.EXPIRED})


def tasks_asked_before(before: Background) -> tuple[AskedBefore, ...]:
    """Return the requests of this conversation that named products, the newest first.

    They ended in a question or a refusal, or their card was cancelled or has expired.
    """
    cancelled = {
        folded(one.effect.title)
        for one in before.proposals
        if one.state in _CANCELLED and isinstance(one.effect, CreateTask)
    }
    prepared: set[str] = set()
    found: list[AskedBefore] = []
    for run in reversed(before.runs):
        if not run.is_own:
            continue
        for arguments, is_prepared in reversed(list(_requests(run))):
            one = _asked(arguments)
            title = folded(one.title)
            if is_prepared and title not in cancelled:
                prepared.add(title)
            if one.identifiers and title not in prepared:
                found.append(one)
    return tuple(found)


def _requests(run: PastRun) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the arguments of a run's calls for a task, and whether each was prepared."""
    results = {part.get("tool_call_id"): part.get("content") for part in results_of(run.contents)}
    for part in parts_of(run.contents):
        if part.get("part_kind") == "tool-call" and part.get("tool_name") == _CREATE:
            result = results.get(part.get("tool_call_id"))
            fields = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
            yield read_arguments(part.get("args")) or {}, fields.get("kind") == "proposed"


def _asked(arguments: dict[str, Any]) -> AskedBefore:
    named = arguments.get("product_identifiers")
    listed = cast("list[Any]", named) if isinstance(named, list) else []
    words = "\n".join(str(arguments.get(name) or "") for name in ("title", "objective", "details"))
    return AskedBefore(
        title=str(arguments.get("title") or ""),
        identifiers=tuple(map(str, listed)) or find_identifiers(words),
    )
