"""Reads runs for engineers: who asked what, what was called, what it cost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agencyclaw.store.engine import Database

_BEGINNING = re.compile(r"[0-9a-fA-F-]{1,36}")

_NEWEST = """
select r.id, r.started_at, r.status, r.parent_run_id, p.full_name as person,
  coalesce(r.input_payload ->> 'question', s.payload ->> 'text') as said,
  count(u.id) as requests, coalesce(sum(u.total_tokens), 0) as tokens
from agent_runs r
left join agent_runs parent on parent.id = r.parent_run_id
left join profiles p on p.id = r.actor_profile_id
left join slack_event_receipts s on s.id = r.receipt_id
left join ai_token_usage u on u.run_id = r.id
group by r.id, parent.id, p.full_name, s.payload
order by coalesce(parent.started_at, r.started_at) desc, coalesce(parent.id, r.id),
  parent.id is not null, r.started_at
limit $1
"""

_RUN = """
select r.*, p.full_name as person,
  coalesce(r.input_payload ->> 'question', s.payload ->> 'text') as said
from agent_runs r
left join profiles p on p.id = r.actor_profile_id
left join slack_event_receipts s on s.id = r.receipt_id
where r.id::text like $1 || '%' limit 2
"""

_EVENTS = """
select event_type, skill_id, tool_call_id, payload, created_at from agent_skill_events
where run_id = $1 order by created_at, event_type
"""

_PROPOSALS = """
select state, skill_id, entity, result ->> 'url' as url, arguments from proposals
where run_id = $1 order by ordinal
"""

_CHILDREN = """
select id, status, input_payload ->> 'question' as said from agent_runs
where parent_run_id = $1 order by started_at
"""

_FEEDBACK = """
select f.rating, f.comment, f.rated_at, p.full_name as person from answer_feedback f
left join profiles p on p.id = f.profile_id where f.run_id = $1 order by f.rated_at
"""

_USAGE = "select * from ai_token_usage where run_id = $1 order by id"


@dataclass(frozen=True)
class RunReport:
    """One run with everything stored about it."""

    run: dict[str, Any]
    events: list[dict[str, Any]]
    proposals: list[dict[str, Any]]
    usage: list[dict[str, Any]]
    children: list[dict[str, Any]]
    feedback: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return dict(vars(self))


async def newest_runs(db: Database, *, limit: int) -> list[dict[str, Any]]:
    """Return the newest runs, each followed by its sub-agents' runs."""
    return [dict(row) for row in await db.pool.fetch(_NEWEST, limit)]


async def read_run(db: Database, prefix: str) -> RunReport | None:
    """Return the run whose id starts with `prefix`; None if no run or several do."""
    if not _BEGINNING.fullmatch(prefix):
        return None
    rows = await db.pool.fetch(_RUN, prefix.lower())
    if len(rows) != 1:
        return None
    run = dict(rows[0])
    return RunReport(
        run=run,
        events=[dict(row) for row in await db.pool.fetch(_EVENTS, run["id"])],
        proposals=[dict(row) for row in await db.pool.fetch(_PROPOSALS, run["id"])],
        usage=[dict(row) for row in await db.pool.fetch(_USAGE, run["id"])],
        children=[dict(row) for row in await db.pool.fetch(_CHILDREN, run["id"])],
        feedback=[dict(row) for row in await db.pool.fetch(_FEEDBACK, run["id"])],
    )
