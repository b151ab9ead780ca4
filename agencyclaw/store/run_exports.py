"""Reads what an exported case is made of: a conversation up to one run, and the agency's rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple, cast
from uuid import UUID

from pydantic_core import to_jsonable_python
from sqlalchemy import select

from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.errors import Broken
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Receipt
from agencyclaw.store import tables
from agencyclaw.store.catalogue import Row, role_rows
from agencyclaw.store.demo_agency import agency_rows
from agencyclaw.store.engine import Database, Record
from agencyclaw.store.proposals import fetch_proposals
from agencyclaw.store.receipts import receipt_of
from agencyclaw.store.table_rows import run

_RECEIPTS = """
with acts as (
  select s.*, p.full_name as person, coalesce(p.timezone, 'UTC') as timezone,
    lead(s.received_at) over (order by s.received_at, s.id) as until
  from slack_event_receipts s
  left join lateral (select * from profiles where slack_user_id = s.slack_user_id limit 1) p on true
  where s.team_id = $1 and s.lane = $2 and s.id >= $3 and s.status = 'done'
)
select acts.*, run.id as run_id, run.status as run_status, run.actor_profile_id,
  run.input_payload ->> 'tier' as tier
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
select skill_id as tool, payload -> 'result' as result from agent_skill_events
where run_id = $1 and event_type = 'skill_result' order by created_at
"""
_SUB_RUNS = """
select r.input_payload ->> 'question' as question, r.status,
  array(select content from agent_messages m where m.run_id = r.id and role = 'assistant'
    order by m.id) as responses
from agent_runs r where parent_run_id = $1 order by started_at
"""
# Other threads of a channel are other conversations.
_POSTS = """
select o.kind, o.body ->> 'text' as text
from slack_event_receipts r join outbox o on o.team_id = r.team_id
  and o.channel_id = r.channel_id and (r.is_direct or o.thread_ts = r.thread_ts)
where r.id = $1 and o.created_at >= r.received_at
  and ($2::timestamptz is null or o.created_at < $2)
  and o.kind in ('answer', 'notice', 'ephemeral', 'card') order by o.seq
"""
_AUDIT = """
select event_type, reason from agent_events e
where e.created_at >= $1 and ($2::timestamptz is null or e.created_at < $2)
  and (e.run_id = $3 or e.proposal_id = any($4::uuid[])) order by created_at, event_type
"""
_RATINGS = """
select coalesce(p.full_name, f.slack_user_id) as by, f.rating, f.comment,
  s.payload ->> 'text' as request
from answer_feedback f join agent_runs r on r.id = f.run_id
left join slack_event_receipts s on s.id = r.receipt_id
left join profiles p on p.id = f.profile_id
where f.run_id = any($1::uuid[]) order by f.rated_at, f.id
"""
_LISTS = "select name, clickup_list_id from brands order by id"
_PROPOSALS = """
select * from proposals where receipt_id = any($1::bigint[]) order by created_at, ordinal
"""


class ToolResult(NamedTuple):
    """What a tool returned; any JSON."""

    tool: str
    result: Any

    @property
    def fields(self) -> dict[str, Any]:
        """The result's fields; empty if it is no object."""
        return cast("dict[str, Any]", self.result) if isinstance(self.result, dict) else {}


class SubRun(NamedTuple):
    """A sub-agent's run: its question, and the model's responses as the framework stores them."""

    question: str
    status: str
    responses: list[dict[str, Any]]


class Post(NamedTuple):
    """A delivery that people saw: its kind, and its text if it has one."""

    kind: str
    text: str | None


class AuditEvent(NamedTuple):
    """An entry of the audit log."""

    event_type: str
    reason: str | None


class RatedAnswer(NamedTuple):
    """A person's rating of the answer to a request."""

    by: str
    rating: str
    comment: str
    request: str | None


@dataclass(frozen=True)
class ExportedRun:
    """The run that answered an act."""

    id: UUID
    status: str
    tier: str | None
    actor_profile_id: UUID | None
    responses: list[dict[str, Any]]
    sub_runs: list[SubRun]
    results: list[ToolResult]


