"""The audit: refusals, consents, orphans. Rows are added, never changed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from agencyclaw.store.engine import Connection

_ADD = """
insert into agent_events (event_type, reason, actor_profile_id, slack_user_id, run_id, proposal_id,
  payload)
values ($1, $2, $3, $4, $5, $6, $7)
"""


async def record_event(
    conn: Connection,
    event_type: str,
    *,
    reason: str | None = None,
    actor: UUID | None = None,
    slack_user_id: str | None = None,
    run_id: UUID | None = None,
    proposal_id: UUID | None = None,
    payload: dict[str, Any] | None = None,
) -> None:
    """Add one audit row inside the caller's transaction (or on a pool)."""
    await conn.execute(
        _ADD, event_type, reason, actor, slack_user_id, run_id, proposal_id, payload or {}
    )
