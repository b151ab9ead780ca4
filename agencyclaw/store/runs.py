"""Runs and their journal: messages, tool calls, results and costs.

Hot path: every message.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.journal import WORDS, JournalPage, RefusedCall
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Place
from agencyclaw.domain.receipts import Receipt, ReceiptKind
from agencyclaw.domain.runs import Evidence, RunStatus, RunType
from agencyclaw.store.background import Background, PastSummary, read_background
from agencyclaw.store.engine import Connection, Database, Executor, Record, fetch_one
from agencyclaw.store.events import record_refusals

# A session ends after this long without a message.
_IDLE_S = 1800.0

_START = """
with ended as (
  update agent_runs set status = 'cancelled', error_message = 'interrupted', completed_at = now()
  where receipt_id = $2 and status = 'running'
), dropped as (
  delete from proposals where receipt_id = $2 and state = 'draft'
), session as (
  insert into playbook_sessions (team_id, place, slack_user_id, profile_id, active_client_id)
  select $3::text, $4::text, $7::text, $6, null
  where not exists (
    select 1 from playbook_sessions where team_id = $3::text and place = $4::text
      and slack_user_id = $7::text
      and last_message_at > now() - make_interval(secs => $12))
  returning id, active_client_id
), current_session as (
  update playbook_sessions set last_message_at = now() where id = (
    select id from playbook_sessions where team_id = $3::text and place = $4::text
      and slack_user_id = $7::text
      and last_message_at > now() - make_interval(secs => $12)
    order by last_message_at desc limit 1)
  returning id, active_client_id
), either as (
  select * from session union all select * from current_session limit 1
)
insert into agent_runs (id, run_key, receipt_id, actor_profile_id, team_id, place, channel_id,
  thread_ts, source, session_id, trace_id, input_payload, run_type, schedule_id, client_id)
select $1, 'receipt:' || $2 || ':' || $10::int, $2, $6, $3::text, $4::text, $5, $8, $9,
  either.id, $11, $13, $14, $15, $16
from either
returning session_id, (select active_client_id from either) as active_client_id,
  set_config('synchronous_commit', 'off', true)
"""

# Not waited for until it is on disk: a turn whose Postgres died starts again, and the commit that
# ends it includes everything before it.
_JOURNAL = """
with stored as (
  insert into agent_messages (run_id, role, content)
  select $1, role, content::jsonb from unnest($2::text[], $3::text[]) as m(role, content)
  returning set_config('synchronous_commit', 'off', true)
), spent as (
  insert into ai_token_usage (tool, user_id, run_id, team_id, stage, model, prompt_tokens,
    completion_tokens, total_tokens, cost_usd, meta)
  select 'agencyclaw', r.actor_profile_id, $1, r.team_id, stage, model, prompt, completion,
    prompt + completion, cost, meta::jsonb
  from unnest($9::text[], $10::text[], $11::int[], $12::int[], $13::float8[], $14::text[])
    as u(stage, model, prompt, completion, cost, meta) left join agent_runs r on r.id = $1
)
insert into agent_skill_events (id, run_id, event_type, skill_id, tool_call_id, payload,
  payload_summary)
select event_id, $1, event_type, skill_id, call_id, payload::jsonb, left(payload, 280)
from unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[])
  as e(event_id, event_type, skill_id, call_id, payload)
on conflict (id) do nothing
"""

# The receipt is locked meanwhile: a Stop ends either all runs of a message, or the message before
# there is a sub-agent's run.
_BEGIN_CHILD = """
insert into agent_runs (id, run_type, run_key, parent_run_id, receipt_id, actor_profile_id,
  client_id, team_id, place, channel_id, thread_ts, source, session_id, trace_id, schedule_id,
  input_payload)
select $1::uuid, $3::text, $3::text || ':' || $1::uuid, p.id, p.receipt_id, p.actor_profile_id,
  p.client_id, p.team_id, p.place, p.channel_id, p.thread_ts, p.source, p.session_id, p.trace_id,
  p.schedule_id, p.input_payload || $4::jsonb
