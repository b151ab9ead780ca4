"""Deletes rows that are no longer needed. Audit, proposals, tasks and their receipts are kept."""

from __future__ import annotations

import logfire

from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event

_BATCH = 1000

# What a run and its sub-agents cost is kept longer, with the client it was about.
_RUNS = """
with old as (
  select run.id, coalesce(root.client_id, run.client_id) as client_id
  from agent_runs run left join slack_event_receipts r on r.id = run.receipt_id
  left join agent_runs root on root.id = run.parent_run_id
  where run.started_at < now() - make_interval(days => $1) and r.status is distinct from 'received'
  limit $2
), kept as (
  update ai_token_usage u set client_id = old.client_id from old, agent_runs r
  where r.id = u.run_id and old.id in (r.id, r.parent_run_id) and old.client_id is not null
)
delete from agent_runs using old where agent_runs.id = old.id
"""
_DELETE = """
delete from {table} where ctid in (select ctid from {table} as old where {condition} limit $2)
"""
# The tables besides, and which of their rows are old.
_OLD_ROWS = {
    "deliveries": (
        "outbox",
        """created_at < now() - make_interval(days => $1)
  and state in ('sent', 'dead') and kind <> 'home'
  and (proposal_ids = '{}' or kind = 'card_update')""",
    ),
    "receipts": (
        "slack_event_receipts",
        """received_at < now() - make_interval(days => $1) and status <> 'received'
  and not exists (select from proposals p where p.receipt_id = old.id)
  and not exists (select from proposals p where p.confirming_receipt_id = old.id)
  and not exists (select from outbox o where o.receipt_id = old.id)
  and not exists (select from agent_runs a where a.receipt_id = old.id)""",
    ),
    "sessions": (
        "playbook_sessions",
        """last_message_at < now() - make_interval(days => $1)
  and not exists (select from agent_runs a where a.session_id = old.id)""",
    ),
    # A question that nobody asked again for 180 days is no longer a gap.
    "gaps": (
        "knowledge_gaps",
        """settled_at < now() - make_interval(days => $1)
  or last_asked < now() - make_interval(days => greatest($1, 180))""",
    ),
    "shown_threads": (
        "slack_sessions",
        "changed_at is null and shown_at < now() - make_interval(days => $1)",
    ),
    "digests": ("thread_digests", "made_at < now() - make_interval(days => $1)"),
    "clickup_reads": ("clickup_reads", "read_at < now() - make_interval(days => $1)"),
    # Reports compare with the year before, and these rows hold no message text.
    "costs": ("ai_token_usage", "created_at < now() - make_interval(days => greatest($1, 400))"),
}
# The order matters: a receipt can be deleted only after the runs and deliveries that refer to it.
_DELETES = {"runs": _RUNS} | {
    kind: _DELETE.format(table=table, condition=condition)
    for kind, (table, condition) in _OLD_ROWS.items()
}


async def forget_old(db: Database, days: int) -> dict[str, int]:
    """Delete rows older than `days`, audit that, and return how many of each kind are gone.

    They go in batches of 1,000, so that no lock is held for long; messages and tool results go with
    their run. Costs are kept for at least 400 days, open gaps for at least 180.
    """
    counts = {kind: await _delete_all(db, statement, days) for kind, statement in _DELETES.items()}
    logfire.info("old rows removed", days=days, removed=counts)
    if any(counts.values()):
        async with db.transaction() as conn:
            await record_event(conn, "retention", reason=f"{days} days", payload=counts)
    return counts


async def _delete_all(db: Database, statement: str, days: int) -> int:
    total = 0
    while True:
        done = await db.pool.execute(statement, days, _BATCH)
        removed = int(done.rpartition(" ")[2])
        total += removed
        if removed < _BATCH:
            return total
