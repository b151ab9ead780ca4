"""Caches all active clients and all brands, archived ones included, in this process.

`directory_stamp` gets a new value, in the same transaction, with every change to a client, a brand
or a space's classification. A snapshot is valid while its stamp is the current one, so a read costs
one small query however large the agency is.

Hot path: every message that names a client or a brand.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.text import folded
from agencyclaw.store.engine import Database, Executor

CLIENT = """
select id, name, status, context_summary as summary, target_audience as audience,
  positioning_notes as positioning
from agency_clients
"""
_CLIENTS = CLIENT + "where status = 'active'"

_BRANDS = """
select b.id, b.client_id, b.name, nullif(trim(b.clickup_space_id), '') as space_id,
  nullif(trim(b.clickup_list_id), '') as list_id, b.amazon_marketplaces as marketplaces,
  b.product_keywords, b.status, b.context_summary as summary, b.target_audience as audience,
  b.positioning_notes as positioning,
  nullif(trim(b.clickup_space_id), '') is null
    or coalesce(s.classification = 'brand_scoped' and s.active, false) as is_routable
from brands b left join clickup_space_registry s on s.space_id = trim(b.clickup_space_id)
where $1::uuid[] is null or b.client_id = any($1)
"""


class DirectorySnapshot(NamedTuple):
    """The active clients and all brands, each sorted by name, and the stamp of the read."""

    stamp: UUID
    clients: tuple[Client, ...]
    brands: tuple[Brand, ...]


class DirectoryCache:
    """Returns the cached snapshot, or reads a new one if the stamp has changed."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._kept: DirectorySnapshot | None = None

    async def read(self) -> DirectorySnapshot:
        """Return a current snapshot."""
        return await self.as_of(await self._db.pool.fetchval("select stamp from directory_stamp"))

    async def as_of(self, stamp: UUID) -> DirectorySnapshot:
        """Return a snapshot at least as new as `stamp`, which the caller has just read.

        A change during the read has a newer stamp, so the next call reads again.
        """
        if self._kept is None or self._kept.stamp != stamp:
            clients = [Client(**row) for row in await self._db.pool.fetch(_CLIENTS)]
            brands = await brands_of(self._db.pool, None)
            self._kept = DirectorySnapshot(
                stamp, tuple(sorted(clients, key=_by_name)), tuple(sorted(brands, key=_by_name))
            )
        return self._kept


async def brands_of(conn: Executor, client_ids: list[UUID] | None) -> list[Brand]:
    """Return the brands of these clients (None: of all clients), unsorted."""
    return [Brand(**row) for row in await conn.fetch(_BRANDS, client_ids)]


def _by_name(thing: Client | Brand) -> tuple[str, str]:
    return (folded(thing.name), str(thing.id))
