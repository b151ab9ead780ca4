"""Documents other than procedures: stored in versions, and used only after approval."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from agencyclaw.domain.errors import NotFound, Stale
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.document_states import audit_decision, move_versions
from agencyclaw.store.engine import Connection, Database, Record

Added = Literal["added", "changed", "unchanged"]

_NONE_WAITS = "No document waits under that name. `agencyclaw kb list` shows what does."
_CHANGED = "Its versions were changed meanwhile; look at `agencyclaw kb list` and try again."

_NEWEST = """
select version::int as version, checksum, state from knowledge_documents
where origin = $1 and part = 1 order by version::int desc limit 1
"""
_ADD = """
insert into knowledge_documents
  (tier, origin, part, name, content_md, version, checksum, added_by)
select $1, $2, n, name, body, $3, $4, $5
from unnest($6::text[], $7::text[]) with ordinality as piece(name, body, n)
"""
_MATCHING = """
select origin, version from knowledge_documents
where part = 1 and state = any($2::text[]) and (origin = $1 or starts_with(id::text, $1))
"""
_LIST = """
select min(id::text) filter (where part = 1) as id, origin, version, tier, state,
  min(name) filter (where part = 1) as title, count(*) as parts, min(added_by) as added_by,
  min(approved_by) as approved_by, min(created_at) as created_at
from knowledge_documents where state <> 'replaced'
group by origin, version, tier, state order by state desc, origin, version
"""


class Piece(NamedTuple):
    """A part of a document that can be found on its own."""

    title: str
    body: str


class ListedDocument(NamedTuple):
    """A document as one line of the list."""

    id: str
    origin: str
    version: str
    tier: str
    state: str
    title: str
    parts: int
    added_by: str
    approved_by: str | None
    created_at: datetime


class DocumentStore:
    """Stores documents and their approvals."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(
        self, origin: str, pieces: Sequence[Piece], *, tier: str, checksum: str, by: str
    ) -> tuple[Added, str]:
        """Store a new version, waiting for approval; the approved one stays in use until then."""
        async with self._db.transaction() as conn:
            await lock_until_commit(conn, LockKind.DOCUMENT, origin)
            newest = await conn.fetchrow(_NEWEST, origin)
            if newest and newest["checksum"] == checksum and newest["state"] != "replaced":
                return "unchanged", str(newest["version"])
            version = str(newest["version"] + 1 if newest else 1)
            await move_versions(conn, origin, "waiting", "replaced")
            titles, bodies = map(list, zip(*pieces, strict=True))
            await conn.execute(_ADD, tier, origin, version, checksum, by, titles, bodies)
        return ("changed" if newest else "added"), version

    async def approve(self, name: str, *, by: str) -> tuple[str, str]:
        """Put the waiting version of a document into use.

        Raises NotFound if none waits, and Stale if it was replaced or decided about meanwhile.
        """
        async with self._db.transaction() as conn:
            row = await self._locked(conn, name, ["waiting"], _NONE_WAITS)
            origin, version = row["origin"], row["version"]
            await move_versions(conn, origin, "approved", "replaced")
            if not await move_versions(conn, origin, "waiting", "approved", version=version, by=by):
                raise Stale(_CHANGED, reason="changed_since")
            await audit_decision(conn, origin, "use", by)
        return origin, version

    async def retire(self, name: str, *, by: str) -> str:
        """Take a document out of use; raises NotFound if it does not exist."""
        async with self._db.transaction() as conn:
            row = await self._locked(
                conn, name, ["waiting", "approved"], "There is no document under that name."
            )
            for state in ("approved", "waiting"):
                await move_versions(conn, row["origin"], state, "replaced")
            await audit_decision(conn, row["origin"], "retire", by)
        return row["origin"]

    async def documents(self) -> list[ListedDocument]:
        """Return the versions that wait or are in use, one line each."""
        return [ListedDocument(**row) for row in await self._db.pool.fetch(_LIST)]

    async def _locked(self, conn: Connection, name: str, states: list[str], missing: str) -> Record:
        """Find one version by name; from here on no version of its document is added."""
        rows: list[Record] = await conn.fetch(_MATCHING, name, states)
        origins = {row["origin"] for row in rows}
        if len(origins) != 1:
            several = "Several documents begin like that."
            raise NotFound(several if rows else missing, reason="not_found")
        await lock_until_commit(conn, LockKind.DOCUMENT, rows[0]["origin"])
        return rows[0]
