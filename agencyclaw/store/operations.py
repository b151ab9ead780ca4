"""Reads how the assistant is doing, for admins; anybody may look up their own runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.changes import EffectScope
from agencyclaw.domain.errors import NotAllowed, NotFound
from agencyclaw.domain.messages import message
from agencyclaw.domain.operations import (
    LISTED_AT_MOST,
    STEPS_AT_MOST,
    AuditedEvent,
    CostGroup,
    CostRow,
    Costs,
    EventAudit,
    EventCount,
    FailureGroup,
    RunChange,
    RunRecord,
    RunStep,
)
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.proposals import read_effect
from agencyclaw.store.engine import Database, Record
from agencyclaw.store.retries import retries_left

# Without a prefix ($1): the person's latest message before this run. A trace has 32 digits, and the
# runs of sub-agents have their parent's. What they cost is a part of what it cost.
_RUN = """
select r.id, r.run_type, r.status, r.started_at, r.completed_at,
  coalesce(nullif(trim(p.full_name), ''), nullif(trim(p.display_name), ''), p.email) as person,
  c.name as client,
  case when r.actor_profile_id = $2 then
    coalesce(r.input_payload ->> 'question', s.payload ->> 'text') end as request,
  case when r.status in ('failed', 'cancelled') then coalesce(r.output_payload ->> 'cause',
    r.output_payload ->> 'reason', r.error_message) end as error,
  (select count(*) from agent_runs child where child.parent_run_id = r.id) as sub_runs, spent.*
from agent_runs r cross join lateral (
  select coalesce(sum(u.total_tokens), 0) as tokens, sum(u.cost_usd) as cost_usd,
    coalesce(sum(u.total_tokens) filter (where u.cost_usd is null), 0) as unpriced
  from agent_runs part join ai_token_usage u on u.run_id = part.id
  where part.id = r.id or part.parent_run_id = r.id
) as spent
left join profiles p on p.id = r.actor_profile_id
left join agency_clients c on c.id = r.client_id
left join slack_event_receipts s on s.id = r.receipt_id
where r.team_id = $5 and case when $1 = ''
  then r.id <> $4 and r.run_type = 'main' and r.actor_profile_id = $2
  else (starts_with(r.id::text, $1) or r.trace_id = $1 and r.parent_run_id is null)
    and ($3 or r.actor_profile_id = $2) end
order by r.started_at desc limit case when $1 = '' or length($1) = 32 then 1 else 2 end
"""
_STEPS = """
select skill_id as tool,
  case when payload -> 'result' ->> 'kind' = 'refusal' then payload -> 'result' ->> 'reason'
    else coalesce(payload ->> 'error', '') end as reason
from agent_skill_events where run_id = $1 and event_type = 'skill_result'
order by created_at, id limit $2
"""
_CHANGES = """
select arguments, skill_id, coalesce(entity, '') as entity, state, result ->> 'url' as url,
  actor_profile_id = $2 as is_own
from proposals where run_id = $1 order by ordinal
"""

# Of what failed before runs had a client, or of no run, the client is not known.
_ERRORS = """
with failures as (
  select e.skill_id as tool, payload -> 'result' ->> 'reason' as reason,
    payload -> 'result' ->> 'message' as message, e.created_at as at,
    case when payload -> 'result' ->> 'reason' in ('unavailable', 'slack_unread')
      then 'warning' else 'error' end as severity, r.id as run_id
  from agent_runs r join agent_skill_events e on e.run_id = r.id
  where r.team_id = $5 and r.started_at >= now() - make_interval(days => $1)
    and e.event_type = 'skill_result' and payload -> 'result' ->> 'kind' = 'refusal'
    and payload -> 'result' ->> 'reason'
      in ('broken', 'misconfigured', 'unavailable', 'slack_unread')
  union all
  select case when run_type in ('main', 'heartbeat') then 'answer' else 'sub-agent' end,
    coalesce(output_payload ->> 'reason', error_message, 'failed'),
    coalesce(output_payload ->> 'cause', ''), completed_at, 'error', id
  from agent_runs
  where team_id = $5 and status = 'failed' and started_at >= now() - make_interval(days => $1)
  union all
  select skill_id, coalesce(reason, state), coalesce(reason, state), settled_at,
    case when state = 'unclear' then 'warning' else 'error' end, run_id
  from proposals
  where team_id = $5 and state in ('failed', 'unclear')
    and settled_at >= now() - make_interval(days => $1)
  union all
  select 'delivery', coalesce(error, 'failed'), coalesce(error, 'failed'), created_at, 'error',
    run_id
  from outbox
  where team_id = $5 and state = 'dead' and created_at >= now() - make_interval(days => $1)
  union all
  select 'message', coalesce(reason, 'given up'), coalesce(reason, 'given up'), processed_at,
    'error', (select r.id from agent_runs r where r.receipt_id = s.id and r.run_type <> 'child'
      order by r.started_at desc limit 1)
  from slack_event_receipts s
  where team_id = $5 and status = 'dead' and received_at >= now() - make_interval(days => $1)
)
select tool, severity, reason, count(*) as count, max(at) as last,
  (array_agg(message order by at desc))[1] as message,
  case when $6 then coalesce(c.name, '') end as client
