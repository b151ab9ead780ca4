"""Client rows, read under a lock and written inside the caller's transaction."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.client_records import ClientFacts, ClientRecordChange, CreateClient
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.text import folded
from agencyclaw.store.engine import Connection

_READ = """
select name, status, context_summary as summary, target_audience as audience,
  positioning_notes as positioning
from agency_clients where id = $1
"""
_OTHERS = "select name from agency_clients where id is distinct from $1"
_CREATE = """
insert into agency_clients (name, status, context_summary, target_audience, positioning_notes, id)
values ($1, $2, $3, $4, $5, coalesce($6, gen_random_uuid())) returning id
"""
_UPDATE = """
update agency_clients set name = $2, status = $3, context_summary = $4, target_audience = $5,
  positioning_notes = $6, updated_at = now()
where id = $1
"""
_IS_ACTIVE = "select true from agency_clients where id = $1 and status = 'active' for share"


async def is_active(conn: Connection, client_id: UUID) -> bool:
    """Whether there is such a client, until the transaction ends; it is not archived or paused."""
    return await conn.fetchval(_IS_ACTIVE, client_id) is not None


class ClientProfileRow:
    """A client; reading it lets nobody else change clients until the transaction ends."""

    def __init__(self, conn: Connection, effect: ClientRecordChange) -> None:
        self._conn, self._effect = conn, effect

    async def read(self) -> ClientFacts | None:
        """Return what is recorded; None if the client is new or was deleted."""
        await self._conn.execute("lock table agency_clients in share row exclusive mode")
        row = await self._conn.fetchrow(_READ, self._effect.client_id)
        return ClientFacts(**row) if row else None

    async def write(self, now: ClientFacts | None, proposal: Proposal) -> str | None:
        """Insert or change the client; None if its name is taken."""
        _ = now, proposal
        after, client_id = self._effect.becomes, self._effect.client_id
        others = await self._conn.fetch(_OTHERS, client_id)
        if after is None or any(folded(other["name"]) == folded(after.name) for other in others):
            return None
        values = (after.name, after.status, after.summary, after.audience, after.positioning)
        if isinstance(self._effect, CreateClient):
            return str(await self._conn.fetchval(_CREATE, *values, self._effect.new_id))
        await self._conn.execute(_UPDATE, client_id, *values)
        return str(client_id)
