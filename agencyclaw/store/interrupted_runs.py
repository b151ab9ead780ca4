"""What an interrupted run had done, read from its journal."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from agencyclaw.store.engine import Executor

_LAST_RUN = """
select id, input_payload ->> 'scope' as scope from agent_runs
where receipt_id = $1 and parent_run_id is null order by started_at desc limit 1
"""

_CALLS = """
select c.skill_id, c.payload -> 'args' as args, r.payload -> 'result' as result
from agent_skill_events c
left join agent_skill_events r
  on r.run_id = c.run_id and r.tool_call_id = c.tool_call_id and r.event_type = 'skill_result'
where c.run_id = $1 and c.event_type = 'skill_call' order by c.created_at, c.tool_call_id
"""


@dataclass(frozen=True)
class JournalledCall:
    """A tool call; `result` is None if it failed or may not have ended."""

    tool: str
    args: dict[str, Any]
    result: dict[str, Any] | None


@dataclass(frozen=True)
class LeftOff:
    """Where a run was interrupted; `scope` is that of its place."""

    run_id: UUID
    scope: str
    calls: tuple[JournalledCall, ...]


async def where_left_off(conn: Executor, receipt_id: int) -> LeftOff | None:
    """Return where the last run of a message was interrupted; None if it had none."""
    run = await conn.fetchrow(_LAST_RUN, receipt_id)
    if run is None:
        return None
    rows = await conn.fetch(_CALLS, run["id"])
    calls = (
        JournalledCall(row["skill_id"], read_arguments(row["args"]) or {}, _plain(row["result"]))
        for row in rows
    )
    return LeftOff(run["id"], run["scope"] or "", tuple(calls))


def read_arguments(value: Any) -> dict[str, Any] | None:
    """Return a call's arguments, usually given as JSON; None if there are none."""
    if not isinstance(value, str):
        return _plain(value)
    try:
        return _plain(json.loads(value))
    except ValueError:
        return None


def _plain(value: Any) -> dict[str, Any] | None:
    return cast(dict[str, Any], value) if isinstance(value, dict) else None