@dataclass(frozen=True)
class ExportedTurn:
    """One act of a person and everything it led to, before the next act at `until`.

    `person` is the name of their profile, `today` the date in their time zone.
    """

    receipt: Receipt
    person: str | None
    today: date
    until: datetime | None
    run: ExportedRun | None
    posts: list[Post]
    events: list[AuditEvent]


@dataclass(frozen=True)
class ExportedConversation:
    """A conversation up to one run, and the agency's rows where they differ from the demo's.

    `brand_lists` has the ClickUp list of each brand by name.
    """

    turns: list[ExportedTurn]
    proposals: list[Proposal]
    ratings: list[RatedAnswer]
    agency: dict[str, list[Row]]
    brand_lists: dict[str, str]


async def read_conversation(db: Database, run_id: UUID) -> ExportedConversation | None:
    """Return the conversation that led to a run; None if no message did."""
    first = await db.pool.fetchrow(_FIRST, run_id)
    if first is None:
        return None
    rows = await db.pool.fetch(
        _RECEIPTS, first["team_id"], first["lane"], first["first"], first["last"]
    )
    receipt_ids = [row["id"] for row in rows]
    run_ids = [row["run_id"] for row in rows if row["run_id"]]
    proposals = await fetch_proposals(db.pool, _PROPOSALS, receipt_ids)
    proposal_ids = [proposal.id for proposal in proposals]
    return ExportedConversation(
        turns=[await _read_turn(db, row, proposal_ids) for row in rows],
        proposals=proposals,
        ratings=[RatedAnswer(**row) for row in await db.pool.fetch(_RATINGS, run_ids)],
        agency=await _read_agency(db),
        brand_lists={row["name"]: row["clickup_list_id"] for row in await db.pool.fetch(_LISTS)},
    )


async def _read_turn(db: Database, row: Record, proposal_ids: list[UUID]) -> ExportedTurn:
    receipt = receipt_of(row)
    if receipt is None:
        raise Broken("a row without a receipt")
    since, until = receipt.received_at, row["until"]
    posts = await db.pool.fetch(_POSTS, receipt.id, until)
    events = await db.pool.fetch(_AUDIT, since, until, row["run_id"], proposal_ids)
    return ExportedTurn(
        receipt=receipt,
        person=row["person"],
        today=since.astimezone(zone_named(row["timezone"])).date(),
        until=until,
        run=await _read_run(db, row) if row["run_id"] else None,
        posts=[Post(**post) for post in posts],
        events=[AuditEvent(**event) for event in events],
    )


async def _read_run(db: Database, row: Record) -> ExportedRun:
    run_id: UUID = row["run_id"]
    return ExportedRun(
        id=run_id,
        status=row["run_status"],
        tier=row["tier"],
        actor_profile_id=row["actor_profile_id"],
        responses=[message["content"] for message in await db.pool.fetch(_RESPONSES, run_id)],
        sub_runs=[SubRun(**sub_run) for sub_run in await db.pool.fetch(_SUB_RUNS, run_id)],
        results=[ToolResult(**result) for result in await db.pool.fetch(_RESULTS, run_id)],
    )


async def _read_agency(db: Database) -> dict[str, list[Row]]:
    """Return the agency's tables whose rows differ from the demo's."""
    seeded = {**agency_rows(), "agency_roles": role_rows()}
    changed: dict[str, list[Row]] = {}
    for name, table in sorted(_agency_tables().items()):
        rows = await _rows_of(db, table)
        if name == "skill_catalog":
            # Only what somebody switched differs between installations.
            seeded[name] = [row | {"enabled": row["implemented_in_code"]} for row in rows]
        if not _is_same(rows, seeded.get(name, [])):
            changed[name] = rows
    return changed


def _agency_tables() -> dict[str, Any]:
    """Return the table classes of the agency by the names of their tables."""
    classes: list[Any] = [value for value in vars(tables).values() if isinstance(value, type)]
    return {str(row.__tablename__): row for row in classes if hasattr(row, "__table__")}


async def _rows_of(db: Database, table: Any) -> list[Row]:
    rows = (table(**row) for row in await run(db.pool, select(table.__table__)))
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


def _is_like(stored: Any, seeded: Any) -> bool:
    if isinstance(seeded, float | Decimal):
        return float(stored) == float(seeded)
    return str(stored) == str(to_jsonable_python(seeded))
