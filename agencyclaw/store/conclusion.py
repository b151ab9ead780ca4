"""Ends an ordinary turn: stores answer, delivery job, run and receipt in one statement.

Hot path: every message.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import UUID

from agencyclaw.domain.receipts import Note, OutboxKind, Receipt
from agencyclaw.domain.runs import RunStatus
from agencyclaw.store.dispatching import StartedJob
from agencyclaw.store.engine import Connection, Database, Executor
from agencyclaw.store.jobs import is_local, queue_of

# The delivery is stored as running if nothing else waits for its place, as messages are.
_CONCLUDE = """
with closed as (
  update slack_event_receipts set status = 'done', reason = null, processed_at = now()
  where id = $6 and status = 'received'
  returning id
), posted as (
  insert into outbox (key, kind, team_id, channel_id, thread_ts, receipt_id, run_id, body, state,
    sent_ts)
  select $1::text, $2::text, $3::text, $4::text, $5::text, closed.id, $7::uuid, $8::jsonb,
    case when $9::text is null then 'sent' else 'pending' end,
    case when $9::text is null then extract(epoch from clock_timestamp())::numeric(20, 6)::text end
  from closed
  on conflict (key) do update set kind = excluded.kind, run_id = excluded.run_id,
    body = excluded.body, state = excluded.state
  where outbox.state = 'streaming'
  returning id
), freed as (update proposals set suspended_by = null, suspended_until = now() from closed
  where suspended_by = closed.id and suspended_until is null), dropped as (
  delete from proposals using closed
  where proposals.receipt_id = closed.id and proposals.state = 'draft'
), about as (
  update playbook_sessions set active_client_id = $14::uuid
  from closed where playbook_sessions.id = $13::uuid
), ended as (
  update agent_runs set status = $10, output_payload = $11,
    client_id = coalesce($16::uuid, client_id), completed_at = now()
  from closed where agent_runs.id = $7::uuid
), started as (
  insert into procrastinate_jobs (queue_name, task_name, lock, args, status, worker_id)
  select $9::text, 'deliver', $12, jsonb_build_object('outbox_id', posted.id), 'doing', w.id
  from posted, procrastinate_workers w
  where w.id = $15::bigint and not exists (
    select from procrastinate_jobs where lock = $12 and status in ('todo', 'doing'))
  for key share of w
  on conflict (lock) where status = 'doing' do nothing
  returning id
)
select posted.id as outbox_id, started.id as job_id,
  case when posted.id is not null and started.id is null and $9::text is not null then
    procrastinate_defer_jobs_v1(array[
      row($9, 'deliver', 0, $12, null, jsonb_build_object('outbox_id', posted.id), null)
        ::procrastinate_job_to_defer_v1
    ]) end
from closed left join posted on true left join started on true
"""

# A message may end while it is answered: stopped, deleted, or answered by another worker.
_LEAVE = """
with closed as (
  select r.id from agent_runs a join slack_event_receipts r on r.id = a.receipt_id
  where a.id = $1 and r.status <> 'received'
), freed as (update proposals set suspended_by = null, suspended_until = now() from closed
  where suspended_by = closed.id and suspended_until is null),
dropped as (delete from proposals where run_id = $1 and state = 'draft')
update agent_runs set status = 'cancelled', error_message = 'overtaken', completed_at = now()
where id = $1 and status = 'running'
"""

_TOPIC = "update playbook_sessions set active_client_id = $2 where id = $1"


class TopicChange(NamedTuple):
    """The client a session is about, used by later messages that name none."""

    session_id: UUID
    client_id: UUID | None


async def keep_topic(conn: Connection, about: TopicChange) -> None:
    """Store the topic of a session, inside the caller's transaction."""
    await conn.execute(_TOPIC, about.session_id, about.client_id)


async def leave_turn(conn: Executor, run_id: UUID) -> None:
    """End a run whose message has ended without it, with what it had prepared and suspended.

    What another worker has suspended, which still answers the message, stays so.
    """
    await conn.execute(_LEAVE, run_id)


async def end_turn(
    db: Database,
    receipt: Receipt,
    run_id: UUID,
    *,
    note: Note,
    status: RunStatus,
    output: Any,
    about: TopicChange | None = None,
    client_id: UUID | None = None,
) -> None:
    """Queue the answer, end the run and close the receipt, all or nothing.

    Drafts that were never proposed are dropped. If the receipt has ended meanwhile, only the run
    is ended. A terminal reads its answers from the outbox: they count as sent,
    and no job delivers them.
    """
    place = receipt.incoming.place
    queue = None if is_local(place.team_id) else queue_of(place.team_id)
    lock = f"out:{place.key}"
    with db.dispatcher.slot(queue or "") as worker_id:
        row = await db.pool.fetchrow(
            _CONCLUDE,
            f"answer:{receipt.id}",
            OutboxKind.ANSWER.value,
            place.team_id,
            place.channel_id,
            place.thread_ts,
            receipt.id,
            run_id,
            note.stored(),
            queue,
            status.value,
            output,
            lock,
            *(about or (None, None)),
            worker_id,
            client_id,
        )
        if row is not None and queue and row["job_id"] is not None:
            args = {"outbox_id": str(row["outbox_id"])}
            db.dispatcher.start(StartedJob(row["job_id"], queue, "deliver", lock, args))
    if row is None:
        await leave_turn(db.pool, run_id)
