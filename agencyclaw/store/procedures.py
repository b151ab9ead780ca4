"""Procedures as rows: what was taken over from ClickUp, and taking over what changed there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agencyclaw.domain.procedures import PageChange, StoredPage
from agencyclaw.domain.text import folded
from agencyclaw.store.engine import Connection, Database, Record

_STORED = """
select clickup_doc_id as doc_id, clickup_page_id as page_id, name as title, content_md as body,
  state
from playbook_sops where clickup_doc_id = any($1::text[])
order by clickup_doc_id, clickup_page_id
"""
_LOCK = """
select clickup_doc_id as doc_id, clickup_page_id as page_id, name as title, content_md as body,
  state, version
from playbook_sops where clickup_doc_id = $1 and clickup_page_id = $2 for update
"""
_ADD = """
insert into playbook_sops (clickup_doc_id, clickup_page_id, name, content_md, category, aliases,
  state, last_synced_at)
values ($1, $2, $3, $4, $5, $6, 'waiting', now())
"""
_CHANGE = """
update playbook_sops set name = $3, content_md = $4, version = $5, last_synced_at = now(),
  state = case when state = 'gone' then 'waiting' else state end
where clickup_doc_id = $1 and clickup_page_id = $2
"""
_GONE = """
update playbook_sops set state = 'gone', last_synced_at = now()
where clickup_doc_id = $1 and clickup_page_id = $2
"""
_KIND = re.compile(r"\b(?:sop|standard operating procedure|procedure)\b", re.IGNORECASE)


async def stored_pages(db: Database, doc_ids: Sequence[str]) -> list[StoredPage]:
    """Return what was taken over from these Docs, whatever its state."""
    rows = await db.pool.fetch(_STORED, list(doc_ids))
    return [StoredPage(**dict(row)) for row in rows]


async def take_over(conn: Connection, changes: Sequence[PageChange]) -> str | None:
    """Write every change; or none, and return the title of a page that is not as it was seen.

    A name for searching is made of a new page's title; later ones never change names or aliases.
    """
    await conn.execute("select pg_advisory_xact_lock(hashtextextended('procedures', 0))")
    ordered = sorted(changes, key=lambda one: one.page.key)
    rows = [await conn.fetchrow(_LOCK, *change.page.key) for change in ordered]
    for change, row in zip(ordered, rows, strict=True):
        if _look(row) != change.seen:
            return change.page.title
    for change, row in zip(ordered, rows, strict=True):
        await _write(conn, change, row["version"] if row else None)
    return None


def _look(row: Record | None) -> str:
    if row is None:
        return ""
    return StoredPage(**{name: row[name] for name in StoredPage.model_fields}).look


async def _write(conn: Connection, change: PageChange, version: str | None) -> None:
    page = change.page
    if change.kind == "gone":
        await conn.execute(_GONE, *page.key)
    elif version is None:
        category, aliases = names_of(page.title)
        await conn.execute(_ADD, *page.key, page.title, page.body, category, aliases)
    else:
        await conn.execute(_CHANGE, *page.key, page.title, page.body, _next(version))


def names_of(title: str) -> tuple[str, list[str]]:
    """Return the category and the other names that a title alone gives a procedure."""
    bare = folded(_KIND.sub(" ", title)) or folded(title)
    return re.sub(r"\W+", "_", bare).strip("_")[:80] or "procedure", [bare]


def _next(version: str) -> str:
    return str(int(version) + 1) if version.isdigit() else f"{version}.1"