from failures f left join agent_runs r on r.id = f.run_id
left join agent_runs root on root.id = r.parent_run_id
left join agency_clients c on c.id = coalesce(root.client_id, r.client_id)
where (tool = any($2) or cardinality($2::text[]) = 0) and ($3 = '' or severity = $3)
group by tool, severity, reason, client
order by severity, count(*) desc, max(at) desc limit $4
"""

_COUNTS = """
select event_source as source, status, count(*) as count from slack_event_receipts
where team_id = $3 and received_at >= now() - make_interval(days => $1)
  and ($2 = '' or event_source = $2)
group by 1, 2 order by 1, 2
"""
# An event with a known key leaves no row. Of presses of something already confirmed there is one.
_REPEATED = """
select r.id as event, r.event_source as source, 'confirmed already' as reason, count(*) as times,
  r.received_at
from skill_invocation_log l
join slack_event_receipts r on r.id = split_part(l.idempotency_key, ':', 2)::bigint
where r.team_id = $4 and l.status = 'duplicate'
  and r.received_at >= now() - make_interval(days => $1)
  and ($2 = '' or r.event_source = $2)
group by r.id
union all
select id, event_source, 'begun again', attempts - waits, received_at from slack_event_receipts
where team_id = $4 and received_at >= now() - make_interval(days => $1)
  and ($2 = '' or event_source = $2) and attempts - waits > 1
order by received_at desc limit $3
"""
_FAILED = """
select id as event, event_source as source, coalesce(reason, 'failed') as reason,
  greatest(failures, 1) as times, received_at
from slack_event_receipts
where team_id = $4 and received_at >= now() - make_interval(days => $1)
  and ($2 = '' or event_source = $2) and (status = 'dead' or failures > 0)
order by received_at desc limit $3
"""

# The tokens of a request that calls several tools are divided among them.
_COSTS = """
with spent as (
  select u.created_at, u.user_id, u.model, u.stage, u.prompt_tokens, u.completion_tokens,
    u.total_tokens, u.cost_usd, coalesce(root.client_id, r.client_id, u.client_id) as client_id,
    case when $2 = 'tool' and u.meta -> 'tools' <> '[]' then u.meta -> 'tools' else '[""]' end
      as tools
  from ai_token_usage u left join agent_runs r on r.id = u.run_id
  left join agent_runs root on root.id = r.parent_run_id
  where u.created_at >= now() - make_interval(days => $1)
    and coalesce(u.team_id, r.team_id) = $3
), shared as (
  select spent.*, tool.called, 1.0 / jsonb_array_length(tools) as part
  from spent, jsonb_array_elements_text(tools) as tool(called)
)
select coalesce(case $2 when 'tool' then called when 'model' then model when 'stage' then stage
    when 'week' then to_char(date_trunc('week', shared.created_at at time zone 'utc'), 'YYYY-MM-DD')
    when 'person' then
      coalesce(nullif(trim(p.full_name), ''), nullif(trim(p.display_name), ''), p.email)
    else c.name end, '') as name,
  count(*) as requests, round(sum(prompt_tokens * part))::bigint as prompt_tokens,
  round(sum(completion_tokens * part))::bigint as completion_tokens,
  coalesce(sum(cost_usd * part), 0)::float8 as cost_usd,
  round(coalesce(sum(total_tokens * part) filter (where cost_usd is null), 0))::bigint as unpriced
from shared left join profiles p on p.id = shared.user_id
left join agency_clients c on c.id = shared.client_id
group by 1 order by case $2 when 'week' then min(shared.created_at) end desc, cost_usd desc,
  prompt_tokens desc
