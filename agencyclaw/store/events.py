"""The audit log, and the log of confirmed effects. Audit rows are only ever added.

Hot path: every consent and execution.
"""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from agencyclaw.domain.journal import RefusedCall
from agencyclaw.domain.people import Actor
from agencyclaw.domain.proposals import Proposal
from agencyclaw.store.engine import Connection, Database, Executor

_ADD = """
insert into agent_events (event_type, reason, actor_profile_id, slack_user_id, run_id, proposal_id,
  payload, client_id)
select $1, $2, $3, $4, $5, $6, $7, (select client_id from agent_runs where id = coalesce(
  $5::uuid, (select run_id from proposals where id = $6::uuid)))
"""

_REFUSED = """
insert into agent_events (event_type, reason, actor_profile_id, slack_user_id, run_id, payload,
  client_id)
select 'tool_refused', refused.reason, r.actor_profile_id, w.slack_user_id, r.id, refused.payload,
  r.client_id
from agent_runs r left join slack_event_receipts w on w.id = r.receipt_id,
  unnest($2::text[], $3::jsonb[]) as refused(reason, payload)
where r.id = $1
"""
InvocationStatus = Literal["success", "failed", "duplicate"]
_LOG_CONFIRMED = """
insert into skill_invocation_log (skill_id, idempotency_key, proposal_id, requested_by,
  confirmed_by)
values ($1, $2, $3, $4, $5)
on conflict (idempotency_key) do update set status = 'pending', result = null, completed_at = null
"""
_LOG_REPLAY = """
insert into skill_invocation_log (skill_id, idempotency_key, proposal_id, requested_by,
  confirmed_by, status, result, completed_at)
select skill_id, idempotency_key || ':' || $2::bigint, proposal_id, requested_by, $3, 'duplicate',
  jsonb_build_object('replay_of', idempotency_key), now()
from skill_invocation_log
where proposal_id = $1 and idempotency_key = $4 and status in ('pending', 'success')
on conflict (idempotency_key) do nothing
"""
_LOG_OUTCOME = """
update skill_invocation_log set status = $2, result = $3, completed_at = now()
where idempotency_key = $1
"""


async def record_event(
    conn: Executor,
    event_type: str,
    *,
    reason: str | None = None,
    actor: UUID | None = None,
    slack_user_id: str | None = None,
    run_id: UUID | None = None,
    proposal_id: UUID | None = None,
    payload: dict[str, Any] | None = None,
) -> None:
    """Add one audit row inside the caller's transaction, or on a pool.

    Its client is the one that the run, or the run that proposed it, is about.
    """
    await conn.execute(
        _ADD, event_type, reason, actor, slack_user_id, run_id, proposal_id, payload or {}
    )


class Audit:
    """Writes audit rows outside any transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def turned_away(
        self, reason: str, *, slack_user_id: str, payload: dict[str, Any]
    ) -> None:
        """Record a press that was refused: forged, outdated or from another place."""
        await record_event(
            self._db.pool,
            "press_refused",
            reason=reason,
            slack_user_id=slack_user_id,
            payload=payload,
        )


async def record_refusals(conn: Connection, run_id: UUID, refused: tuple[RefusedCall, ...]) -> None:
    """Add one audit row per refused tool call, with rule, person and place."""
    if refused:
        payloads = [one.meta | {"skill": one.skill} for one in refused]
        await conn.execute(_REFUSED, run_id, [one.reason for one in refused], payloads)


async def log_confirmed(conn: Connection, proposal: Proposal) -> None:
    """Log a confirmed effect; confirming a failed one again reuses its row."""
    effect, by = proposal.effect, proposal.confirmed_by
    key, requester = proposal.id.hex, proposal.actor_profile_id
    await conn.execute(_LOG_CONFIRMED, effect.skill, key, proposal.id, requester, by)


async def log_replay(conn: Connection, proposal_id: UUID, *, by: Actor, receipt_id: int) -> None:
    """Log a repeated confirmation of something running or done; it changes nothing."""
    await conn.execute(_LOG_REPLAY, proposal_id, receipt_id, by.profile_id, proposal_id.hex)


async def log_outcome(
    conn: Connection, proposal: Proposal, status: InvocationStatus, result: dict[str, Any] | None
) -> None:
    """Log how an effect ended: success, failed or duplicate.

    `result` is the handler's JSON, None if there is none.
    """
    await conn.execute(_LOG_OUTCOME, proposal.id.hex, status, result)
