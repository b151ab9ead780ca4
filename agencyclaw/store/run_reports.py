"""Reads runs for engineers: who asked what, what was called, what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from agencyclaw.domain.people import Value, stored_as
from agencyclaw.store.conversation_tables import AgentRun, TokenUsage
from agencyclaw.store.engine import Database
from agencyclaw.store.person_names import FULL_NAME

_NEWEST = f"""
select r.id, r.started_at, r.status, r.parent_run_id, {FULL_NAME} as person,
  coalesce(r.input_payload ->> 'question', s.payload ->> 'text') as request,
  count(u.id) as requests, coalesce(sum(u.total_tokens), 0) as tokens
from agent_runs r
left join agent_runs parent on parent.id = r.parent_run_id
left join profiles p on p.id = r.actor_profile_id
left join slack_event_receipts s on s.id = r.receipt_id
left join ai_token_usage u on u.run_id = r.id
where $2 = '' or strpos(lower(concat_ws(' ', r.id, {FULL_NAME}, r.input_payload ->> 'question',
  s.payload ->> 'text', r.output_payload ->> 'text')), lower($2)) > 0
group by r.id, parent.id, p.id, s.payload
order by coalesce(parent.started_at, r.started_at) desc, coalesce(parent.id, r.id),
  parent.id is not null, r.started_at
limit $1
"""  # noqa: S608

_RUN = f"""
select r.*, {FULL_NAME} as person,
  coalesce(r.input_payload ->> 'question', s.payload ->> 'text') as request
from agent_runs r
left join profiles p on p.id = r.actor_profile_id
left join slack_event_receipts s on s.id = r.receipt_id
where starts_with(r.id::text, $1) limit 2
"""  # noqa: S608

_EVENTS = """
select event_type, skill_id, tool_call_id, payload, created_at from agent_skill_events
where run_id = $1 order by created_at, event_type
"""

_PROPOSALS = """
select state, skill_id, entity, result ->> 'url' as url, arguments from proposals
where run_id = $1 order by ordinal
"""

_CHILDREN = """
select id, status, input_payload ->> 'question' as request from agent_runs
where parent_run_id = $1 order by started_at
"""

_FEEDBACK = f"""
select f.rating, f.comment, f.rated_at, {FULL_NAME} as person from answer_feedback f
left join profiles p on p.id = f.profile_id where f.run_id = $1 order by f.rated_at
"""  # noqa: S608

_USAGE = "select * from ai_token_usage where run_id = $1 order by id"


class RunSummary(Value):
    """A run as one line of the list; `request` is the person's message, or a sub-agent's task.

    As JSON it is `said`, as in earlier versions.
    """

    id: UUID
    started_at: datetime
    status: str
    parent_run_id: UUID | None
    person: str | None
    request: str | None = stored_as("said")
    requests: int
    tokens: int


class RunRequest(Value):
    """What a run was asked, and by whom."""

    person: str | None
    request: str | None = stored_as("said")


class RunEvent(Value):
    """A tool call or its result."""

    event_type: str
    skill_id: str
    tool_call_id: str | None
    payload: dict[str, Any]
    created_at: datetime


class RunProposal(Value):
    """A proposal of a run, and the address of what came of it."""

    state: str
    skill_id: str
    entity: str | None
    url: str | None
    arguments: dict[str, Any]


class SubRunSummary(Value):
    """A sub-agent's run."""

    id: UUID
    status: str
    request: str | None = stored_as("said")


class RunRating(Value):
    """What a person thought of a run's answer."""

    rating: str
    comment: str
    rated_at: datetime
    person: str | None


@dataclass(frozen=True)
class RunReport:
    """One run with everything stored about it."""

    run: AgentRun
    asked: RunRequest
    events: list[RunEvent]
    proposals: list[RunProposal]
    usage: list[TokenUsage]
    children: list[SubRunSummary]
    feedback: list[RunRating]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        lists = ("events", "proposals", "usage", "children", "feedback")
        parts = {name: [one.model_dump() for one in getattr(self, name)] for name in lists}
        return {"run": self.run.model_dump() | self.asked.model_dump(), **parts}


async def newest_runs(db: Database, *, limit: int, containing: str = "") -> list[RunSummary]:
    """Return the newest runs, each followed by its sub-agents' runs.

    `containing` is looked for in ids, names, requests and answers.
    """
    return [RunSummary(**row) for row in await db.pool.fetch(_NEWEST, limit, containing)]


async def read_run(db: Database, prefix: str) -> RunReport | None:
    """Return the run whose id starts with `prefix`; None if no run or several do."""
    rows = await db.pool.fetch(_RUN, prefix.lower())
    if len(rows) != 1:
        return None
    row, pool = rows[0], db.pool
    run = AgentRun(**{name: row[name] for name in AgentRun.model_fields})
    return RunReport(
        run=run,
        asked=RunRequest(person=row["person"], request=row["request"]),
        events=[RunEvent(**row) for row in await pool.fetch(_EVENTS, run.id)],
        proposals=[RunProposal(**row) for row in await pool.fetch(_PROPOSALS, run.id)],
        usage=[TokenUsage(**row) for row in await pool.fetch(_USAGE, run.id)],
        children=[SubRunSummary(**row) for row in await pool.fetch(_CHILDREN, run.id)],
        feedback=[RunRating(**row) for row in await pool.fetch(_FEEDBACK, run.id)],
    )