"""
# Of a run that was deleted before its costs had a workspace.
_UNPLACED = """
select coalesce(sum(total_tokens), 0)::bigint from ai_token_usage
where created_at >= now() - make_interval(days => $1) and team_id is null and run_id is null
"""
# What its sub-agents cost is a part of it.
_COST_OF_AN_ANSWER = """
select percentile_cont(0.5) within group (order by spent.cost) from (
  select sum(u.cost_usd) as cost from agent_runs r join ai_token_usage u on u.run_id = r.id
  where r.team_id = $1 and r.started_at > now() - interval '30 days'
  group by coalesce(r.parent_run_id, r.id) order by max(r.started_at) desc limit 200
) as spent where spent.cost > 0
"""


@dataclass(frozen=True)
class OperationsReader:
    """Reads for one person of one workspace; raises NotAllowed where they may not see it."""

    db: Database
    actor: Actor
    run_id: UUID
    team_id: str

    async def run(self, prefix: str) -> RunRecord:
        """Return the run with this beginning of its id, or this trace; for "" the person's last.

        Of more than `STEPS_AT_MOST` steps, it has one more. Raises NotFound.
        """
        is_admin = self.actor.tier >= Tier.ADMIN
        asked = (prefix, self.actor.profile_id, is_admin, self.run_id, self.team_id)
        rows = await self.db.pool.fetch(_RUN, *asked)
        if len(rows) != 1:
            raise NotFound(message("refused.operations.no_run"), reason="run_not_found")
        run_id = rows[0]["id"]
        steps = await self.db.pool.fetch(_STEPS, run_id, STEPS_AT_MOST + 1)
        changes = await self.db.pool.fetch(_CHANGES, run_id, self.actor.profile_id)
        return RunRecord(
            **rows[0],
            steps=tuple(RunStep(**row) for row in steps),
            changes=tuple(filter(None, map(_change, changes))),
            retries_left=await retries_left(self.db, run_id),
        )

    async def errors(
        self, days: int, tools: Sequence[str] = (), severity: str = "", *, by_client: bool = False
    ) -> list[FailureGroup]:
        """Return the failures of so many days by kind, errors and frequent ones first.

        Of more than `LISTED_AT_MOST` kinds, one more is returned.
        """
        self._require_admin()
        asked = (days, list(tools), severity, LISTED_AT_MOST + 1, self.team_id, by_client)
        rows = await self.db.pool.fetch(_ERRORS, *asked)
        return [FailureGroup(**row) for row in rows]

    async def events(self, days: int, source: str = "") -> EventAudit:
        """Return what became of the events of so many days, the latest first."""
        self._require_admin()
        pool = self.db.pool
        counts = await pool.fetch(_COUNTS, days, source, self.team_id)
        repeated = await pool.fetch(_REPEATED, days, source, LISTED_AT_MOST, self.team_id)
        failed = await pool.fetch(_FAILED, days, source, LISTED_AT_MOST, self.team_id)
        return EventAudit(
            counts=tuple(EventCount(**row) for row in counts),
            repeated=tuple(AuditedEvent(**row) for row in repeated),
            failed=tuple(AuditedEvent(**row) for row in failed),
        )

    async def costs(self, days: int, group: CostGroup) -> Costs:
        """Return what so many days cost by tool, person and so on, the dearest first.

        Weeks come the latest first, by their Monday.
        """
        self._require_admin()
        rows = await self.db.pool.fetch(_COSTS, days, group, self.team_id)
        unplaced = await self.db.pool.fetchval(_UNPLACED, days)
        return Costs(rows=tuple(CostRow(**row) for row in rows), unplaced=unplaced)

    async def cost_of_an_answer(self) -> float | None:
        """Return the median cost of an answer within the last 30 days; None if none has a cost."""
        return await self.db.pool.fetchval(_COST_OF_AN_ANSWER, self.team_id)

    def _require_admin(self) -> None:
        if self.actor.tier < Tier.ADMIN:
            raise NotAllowed(message("refused.operations.admins"), reason="admin_skill_denied")


def _change(row: Record) -> RunChange | None:
    """Return a change of a run; None for what somebody else keeps for themselves."""
    effect = read_effect(row["arguments"], row["skill_id"], row["entity"])
    if effect.scope is EffectScope.OWN and not row["is_own"]:
        return None
    return RunChange(headline=effect.preview().headline, state=row["state"], url=row["url"])
