"""Says what an interrupted run was doing, and what had worked."""

from __future__ import annotations

from agencyclaw.agents.policies.progress import title_of
from agencyclaw.conversation import fixed_texts
from agencyclaw.domain.people import ScopeKind
from agencyclaw.store.engine import Executor
from agencyclaw.store.interrupted_runs import JournalledCall, LeftOff, where_left_off

_LISTED_AT_MOST = 3


async def with_last_steps(
    conn: Executor, receipt_id: int, text: str, *, refers: bool = False
) -> str:
    """Return a sentence extended by what the message's last run did; `refers` adds its id."""
    run = await where_left_off(conn, receipt_id)
    if run is None:
        return text
    titles = [_title(run, call) for call in run.calls]
    last = next(filter(None, reversed(titles)), "")
    lines = [text + fixed_texts.while_doing(last)]
    worked = (_title(run, call) for call in run.calls if _has_worked(call))
    if steps := list(dict.fromkeys(filter(None, worked))):
        lines.append(fixed_texts.what_was_found("; ".join(steps[-_LISTED_AT_MOST:])))
    if refers:
        lines.append(fixed_texts.reference(run.run_id))
    return "\n".join(lines)


async def steps_of(conn: Executor, receipt_id: int) -> tuple[int, str]:
    """Return how many steps a message's last run has taken, and the last one's title."""
    run = await where_left_off(conn, receipt_id)
    titles = list(filter(None, (_title(run, call) for call in run.calls))) if run else []
    return len(titles), titles[-1] if titles else ""


def _title(run: LeftOff, call: JournalledCall) -> str:
    """Return a call's title; where others read along it names no client."""
    return title_of(call.tool, call.args if run.scope == ScopeKind.INTERNAL.value else {})


def _has_worked(call: JournalledCall) -> bool:
    return call.result is not None and call.result.get("kind") != "refusal"