from agent_runs p join slack_event_receipts r on r.id = p.receipt_id
where p.id = $2::uuid and p.status = 'running' and r.status = 'received'
for share of r
returning id
"""

_END_CHILD = """
update agent_runs set status = $2, output_payload = $3, completed_at = now()
where id = $1 and status = 'running'
"""

_FINISH = """
update agent_runs set status = $2, output_payload = $3, client_id = coalesce($4, client_id),
  completed_at = now()
where id = $1
"""

_SUMMARY = """
insert into thread_summaries (team_id, place, thread_ts, profile_id, standing, text, covers_until,
  last_run_id)
values ($1, $2, $3, $4, $5, $6, $7, $8)
"""

_END_SESSION = """
with ended as (
  update playbook_sessions set last_message_at = 'epoch', active_client_id = null, context = '{}'
  where team_id = $1 and place = $2 and slack_user_id = $3
  returning id
)
update agent_runs set session_id = null
from ended where agent_runs.session_id = ended.id
"""

_EVIDENCE = """
select e.id, e.skill_id, e.payload, e.created_at
from agent_skill_events e join agent_runs r on r.id = e.run_id
where e.run_id between $1 and $2 and e.id between $3 and $4 and e.event_type = 'skill_result'
  and r.team_id = $5 and r.place = $6 and r.actor_profile_id = $7 and r.input_payload @> $8
order by e.payload ? 'result' desc, e.created_at limit 1
"""

# What the person wrote then, as it reads now: they may have edited or deleted it.
_WORDS = """
select r.id, 'pasted' as skill_id, r.started_at as created_at,
  jsonb_build_object('result', jsonb_build_object('text', said.payload ->> 'text')) as payload
from agent_runs r join slack_event_receipts said on said.id = r.receipt_id
where r.id between $1 and $2
  and r.team_id = $3 and r.place = $4 and r.actor_profile_id = $5 and r.input_payload @> $6
order by r.started_at limit 1
"""

_PART = r"[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?"
_KEY = re.compile(f"ev:({_PART})(?:/({_PART}))?")


@dataclass(frozen=True)
class StartedRun:
    """A new run and the session it belongs to."""

    session_id: UUID
    active_client_id: UUID | None


class Runs:
    """Reads and writes runs."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def start(
        self,
        run_id: UUID,
        receipt: Receipt,
        actor: Actor,
        *,
        trace_id: str,
        facts: dict[str, Any],
        schedule_id: UUID | None = None,
        client_id: UUID | None = None,
    ) -> StartedRun:
        """Open a run for a receipt; ends an interrupted one and deletes its drafts.

        A run of a schedule, or of a schedule's trial, is a heartbeat with a session of its own.
        `client_id` is the client of the channel; `finish_run` may replace it.
        """
        place = receipt.incoming.place
        is_firing = receipt.incoming.kind is ReceiptKind.FIRING
        kind = RunType.HEARTBEAT if is_firing else RunType.MAIN
        row = await fetch_one(
            self._db.pool,
            _START,
            run_id,
            receipt.id,
            place.team_id,
            place.key,
            place.channel_id,
            actor.profile_id,
            f"schedule:{schedule_id or receipt.id}" if is_firing else actor.slack_user_id,
            place.thread_ts,
            receipt.incoming.source,
            receipt.attempts + receipt.waits,
            trace_id,
            _IDLE_S,
            facts,
            kind.value,
            schedule_id,
            client_id,
        )
        return StartedRun(row["session_id"], row["active_client_id"])

    async def append(self, run_id: UUID, page: JournalPage) -> None:
        """Store messages, tool events and costs in one round trip."""
        messages, events, costs = page.messages, page.events, page.costs
        await self._db.pool.execute(
            _JOURNAL,
            run_id,
            [role for role, _ in messages],
            [content for _, content in messages],
            [event.id for event in events],
            [event.event_type for event in events],
            [event.skill_id for event in events],
            [event.call_id for event in events],
            [event.payload for event in events],
            [cost.stage for cost in costs],
            [cost.model for cost in costs],
            [cost.prompt_tokens for cost in costs],
            [cost.completion_tokens for cost in costs],
            [cost.cost_usd for cost in costs],
            [json.dumps(cost.meta) for cost in costs],
        )

    async def begin_child(
        self, run_id: UUID, parent_id: UUID, kind: RunType, facts: dict[str, Any]
    ) -> bool:
        """Open a sub-agent's run below another; False if that has ended meanwhile."""
        begun = await self._db.pool.fetchval(_BEGIN_CHILD, run_id, parent_id, kind.value, facts)
        return begun is not None

    async def end_child(
        self,
        run_id: UUID,
        status: RunStatus,
        output: dict[str, Any],
        refusals: tuple[RefusedCall, ...],
    ) -> None:
        """End a sub-agent's run unless it has ended already, and record its refused calls."""
        async with self._db.transaction() as conn:
            await conn.execute(_END_CHILD, run_id, status.value, output)
            await record_refusals(conn, run_id, refusals)

    async def background(
        self, place: Place, actor: Actor, permissions: dict[str, Any]
    ) -> Background:
        """Return what a new run needs to know of this place."""
        return await read_background(self._db, place, actor, permissions, idle_s=_IDLE_S)

    async def keep_summary(
        self, place: Place, actor: Actor, permissions: dict[str, Any], summary: PastSummary
    ) -> None:
        """Store the summary of a thread's older part, for this person and these rights."""
        await self._db.pool.execute(
            _SUMMARY,
            place.team_id,
            place.key,
            place.thread_ts,
            actor.profile_id,
            permissions,
            summary.text,
            summary.until,
            summary.last_run,
        )

    async def end_session(self, place: Place, slack_user_id: str) -> None:
        """End a person's session here: later runs start without its history."""
        await self._db.pool.execute(_END_SESSION, place.team_id, place.key, slack_user_id)


