"""Exports a run's conversation up to it, turn by turn, and the agency's present rows."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic_core import to_jsonable_python
from sqlmodel import select

from agencyclaw.store import tables
from agencyclaw.store.catalogue import Row, role_rows
from agencyclaw.store.engine import Database
from agencyclaw.store.seed import agency_rows

_RECEIPTS = """
with acts as (
  select s.*, p.full_name as person, coalesce(p.timezone, 'UTC') as timezone,
    lead(s.received_at) over (order by s.received_at, s.id) as until
  from slack_event_receipts s
  left join lateral (select * from profiles where slack_user_id = s.slack_user_id limit 1) p on true
  where s.team_id = $1 and s.lane = $2 and s.id >= $3 and s.status = 'done'
)
select acts.*, run.id as run_id, run.status as run_status, run.input_payload,
  run.actor_profile_id
from acts
left join lateral (
  select * from agent_runs where receipt_id = acts.id and run_type = 'main'
  order by started_at desc limit 1
) run on true
where acts.id <= $4 order by acts.received_at, acts.id
"""
_FIRST = """
select s.team_id, s.lane, s.id as last, coalesce(
  (select min(receipt_id) from agent_runs where session_id = r.session_id), s.id) as first
from agent_runs r join slack_event_receipts s on s.id = r.receipt_id where r.id = $1
"""
_RESPONSES = """
select content from agent_messages where run_id = $1 and role = 'assistant' order by id
"""
_RESULTS = """
select skill_id, payload -> 'result' as result from agent_skill_events
where run_id = $1 and event_type = 'skill_result' order by created_at
"""
_CHILDREN = """
select r.input_payload ->> 'question' as question, r.status,
  array(select content from agent_messages m where m.run_id = r.id and role = 'assistant'
    order by m.id) as responses
from agent_runs r where parent_run_id = $1 order by started_at
"""
_POSTS = """
select kind, body, run_id from outbox
where team_id = $1 and channel_id = $2 and created_at >= $3
  and ($4::timestamptz is null or created_at < $4)
  and kind in ('answer', 'notice', 'ephemeral', 'card') order by seq
"""
_AUDIT = """
select event_type, reason from agent_events e
where e.created_at >= $1 and ($2::timestamptz is null or e.created_at < $2)
  and (e.run_id = $3 or e.proposal_id = any($4::uuid[])) order by created_at, event_type
"""
_FEEDBACK = """
select coalesce(p.full_name, f.slack_user_id) as by, f.rating, f.comment,
  s.payload ->> 'text' as said
from answer_feedback f join agent_runs r on r.id = f.run_id
left join slack_event_receipts s on s.id = r.receipt_id
left join profiles p on p.id = f.profile_id
where f.run_id = any($1::uuid[]) order by f.rated_at, f.id
"""
_PROPOSALS = """
select * from proposals where receipt_id = any($1::bigint[]) order by created_at, ordinal
"""


@dataclass(frozen=True)
class ExportedTurn:
    """One act of a person and everything it led to.

    `children` are the questions its run had looked up, with their answers.
    """

    receipt: Row
    responses: list[dict[str, Any]]
    children: list[Row]
    results: list[Row]
    heard: list[Row]
    events: list[Row]


@dataclass(frozen=True)
class ExportedConversation:
    """A conversation up to one run, and the agency's rows where they differ from the demo's.

    `feedback` holds the ratings of its answers.
    """

    turns: list[ExportedTurn]
    proposals: list[Row]
    agency: dict[str, list[Row]]
    brands: list[Row]
    feedback: list[Row]


async def read_conversation(db: Database, run_id: UUID) -> ExportedConversation | None:
    """Return the conversation that led to a run; None if no message did."""
    first = await db.pool.fetchrow(_FIRST, run_id)
    if first is None:
        return None
    where = (first["team_id"], first["lane"], first["first"], first["last"])
    receipts = [dict(row) for row in await db.pool.fetch(_RECEIPTS, *where)]
    ids = [receipt["id"] for receipt in receipts]
    proposals = [dict(row) for row in await db.pool.fetch(_PROPOSALS, ids)]
    runs = [receipt["run_id"] for receipt in receipts if receipt["run_id"]]
    known = [proposal["id"] for proposal in proposals]
    return ExportedConversation(
        turns=[await _read_turn(db, receipt, known) for receipt in receipts],
        proposals=proposals,
        agency=await _read_agency(db),
        brands=await _rows_of(db, tables.BrandRow),
        feedback=[dict(row) for row in await db.pool.fetch(_FEEDBACK, runs)],
    )


async def _read_turn(db: Database, receipt: Row, proposals: list[UUID]) -> ExportedTurn:
    run, began, until = receipt["run_id"], receipt["received_at"], receipt["until"]
    place = (receipt["team_id"], receipt["channel_id"])
    return ExportedTurn(
        receipt=receipt,
        responses=[row["content"] for row in await db.pool.fetch(_RESPONSES, run)],
        children=[dict(row) for row in await db.pool.fetch(_CHILDREN, run)],
        results=[dict(row) for row in await db.pool.fetch(_RESULTS, run)],
        heard=[dict(row) for row in await db.pool.fetch(_POSTS, *place, began, until)],
        events=[dict(row) for row in await db.pool.fetch(_AUDIT, began, until, run, proposals)],
    )


async def _read_agency(db: Database) -> dict[str, list[Row]]:
    """Return the agency's tables whose rows differ from the demo's."""
    seeded = dict(agency_rows())
    seeded["agency_roles"] = role_rows()
    found: dict[str, list[Row]] = {}
    for name, table in sorted(_agency_tables().items()):
        rows = await _rows_of(db, table)
        if name == "skill_catalog":
            # Only what somebody switched differs between installations.
            seeded[name] = [row | {"enabled": row["implemented_in_code"]} for row in rows]
        if not _is_same(rows, seeded.get(name, [])):
            found[name] = rows
    return found


def _agency_tables() -> dict[str, Any]:
    classes: list[Any] = [one for one in vars(tables).values() if isinstance(one, type)]
    return {str(one.__tablename__): one for one in classes if hasattr(one, "__table__")}


async def _rows_of(db: Database, table: Any) -> list[Row]:
    async with db.session() as session:
        rows: list[Any] = list((await session.exec(select(table))).all())
    return sorted((row.model_dump(mode="json") for row in rows), key=str)


def _is_same(rows: list[Row], seeded: list[Row]) -> bool:
    if not seeded:
        return not rows
    by_id = {str(row["id"]): row for row in rows}
    return by_id.keys() == {str(row["id"]) for row in seeded} and all(
        _is_like(by_id[str(row["id"])][name], value)
        for row in seeded
        for name, value in row.items()
    )


def _is_like(kept: Any, seeded: Any) -> bool:
    if isinstance(seeded, float | Decimal):
        return float(kept) == float(seeded)
    return str(kept) == str(to_jsonable_python(seeded))
