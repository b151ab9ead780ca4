"""Procedure rows: copied from ClickUp page by page, restored and renamed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from agencyclaw.domain.errors import Broken
from agencyclaw.domain.library import NameProcedure
from agencyclaw.domain.naming import Naming
from agencyclaw.domain.procedures import PageMove, StoredPage
from agencyclaw.domain.proposals import Proposal
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection, Database, Record

_PAGES = """
select clickup_doc_id as doc_id, clickup_page_id as page_id, name as title, content_md as body,
  state, version
from playbook_sops
"""
_STORED = f"""{_PAGES}
where clickup_doc_id = any($1::text[]) order by clickup_doc_id, clickup_page_id"""
_LOCK = f"{_PAGES} where clickup_doc_id = $1 and clickup_page_id = $2 for update"
_ADD = """
insert into playbook_sops (clickup_doc_id, clickup_page_id, name, content_md, state, version,
  category, aliases, last_synced_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, now())
"""
_CHANGE = """
update playbook_sops set name = $3, content_md = $4, state = $5, version = $6,
  last_synced_at = now()
where clickup_doc_id = $1 and clickup_page_id = $2
"""
_REMOVE = "delete from playbook_sops where clickup_doc_id = $1 and clickup_page_id = $2"
_NAMES = """
select id, name as title, category, aliases from playbook_sops
where state in ('waiting', 'approved') order by name, id
"""
_LOCK_NAMES = """
select category, aliases from playbook_sops where id = $1 and search is not null for update
"""
_RENAME = """
update playbook_sops set category = $2, aliases = $3
where id = $1 and category = $4 and aliases = $5
"""


async def stored_pages(db: Database, doc_ids: Sequence[str]) -> list[StoredPage]:
    """Return the pages copied from these Docs, in any state."""
    return [StoredPage(**row) for row in await db.pool.fetch(_STORED, list(doc_ids))]


async def move_pages(conn: Connection, moves: Sequence[PageMove]) -> str | None:
    """Move every page to its new state, or none; returns the title of one that has changed.

    Search names come with a new page; later changes of the page never touch them.
    """
    await lock_until_commit(conn, LockKind.DOCUMENT, "procedures")
    ordered = sorted(moves, key=lambda move: _page_of(move).key)
    for move in ordered:
        row = await conn.fetchrow(_LOCK, *_page_of(move).key)
        present = StoredPage(**row).state_key if row else None
        if present != (move.before.state_key if move.before else None):
            return _page_of(move).title
    for move in ordered:
        await _write(conn, move)
    return None


async def _write(conn: Connection, move: PageMove) -> None:
    page = move.after
    if page is None:
        await conn.execute(_REMOVE, *_page_of(move).key)
        return
    values = (*page.key, page.title, page.body, page.state, page.version)
    if move.before:
        await conn.execute(_CHANGE, *values)
    elif move.naming:
        await conn.execute(_ADD, *values, move.naming.category, list(move.naming.aliases))
    else:
        raise Broken("a new page has no naming")


class NamedProcedure(NamedTuple):
    """A procedure with its names."""

    id: UUID
    title: str
    naming: Naming


async def named_procedures(db: Database) -> list[NamedProcedure]:
    """Return the procedures that wait or are in use, with their names."""
    rows = await db.pool.fetch(_NAMES)
    return [NamedProcedure(row["id"], row["title"], _naming(row)) for row in rows]


async def rename(conn: Connection, sop_id: UUID, before: Naming, after: Naming) -> bool:
    """Give a procedure other names; False if its names have changed meanwhile."""
    new = (after.category, list(after.aliases))
    expected = (before.category, list(before.aliases))
    return await conn.execute(_RENAME, sop_id, *new, *expected) == "UPDATE 1"


class NamesRecord:
    """The names of one procedure in use within the caller's transaction."""

    def __init__(self, conn: Connection, effect: NameProcedure) -> None:
        self._conn, self._effect = conn, effect

    async def read(self) -> Naming | None:
        """Return its names, and keep them from changing; None if it is not in use."""
        row = await self._conn.fetchrow(_LOCK_NAMES, self._effect.procedure.id)
        return _naming(row) if row else None

    async def write(self, now: Naming | None, proposal: Proposal) -> str | None:
        """Give it its new names."""
        _ = now, proposal
        sop_id, effect = self._effect.procedure.id, self._effect
        is_written = await rename(self._conn, sop_id, effect.before, effect.after)
        return str(sop_id) if is_written else None


def _page_of(move: PageMove) -> StoredPage:
    """Return the page before its change, or after it if it is new."""
    page = move.before or move.after
    if page is None:
        raise Broken("a page moves from nothing to nothing")
    return page


def _naming(row: Record) -> Naming:
    return Naming(category=row["category"], aliases=tuple(row["aliases"]))
