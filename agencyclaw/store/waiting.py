"""Since when messages and confirmed effects have waited for an unavailable service.

An attempt that only found a service unavailable is no failure, and is counted apart.
"""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.proposals import WAITING, Proposal
from agencyclaw.domain.receipts import Receipt
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.proposals import fetch_proposal

# Messages behind it in its own lane, which is another one in the background, wait for the same
# service. A run that it had begun is over.
_WAIT_ON = """
with ended as (
  update agent_runs set status = 'cancelled', error_message = 'waits', completed_at = now()
  where receipt_id = $1 and status = 'running'
)
update slack_event_receipts r set waits = r.waits + (r.id = $1)::int,
  waiting_since = coalesce(r.waiting_since, now())
from slack_event_receipts own
where own.id = $1 and r.status = 'received' and (r.id = $1
  or own.event_type = 'message' and r.event_type = 'message' and r.lane = own.lane)
returning r.id, extract(epoch from now() - r.waiting_since)::float8 as waited_s
"""

_RESET_LANE = """
update slack_event_receipts set waiting_since = null
where lane = (select lane from slack_event_receipts where id = $1) and id <> $1
  and status = 'received' and event_type = 'message'
"""

_EFFECT_WAITS = """
update proposals set waiting_since = coalesce(waiting_since, now())
where id = $1 and state in ('executing', 'unclear')
returning extract(epoch from now() - waiting_since)::float8
"""

_BACK_TO_CONFIRMED = """
update proposals set state = 'confirmed', reason = $2, result = jsonb_build_object('for', $3::text)
where id = $1 and state in ('executing', 'unclear')
"""

_BACK_TO_OPEN = """
update proposals set reason = null, result = null, waiting_since = null, confirmed_by = null,
  confirming_receipt_id = null, settled_by = null,
  state = case when expires_at > now() then 'open' else 'expired' end,
  settled_at = case when expires_at > now() then null else now() end
where id = $1 and state = 'executing' and settled_at is null and undo_of is null
returning *
"""


class Waits:
    """Messages and presses that wait for a service."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def wait(self, receipt: Receipt) -> float:
        """Let it wait on, and return for how many seconds it has waited.

        Messages behind it in its lane start to wait with it.
        """
        rows = await self._db.pool.fetch(_WAIT_ON, receipt.id)
        return next((row["waited_s"] for row in rows if row["id"] == receipt.id), 0.0)

    async def service_is_back(self, receipt: Receipt) -> None:
        """Let the messages behind it in its lane, which waited with it, count from now on."""
        await self._db.pool.execute(_RESET_LANE, receipt.id)


async def start_waiting(conn: Connection, proposal_id: UUID) -> float | None:
    """Let an effect wait, or wait on; returns for how many seconds, None if it has ended."""
    return await conn.fetchval(_EFFECT_WAITS, proposal_id)


async def postpone(conn: Connection, proposal_id: UUID, what_for: str) -> None:
    """Put an effect back to confirmed: it waits, and its card says for what."""
    await conn.execute(_BACK_TO_CONFIRMED, proposal_id, WAITING, what_for)


async def release(conn: Connection, proposal_id: UUID) -> Proposal | None:
    """Drop a consent that waited in vain: the proposal is open again, or expired by now.

    None where there is no way back: it had ended once before that consent, or undoes an effect.
    """
    return await fetch_proposal(conn, _BACK_TO_OPEN, proposal_id)
