"""Role slots of clients and brands: reads and locks one, and changes who holds it."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.assignments import SlotChange
from agencyclaw.domain.clients import Named
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.team import HeldSlot
from agencyclaw.store.engine import Connection
from agencyclaw.store.people_lock import lock_people
from agencyclaw.store.person_names import FULL_NAME

_HOLDER = f"""
select p.id, {FULL_NAME} as name
from client_assignments a
join agency_roles r on r.id = a.role_id
join profiles p on p.id = a.team_member_id
where a.client_id = $1 and a.brand_id is not distinct from $2 and r.slug = $3
for update of a
"""  # noqa: S608

_FILL = """
insert into client_assignments (client_id, brand_id, role_id, team_member_id, assigned_by)
select $1, $2, r.id, $4, $5 from agency_roles r
join profiles p on p.id = $4 and p.employment_status <> 'inactive'
where r.slug = $3
returning id
"""

_REPLACE = """
update client_assignments a set team_member_id = $4, assigned_by = $5, assigned_at = now()
from agency_roles r, profiles p
where r.id = a.role_id and r.slug = $3 and p.id = $4 and p.employment_status <> 'inactive'
  and a.client_id = $1 and a.brand_id is not distinct from $2 and a.team_member_id = $6
returning a.id
"""

_FREE = """
delete from client_assignments a using agency_roles r
where r.id = a.role_id and r.slug = $3 and a.client_id = $1
  and a.brand_id is not distinct from $2 and a.team_member_id = $4
returning a.id
"""

_BENCH = """
update profiles p set bench_status =
  case when exists (select 1 from client_assignments a where a.team_member_id = p.id)
    then 'assigned' else 'available' end
where p.id = any($1) and p.bench_status <> 'unavailable'
"""


class SlotKey(NamedTuple):
    """A role of a client or of one of its brands."""

    client_id: UUID
    brand_id: UUID | None
    role: str

    @classmethod
    def of(cls, slot: HeldSlot | SlotChange) -> SlotKey:
        """Return the key of a slot."""
        return cls(slot.client.id, slot.brand.id if slot.brand else None, slot.role.slug)


async def holder_of(conn: Connection, slot: SlotKey) -> Named | None:
    """Lock a role slot and return who holds it; None if nobody does."""
    row = await conn.fetchrow(_HOLDER, *slot)
    return Named(**row) if row else None


async def fill_slot(
    conn: Connection, slot: SlotKey, now: Named | None, person: Named, *, by: UUID | None
) -> UUID | None:
    """Give a slot, held by `now`, to an active person; None if the person is not active."""
    if now:
        return await conn.fetchval(_REPLACE, *slot, person.id, by, now.id)
    return await conn.fetchval(_FILL, *slot, person.id, by)


async def update_benches(conn: Connection, profile_ids: list[UUID]) -> None:
    """Bring up to date which of these people have a role."""
    await conn.execute(_BENCH, profile_ids)


class SlotRecord:
    """One role slot, used within the caller's transaction."""

    def __init__(self, conn: Connection, effect: SlotChange) -> None:
        self._conn, self._effect = conn, effect
        self._slot = SlotKey.of(effect)

    async def read(self) -> Named | None:
        """Lock people and their roles, and return who holds the slot; None if nobody does."""
        await lock_people(self._conn)
        return await holder_of(self._conn, self._slot)

    async def write(self, now: Named | None, proposal: Proposal) -> str | None:
        """Assign an active person, or clear the slot; returns None if the person is not active."""
        becomes, by = self._effect.becomes, proposal.confirmed_by
        if becomes:
            found = await fill_slot(self._conn, self._slot, now, becomes, by=by)
        else:
            found = await self._conn.fetchval(_FREE, *self._slot, now and now.id)
        await update_benches(self._conn, [one.id for one in (becomes, now) if one])
        return str(found) if found else None
