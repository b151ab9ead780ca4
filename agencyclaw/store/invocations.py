"""The log of released effects: one row per proposal that a person confirmed."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.proposals import Proposal
from agencyclaw.store.engine import Connection


async def log_release(conn: Connection, proposal: Proposal) -> None:
    """Note that a person released an effect; confirming a failed one anew reuses the row."""
    await conn.execute(
        "insert into skill_invocation_log (skill_id, idempotency_key, proposal_id, requested_by,"
        " confirmed_by) values ($1, $2, $3, $4, $5)"
        " on conflict (idempotency_key) do update set status = 'pending', completed_at = null",
        proposal.effect.skill,
        proposal.id.hex,
        proposal.id,
        proposal.actor_profile_id,
        proposal.confirmed_by,
    )


async def log_outcome(
    conn: Connection, proposal: Proposal, status: str, result: dict[str, Any] | None
) -> None:
    """Note how a released effect ended: success, failed or duplicate."""
    await conn.execute(
        "update skill_invocation_log set status = $2, result = $3, completed_at = now()"
        " where idempotency_key = $1",
        proposal.id.hex,
        status,
        result,
    )
