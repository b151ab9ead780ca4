"""Brand rows, read under a lock and written inside the caller's transaction."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from agencyclaw.domain.brands import (
    BrandChange,
    BrandFacts,
    DeleteBrand,
    ExistingBrandChange,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.records import NotWritten, stored
from agencyclaw.domain.text import folded
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection

Half = Literal["space", "list"]

_READ = """
select id, client_id, name, status, nullif(trim(clickup_space_id), '') as space,
  nullif(trim(clickup_list_id), '') as board, amazon_marketplaces as marketplaces,
  product_keywords as keywords, context_summary as summary, target_audience as audience,
  positioning_notes as positioning
from brands where id = $1 for update
"""

_OTHERS = "select name from brands where client_id = $1 and id is distinct from $2"

_IN_USE = """
select true from brands
where id = $1 and status = 'active' and ($2::uuid is null or client_id = $2) for share
"""
_HOLD_SIBLINGS = """
select from brands
where client_id in (select client_id from brands where id = any($1::uuid[]))
order by id for update
"""

_CREATE = """
insert into brands (client_id, name, status, clickup_space_id, clickup_list_id,
  amazon_marketplaces, product_keywords, context_summary, target_audience, positioning_notes)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
returning id
"""

_UPDATE = """
update brands set name = $2, status = $3, clickup_space_id = $4, clickup_list_id = $5,
  amazon_marketplaces = $6, product_keywords = $7, context_summary = $8, target_audience = $9,
  positioning_notes = $10, updated_at = now()
where id = $1
"""

_SET_HALF = {
    "space": "update brands set clickup_space_id = $2, updated_at = now() where id = $1",
    "list": "update brands set clickup_list_id = $2, updated_at = now() where id = $1",
}
FIELDS = tuple(BrandFacts.model_fields)
# What still hangs on a brand, in the words of a refusal.
USES = """
select array_remove(array[
  case when nullif(trim(b.clickup_space_id), '') is not null
    or nullif(trim(b.clickup_list_id), '') is not null then 'a ClickUp link' end,
  case when exists (select from client_assignments where brand_id = b.id) then 'roles' end,
  case when exists (
    select from brand_market_kpi_targets where brand_id = b.id and active) then 'targets' end,
  case when exists (
    select from brand_market_kpi_results where brand_id = b.id and active) then 'results' end,
  case when exists (select from catalog_products where brand_id = b.id and active)
    then 'products' end,
  case when exists (select from surface_bindings where brand_id = b.id) then 'a channel' end,
  case when exists (select from agent_tasks where brand_id = b.id) then 'tasks' end
], null) from brands b where b.id = $1
"""


async def hold_siblings(conn: Connection, brand_ids: list[UUID]) -> None:
    """Lock these brands and all others of their clients until the transaction ends.

    Called before anything is written and in one order, to avoid deadlocks.
    """
    await conn.execute(_HOLD_SIBLINGS, brand_ids)


async def is_taken(conn: Connection, client_id: UUID, name: str, apart_from: UUID | None) -> bool:
    """Return whether the client has another brand of this name, ignoring case and punctuation."""
    rows = await conn.fetch(_OTHERS, client_id, apart_from)
    return any(folded(row["name"]) == folded(name) for row in rows)


async def is_in_use(conn: Connection, brand_id: UUID, client_id: UUID | None = None) -> bool:
    """Return whether a brand, of this client if given, is in use; it stays so until the commit."""
    return await conn.fetchval(_IN_USE, brand_id, client_id) is not None


async def read_brand(conn: Connection, brand_id: UUID) -> dict[str, Any] | None:
    """Lock a brand and return its fields; None if it does not exist."""
    row = await conn.fetchrow(_READ, brand_id)
    if row is None:
        return None
    lists = {name: tuple(row[name]) for name in ("marketplaces", "keywords")}
    return {name: row[name] for name in FIELDS} | lists


async def write_half(conn: Connection, brand_id: UUID, half: Half, value: str | None) -> None:
    """Write one half of a brand's ClickUp link: its space or its list."""
    await conn.execute(_SET_HALF[half], brand_id, value)


class BrandRecord:
    """A brand within the caller's transaction; reading it locks it and the client's brand names."""

    def __init__(self, conn: Connection, effect: BrandChange) -> None:
        self._conn, self._effect = conn, effect
        self._id = effect.brand.id if isinstance(effect, ExistingBrandChange) else None

    async def read(self) -> BrandFacts | None:
        """Return the stored fields; None if the brand is new or was deleted."""
        await lock_until_commit(self._conn, LockKind.BRAND_NAMES, str(self._effect.client.id))
        if not isinstance(self._effect, ExistingBrandChange):
            return None
        row = await read_brand(self._conn, self._effect.brand.id)
        return self._effect.facts_of(row) if row else None

    async def write(self, now: BrandFacts | None, proposal: Proposal) -> str | NotWritten | None:
        """Insert, change or delete the brand; None if its name is taken."""
        _ = proposal
        if isinstance(self._effect, DeleteBrand):
            return await self._delete(self._effect)
        client_id, becomes = self._effect.client.id, self._effect.becomes
        if not becomes:
            return None
        # A change of other fields leaves the name that it has by now.
        after = self._effect.merged(now, becomes)
        if await is_taken(self._conn, client_id, after.name, self._id):
            return None
        values = [stored(getattr(after, name)) for name in FIELDS]
        if self._id:
            await self._conn.execute(_UPDATE, self._id, *values)
        return str(self._id or await self._conn.fetchval(_CREATE, client_id, *values))

    async def _delete(self, effect: DeleteBrand) -> str | NotWritten:
        uses: list[str] = await self._conn.fetchval(USES, effect.brand.id)
        if uses:
            why = message("brands.still_used", brand=effect.brand.name, uses=", ".join(uses))
            return NotWritten(why, reason="still_used")
        await self._conn.execute("delete from brands where id = $1", effect.brand.id)
        return str(effect.brand.id)
