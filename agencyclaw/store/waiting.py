"""Work that waits for an unavailable service: since when, and without counting its attempts."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.proposals import WAITING, Proposal
from agencyclaw.domain.receipts import Receipt, ReceiptKind
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.proposals import fetch_proposal

# Messages behind it in the lane wait for the same service. A run that it had begun is over.
_WAIT = """
with ended as (
  update agent_runs set status = 'cancelled', error_message = 'waits', completed_at = now()
  where receipt_id = $1 and status = 'running'
)
update slack_event_receipts set waits = waits + (id = $1)::int,
  waiting_since = coalesce(waiting_since, now())
where status = 'received'
  and (id = $1 or ($3 and lane = $2 and event_type = 'message'))
returning id, extract(epoch from now() - waiting_since)::float8 as waited_s
"""

_PASSED = """
update slack_event_receipts set waiting_since = null
where lane = $1 and id <> $2 and status = 'received' and event_type = 'message'
"""

_START_WAITING = """
update proposals set waiting_since = coalesce(waiting_since, now())
where id = $1 and state in ('executing', 'unclear')
returning extract(epoch from now() - waiting_since)::float8
"""

_POSTPONE = """
update proposals set state = 'confirmed', reason = $2, result = jsonb_build_object('for', $3::text)
where id = $1 and state in ('executing', 'unclear')
"""

_RELEASE = """
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
        """Do not count this attempt; returns for how many seconds the message has waited.

        Messages behind it in its lane start to wait with it.
        """
        is_message = receipt.incoming.kind is ReceiptKind.MESSAGE
        lane = receipt.incoming.place.key
        rows = await self._db.pool.fetch(_WAIT, receipt.id, lane, is_message)
        return next((row["waited_s"] for row in rows if row["id"] == receipt.id), 0.0)

    async def passed(self, receipt: Receipt) -> None:
        """Record that the service is back: waiting messages behind start counting afresh."""
        await self._db.pool.execute(_PASSED, receipt.incoming.place.key, receipt.id)


async def start_waiting(conn: Connection, proposal_id: UUID) -> float | None:
    """Mark an effect as waiting; returns for how many seconds it has, None if it has ended."""
    return await conn.fetchval(_START_WAITING, proposal_id)


async def postpone(conn: Connection, proposal_id: UUID, what_for: str) -> None:
    """Put an effect back to confirmed: it waits, and its card says for what."""
    await conn.execute(_POSTPONE, proposal_id, WAITING, what_for)


async def release(conn: Connection, proposal_id: UUID) -> Proposal | None:
    """Undo a consent that waited in vain: the proposal is open again, or expired.

    None if that is impossible: it had ended before that consent, or it undoes another effect.
    """
    return await fetch_proposal(conn, _RELEASE, proposal_id)
