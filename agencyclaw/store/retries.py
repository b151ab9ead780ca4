"""Stores the message of a failed run once more, to be answered again."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.retries import RETRIES_AT_MOST
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.jobs import defer, turn_queues_of
from agencyclaw.store.receipts import store_again

# Only a message's last run, and none that waits for another attempt, is over. A message that its
# author took back is not answered, nor one that was: by another worker, or by a retry.
_RETRYABLE = """
select r.receipt_id from agent_runs r join slack_event_receipts s on s.id = r.receipt_id
where r.id = $1 and r.run_type = 'main' and s.event_type = 'message' and s.status <> 'received'
  and (r.status = 'failed'
    or r.status = 'cancelled' and coalesce(r.error_message, '') not in ('unsaid', 'overtaken'))
  and s.payload ->> 'text' <> ''
  and not exists (select from agent_runs later where later.receipt_id = r.receipt_id
    and later.run_type = 'main' and later.started_at > r.started_at)
  and not exists (select from slack_event_receipts again
    left join lateral (select status from agent_runs where receipt_id = again.id
      and run_type = 'main' order by started_at desc limit 1) last on true
    where (starts_with(again.event_key, $2) or again.event_key = 'goes_on:' || r.id)
      and (again.status = 'received' or coalesce(last.status, '') not in ('failed', 'cancelled')))
"""
_COUNT = "select count(*) from slack_event_receipts where starts_with(event_key, $1)"


async def retries_left(db: Database, run_id: UUID) -> int:
    """Return how often a run may be tried again; 0 if it is not over, or needs no other answer."""
    if await db.pool.fetchval(_RETRYABLE, run_id, _key(run_id)) is None:
        return 0
    return RETRIES_AT_MOST - await db.pool.fetchval(_COUNT, _key(run_id))


async def store_retry(conn: Connection, run_id: UUID, number: int) -> bool:
    """Store a failed run's message with its job; False if it is not over, or was stored before."""
    receipt_id = await conn.fetchval(_RETRYABLE, run_id, _key(run_id))
    if receipt_id is None:
        return False
    row = await store_again(conn, receipt_id, f"{_key(run_id)}{number}")
    if row is None:
        return False
    queue, _ = turn_queues_of(row["team_id"])
    await defer(conn, "turn", {"receipt_id": row["id"]}, queue=queue, lock=row["lane"])
    return True


def _key(run_id: UUID) -> str:
    return f"retry:{run_id}:"
