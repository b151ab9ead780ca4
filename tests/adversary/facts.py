"""What one run left behind in the database, read in one statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agencyclaw.store.engine import Database

_MARK = """
select coalesce((select max(id) from slack_event_receipts), 0) as receipt,
  coalesce((select max(seq) from outbox), 0) as seq,
  (select count(*) from agent_events) as events,
  clock_timestamp() as at
"""

_FACTS = """
with fresh as (select * from slack_event_receipts where id > $1),
runs as (select * from agent_runs where receipt_id > $1)
select json_build_object(
  'receipts', (select coalesce(json_agg(json_build_object('id', id, 'kind', event_type,
      'who', slack_user_id, 'status', status, 'reason', reason, 'channel', channel_id,
      'thread', thread_ts, 'lane', lane, 'ts', slack_ts, 'at', extract(epoch from received_at),
      'source', event_source) order by id), '[]') from fresh),
  'runs', (select coalesce(json_agg(json_build_object('id', r.id, 'receipt', r.receipt_id,
      'status', r.status,
      'requests', (select count(*) from ai_token_usage u where u.run_id = r.id),
      'executed', (select count(*) from agent_skill_events e
                   where e.run_id = r.id and e.event_type = 'skill_result'),
      'bytes', (select coalesce(sum(length(m.content::text)), 0) from agent_messages m
                where m.run_id = r.id)
    )), '[]') from runs r),
  'proposals', (select coalesce(json_agg(json_build_object('id', p.id, 'receipt', p.receipt_id,
      'state', p.state, 'who', p.actor_slack_user_id, 'actor', p.actor_profile_id,
      'confirmed_by', p.confirmed_by, 'confirming', p.confirming_receipt_id,
      'fingerprint', p.fingerprint, 'lane', p.place, 'team', p.team_id,
      'channel', p.channel_id, 'thread', p.thread_ts, 'skill', p.skill_id,
      'run', p.run_id, 'opened', extract(epoch from p.opened_at),
      'expires', extract(epoch from p.expires_at),
      'words_until', extract(epoch from p.words_until),
      'rests_on_others', jsonb_path_exists(p.arguments, '$.bases[*] ? (@.needs_press == true)'),
      'sources', (select coalesce(json_agg(b ->> 'whose'), '[]')
                  from jsonb_array_elements(p.arguments -> 'bases') b),
      'settled', extract(epoch from p.settled_at), 'kind', p.arguments ->> 'kind', 'client', p.arguments -> 'client' ->> 'id',
      'undo_of', p.undo_of, 'task', p.arguments ->> 'task_id',
      'parts', (select json_agg(json_build_object('task', part ->> 'task_id',
        'client', part -> 'client' ->> 'id')) from jsonb_array_elements(p.arguments -> 'tasks') part)
    )), '[]') from proposals p where p.receipt_id > $1),
  'outbox', (select coalesce(json_agg(json_build_object('id', id, 'key', key, 'kind', kind,
      'state', state, 'receipt', receipt_id, 'who', slack_user_id, 'channel', channel_id,
      'thread', thread_ts) order by seq), '[]') from outbox where seq > $2),
  'events', (select coalesce(json_agg(json_build_object('type', event_type, 'reason', reason,
      'who', slack_user_id, 'run', run_id, 'payload', payload, 'proposal', proposal_id)), '[]')
    from agent_events where created_at >= $3),
  'event_count', (select count(*) from agent_events),
  'invocations', (select coalesce(json_agg(json_build_object('proposal', i.proposal_id,
      'key', i.idempotency_key, 'status', i.status, 'requested_by', i.requested_by, 'confirmed_by', i.confirmed_by)), '[]')
    from skill_invocation_log i join proposals p on p.id = i.proposal_id
    where p.receipt_id > $1),
  'waiting', (select count(*) from procrastinate_jobs where status in ('todo', 'doing')
    and task_name not in ('expire', 'resume', 'remind')),
  'touched', (select coalesce(json_agg(what || ' ' || how), '[]') from touched)
)
"""

_TIDY = "delete from procrastinate_jobs; delete from touched"


@dataclass(frozen=True)
class Mark:
    """Where the tables stood before a run."""

    receipt: int
    seq: int
    events: int
    at: Any


@dataclass(frozen=True)
class Facts:
    """Everything a run wrote."""

    receipts: list[dict[str, Any]]
    runs: list[dict[str, Any]]
    proposals: list[dict[str, Any]]
    outbox: list[dict[str, Any]]
    events: list[dict[str, Any]]
    event_count: int
    invocations: list[dict[str, Any]]
    waiting: int
    touched: list[str]

    def proposal(self, proposal_id: str) -> dict[str, Any] | None:
        """Return a proposal of this run by its id, with or without dashes."""
        plain = proposal_id.replace("-", "")
        found = [p for p in self.proposals if p["id"].replace("-", "") == plain]
        return found[0] if found else None

    def receipt(self, receipt_id: int | None) -> dict[str, Any] | None:
        """Return a receipt of this run."""
        return next((one for one in self.receipts if one["id"] == receipt_id), None)


async def mark(db: Database) -> Mark:
    """Remember where the tables stand."""
    return Mark(**dict(await db.pool.fetchrow(_MARK)))


async def gather(db: Database, since: Mark) -> Facts:
    """Return what was written since the mark, and forget the jobs that wait for later."""
    whole = await db.pool.fetchval(_FACTS, since.receipt, since.seq, since.at)
    await db.pool.execute(_TIDY)
    return Facts(**whole)
