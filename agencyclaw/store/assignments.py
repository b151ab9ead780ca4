"""Role slots: one person per role of a client or brand, changed only inside a transaction."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.clients import Named
from agencyclaw.store.engine import Connection

_NAME = "coalesce(nullif(trim(p.full_name), ''), nullif(trim(p.display_name), ''), p.email)"

_HOLDER = f"""
select p.id, {_NAME} as name
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
on conflict do nothing
"""

_REPLACE = """
update client_assignments a set team_member_id = $4, assigned_by = $5, assigned_at = now()
from agency_roles r, profiles p
where r.id = a.role_id and r.slug = $3 and p.id = $4 and p.employment_status <> 'inactive'
  and a.client_id = $1 and a.brand_id is not distinct from $2 and a.team_member_id = $6
"""

_FREE = """
delete from client_assignments a using agency_roles r
where r.id = a.role_id and r.slug = $3 and a.client_id = $1
  and a.brand_id is not distinct from $2 and a.team_member_id = $4
"""

_BENCH = """
update profiles p set bench_status =
  case when exists (select 1 from client_assignments a where a.team_member_id = p.id)
    then 'assigned' else 'available' end
where p.id = any($1) and p.bench_status <> 'unavailable'
"""


class SlotRecord:
    """One slot within the caller's transaction; `holder` locks it."""

    def __init__(self, conn: Connection, client_id: UUID, brand_id: UUID | None, role: str) -> None:
        self._conn = conn
        self._slot = (client_id, brand_id, role)

    async def holder(self) -> Named | None:
        """Return who holds the slot and keep others from changing it; None when it is open."""
        row = await self._conn.fetchrow(_HOLDER, *self._slot)
        return Named(id=row["id"], name=row["name"]) if row else None

    async def fill(self, person: UUID, *, by: UUID | None, instead_of: UUID | None) -> bool:
        """Put an active person into the slot; False when nothing could be written."""
        if instead_of is None:
            done = await self._conn.execute(_FILL, *self._slot, person, by)
        else:
            done = await self._conn.execute(_REPLACE, *self._slot, person, by, instead_of)
        await self._conn.execute(_BENCH, [one for one in (person, instead_of) if one])
        return done in ("INSERT 0 1", "UPDATE 1")

    async def free(self, person: UUID) -> bool:
        """Take a person off the slot; False when they don't hold it."""
        done = await self._conn.execute(_FREE, *self._slot, person)
        await self._conn.execute(_BENCH, [person])
        return done == "DELETE 1"
