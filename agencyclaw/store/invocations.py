"""The log of confirmed effects: one row per confirmed proposal, one per repeated confirmation."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from agencyclaw.domain.people import Actor
from agencyclaw.domain.proposals import Proposal
from agencyclaw.store.engine import Connection

InvocationStatus = Literal["success", "failed", "duplicate"]

_CONFIRMED = """
insert into skill_invocation_log (skill_id, idempotency_key, proposal_id, requested_by,
  confirmed_by)
values ($1, $2, $3, $4, $5)
on conflict (idempotency_key) do update set status = 'pending', result = null, completed_at = null
"""
_REPLAY = """
insert into skill_invocation_log (skill_id, idempotency_key, proposal_id, requested_by,
  confirmed_by, status, result, completed_at)
select skill_id, idempotency_key || ':' || $2::bigint, proposal_id, requested_by, $3, 'duplicate',
  jsonb_build_object('replay_of', idempotency_key), now()
from skill_invocation_log
where proposal_id = $1 and idempotency_key = $4 and status in ('pending', 'success')
on conflict (idempotency_key) do nothing
"""
_OUTCOME = """
update skill_invocation_log set status = $2, result = $3, completed_at = now()
where idempotency_key = $1
"""


async def log_confirmed(conn: Connection, proposal: Proposal) -> None:
    """Log a confirmed effect; confirming a failed one again reuses its row."""
    effect, by = proposal.effect, proposal.confirmed_by
    key, requester = proposal.id.hex, proposal.actor_profile_id
    await conn.execute(_CONFIRMED, effect.skill, key, proposal.id, requester, by)


async def log_replay(conn: Connection, proposal_id: UUID, *, by: Actor, receipt_id: int) -> None:
    """Log a repeated confirmation of something running or done; it changes nothing."""
    await conn.execute(_REPLAY, proposal_id, receipt_id, by.profile_id, proposal_id.hex)


async def log_outcome(
    conn: Connection, proposal: Proposal, status: InvocationStatus, result: dict[str, Any] | None
) -> None:
    """Log how an effect ended: success, failed or duplicate.

    `result` is the handler's JSON, None if there is none.
    """
    await conn.execute(_OUTCOME, proposal.id.hex, status, result)
