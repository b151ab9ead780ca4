"""Channel bindings: which client or brand a channel is for, since when, and who decided it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from agencyclaw.domain.channel_links import ChannelOwner
from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ChannelScope, Value
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection, Database, Record
from agencyclaw.store.homes import wake_homes
from agencyclaw.store.person_names import DISPLAY_NAME
from agencyclaw.store.schedule_notices import pause

# A brand that was archived, or moved to another client, leaves the channel to the client alone.
_READ = f"""
select b.client_id, c.name as client, r.id as brand_id, r.name as brand,
  b.brand_id is not null and r.id is null as has_lost_brand,
  b.created_at as since, {DISPLAY_NAME} as by
from surface_bindings b
left join agency_clients c on c.id = b.client_id
left join brands r
  on r.id = b.brand_id and r.client_id = b.client_id and r.status = 'active'
left join profiles p on p.id = b.created_by
where b.team_id = $1 and b.channel_id = $2 and (b.scope = 'internal' or c.id is not null)
"""  # noqa: S608
_CLIENTS = """
select channel_id, client_id from surface_bindings where team_id = $1 and client_id is not null
"""
_BIND = """
insert into surface_bindings (team_id, channel_id, scope, client_id, brand_id, created_by)
values ($1, $2, $3, $4, $5, $6)
on conflict (team_id, channel_id) do update set scope = excluded.scope,
  client_id = excluded.client_id, brand_id = excluded.brand_id, created_by = excluded.created_by,
  created_at = now()
"""
# Locked before any Home tab, as whatever else pauses or ends one does.
_ANSWERED_THERE = """
select s.id, now() as at
from schedules s join surface_bindings b on b.team_id = s.team_id and b.channel_id = s.channel_id
where s.team_id = $1 and s.channel_id = $2 and s.is_in_channel and s.active
  and s.paused_because is null and (b.scope, b.client_id) is distinct from ($3, $4::uuid)
order by s.id for update of s
"""
_UNBIND = "delete from surface_bindings where team_id = $1 and channel_id = $2"


class Binding(Value):
    """Whose a channel is, and who said so when.

    `has_lost_brand`: its brand was archived or moved, so the channel is the client's alone.
    """

    owner: ChannelOwner
    has_lost_brand: bool
    by: str | None
    since: datetime


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
    """Bind a channel to a client and perhaps its brand, or to the agency itself.

    What is answered there regularly was asked about whose it was: if that changes, it is paused.
    """
    kind, client_id, brand_id = owner
    answered = await conn.fetch(_ANSWERED_THERE, team_id, channel_id, kind.value, client_id)
    await conn.execute(_BIND, team_id, channel_id, kind.value, client_id, brand_id, by)
    await _pause(conn, team_id, answered, message("schedules.another_owner"))


async def unbind(conn: Connection, team_id: str, channel_id: str) -> None:
    """Remove a channel's binding; what is answered there regularly is paused."""
    answered = await conn.fetch(_ANSWERED_THERE, team_id, channel_id, None, None)
    await conn.execute(_UNBIND, team_id, channel_id)
    await _pause(conn, team_id, answered, message("schedules.no_owner"))


async def _pause(conn: Connection, team_id: str, answered: list[Record], why: str) -> None:
    """Pause schedules of a channel whose new owner is stored, so that no alert goes there."""
    if answered:
        # All tabs in one order, as the card of the press wakes them afterwards: no deadlock.
        await wake_homes(conn, team_id)
    for row in answered:
        await pause(conn, row["id"], why, planned=row["at"])


def _binding(row: Record | None) -> Binding | None:
    if row is None:
        return None
    owner = ChannelOwner(client=_named(row, "client"), brand=_named(row, "brand"))
    return Binding(owner=owner, **{name: row[name] for name in ("has_lost_brand", "by", "since")})


def _named(row: Record, what: str) -> Named | None:
    return Named(id=row[f"{what}_id"], name=row[what]) if row[f"{what}_id"] else None
