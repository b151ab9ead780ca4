"""Channel bindings: which client a channel belongs to, since when, and who decided it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from agencyclaw.domain.people import ChannelScope, ScopeKind, Value
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection, Database, Record
from agencyclaw.store.person_names import DISPLAY_NAME

_READ = f"""
select b.scope, b.client_id, c.name as client, b.created_at as since, {DISPLAY_NAME} as by
from surface_bindings b
left join agency_clients c on c.id = b.client_id
left join profiles p on p.id = b.created_by
where b.team_id = $1 and b.channel_id = $2
"""  # noqa: S608
_CLIENTS = """
select channel_id, client_id from surface_bindings where team_id = $1 and client_id is not null
"""
_BIND = """
insert into surface_bindings (team_id, channel_id, scope, client_id, created_by)
values ($1, $2, $3, $4, $5)
on conflict (team_id, channel_id) do update set scope = excluded.scope,
  client_id = excluded.client_id, brand_id = null, created_by = excluded.created_by,
  created_at = now()
"""
_UNBIND = "delete from surface_bindings where team_id = $1 and channel_id = $2"


class Binding(Value):
    """A channel's scope and client, and who set them when."""

    scope: ScopeKind
    client_id: UUID | None
    client: str | None
    by: str | None
    since: datetime

    @property
    def owner(self) -> ChannelScope:
        """Whose the channel is."""
        return ChannelScope(self.scope, self.client_id)


async def read_binding(db: Database, team_id: str, channel_id: str) -> Binding | None:
    """Return a channel's binding; None if nobody set one."""
    return _binding(await db.pool.fetchrow(_READ, team_id, channel_id))


async def clients_of_channels(db: Database, team_id: str) -> dict[str, UUID]:
    """Return the client of each channel that belongs to one."""
    rows = await db.pool.fetch(_CLIENTS, team_id)
    return {row["channel_id"]: row["client_id"] for row in rows}


async def hold_binding(conn: Connection, team_id: str, channel_id: str) -> Binding | None:
    """Lock a channel's binding until the transaction ends, and return it; None if there is none."""
    await lock_until_commit(conn, LockKind.BINDING, f"{team_id}:{channel_id}")
    return _binding(await conn.fetchrow(_READ, team_id, channel_id))


async def bind(
    conn: Connection,
    team_id: str,
    channel_id: str,
    *,
    owner: ChannelScope,
    by: UUID,
) -> None:
    """Bind a channel to a client, or to the agency itself."""
    await conn.execute(_BIND, team_id, channel_id, owner.kind.value, owner.client_id, by)


async def unbind(conn: Connection, team_id: str, channel_id: str) -> None:
    """Remove a channel's binding."""
    await conn.execute(_UNBIND, team_id, channel_id)


def _binding(row: Record | None) -> Binding | None:
    return Binding(**row) if row else None