async def finish_run(
    conn: Connection,
    run_id: UUID,
    status: RunStatus,
    *,
    output: dict[str, Any],
    client_id: UUID | None = None,
) -> None:
    """End a run inside the caller's transaction.

    `client_id` if it was about a single client; else it keeps the one whose place it is in.
    """
    await conn.execute(_FINISH, run_id, status.value, output, client_id)


async def end_runs(conn: Executor, receipt_id: int, status: RunStatus, reason: str) -> None:
    """End the runs of a receipt that are still in progress."""
    await conn.execute(
        "update agent_runs set status = $2, error_message = $3, completed_at = now()"
        " where receipt_id = $1 and status = 'running'",
        receipt_id,
        status.value,
        reason,
    )


class PlaceNotebook:
    """Evidence of earlier runs: of one place and person, seen with the same rights."""

    def __init__(
        self, db: Database, place: Place, actor: Actor, permissions: dict[str, Any]
    ) -> None:
        self._db = db
        self._place = place
        self._actor = actor
        self._permissions = permissions

    async def evidence(self, key: str) -> Evidence:
        """Return a stored result by `ev:<run>` (its first) or `ev:<run>/<event>`.

        The first eight digits of either id are enough; the history uses those.
        With WORDS in place of the event it is what the person wrote in that run.
        """
        match = _KEY.fullmatch(key.strip().lower())
        if match is None:
            raise NotFound(message("refused.prior_results.invalid_key"), reason="invalid_key")
        run_id, event_id = match.groups()
        scope = (
            *(self._place.team_id, self._place.key),
            *(self._actor.profile_id, self._permissions),
        )
        run = _beginning_with(run_id)
        if event_id == WORDS:
            row = await self._db.pool.fetchrow(_WORDS, *run, *scope)
        else:
            event = _beginning_with(event_id or "")
            row = await self._db.pool.fetchrow(_EVIDENCE, *run, *event, *scope)
        if row is None:
            raise NotFound(message("refused.prior_results.not_found"), reason="not_found")
        return _evidence(key, row)


def _beginning_with(digits: str) -> tuple[UUID, UUID]:
    """Return the lowest and the highest id with this prefix."""
    digits = digits.replace("-", "")
    return UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f"))


def _evidence(key: str, row: Record) -> Evidence:
    payload: Any = row["payload"]
    if not isinstance(payload, dict) or "result" not in payload:
        raise NotFound(message("refused.prior_results.damaged"), reason="invalid_event_payload")
    return Evidence(
        key=key,
        skill=row["skill_id"],
        payload=cast(dict[str, Any], payload),
        created_at=row["created_at"],
    )
