"""The audit log: refusals, consents, lost messages. Rows are only ever added."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from agencyclaw.domain.journal import RefusedCall
from agencyclaw.store.engine import Connection, Database

_ADD = """
insert into agent_events (event_type, reason, actor_profile_id, slack_user_id, run_id, proposal_id,
  payload)
values ($1, $2, $3, $4, $5, $6, $7)
"""

_REFUSED = """
insert into agent_events (event_type, reason, actor_profile_id, slack_user_id, run_id, payload)
select 'tool_refused', refused.reason, r.actor_profile_id, w.slack_user_id, r.id, refused.payload
from agent_runs r left join slack_event_receipts w on w.id = r.receipt_id,
  unnest($2::text[], $3::jsonb[]) as refused(reason, payload)
where r.id = $1
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
