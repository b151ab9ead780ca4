"""Loads the demo agency into a database; run again, it adds what is missing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import asyncpg
from sqlalchemy import ColumnElement, Uuid, column, delete, func, select, table
from sqlalchemy.dialects.postgresql import insert

from agencyclaw.store.catalogue import install_roles
from agencyclaw.store.demo_agency import SOPS, agency_rows
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.table_rows import run

_id: ColumnElement[UUID] = column("id", Uuid())
_LEAVE = """
update profiles set employment_status = 'inactive', is_admin = false, role = 'viewer',
  slack_user_id = null, clickup_user_id = null
where id = any($1)
"""


async def seed(db: Database) -> dict[str, int]:
    """Load Lanternfish Commerce; returns how many rows were written, by table.

    Rows that somebody changed are left alone. Procedures follow the files: a newer version replaces
    the older text.
    """
    written = {"agency_roles": await install_roles(db)}
    async with db.transaction() as conn:
        for name, rows in agency_rows().items():
            keep = insert(table(name, *map(column, rows[0]))).values(rows)
            keep = _renew_sops(keep) if name == SOPS else keep.on_conflict_do_nothing()
            written[name] = len(await run(conn, keep.returning(_id)))
    return written


async def remove_seeded(db: Database) -> dict[str, int]:
    """Remove Lanternfish Commerce with what hangs on its clients; returns the rows removed.

    A procedure that was copied from ClickUp stays. A person whom the audit names stays, archived
    and without accounts.
    """
    removed: dict[str, int] = {}
    agency = agency_rows()
    async with db.transaction() as conn:
        for name, rows in reversed(agency.items()):
            removed[name] = sum([await _remove(conn, name, row["id"]) for row in rows])
        await conn.execute(_LEAVE, [row["id"] for row in agency["profiles"]])
    return removed


async def count_seeded(db: Database) -> dict[str, int]:
    """Return how many rows of Lanternfish Commerce are there, by table."""
    present: dict[str, int] = {}
    for name, rows in agency_rows().items():
        ids = [row["id"] for row in rows]
        found = select(_id).select_from(table(name)).where(_id == func.any(ids))
        present[name] = len(await run(db.pool, found))
    return present


async def _remove(conn: Connection, name: str, row_id: UUID) -> int:
    """Remove a row; returns 0 if it is not there or has to stay."""
    statement = delete(table(name)).where(_id == row_id)
    if name == SOPS:
        statement = statement.where(column("last_synced_at").is_(None))
    try:
        async with conn.transaction():
            return len(await run(conn, statement.returning(_id)))
    except asyncpg.IntegrityConstraintViolationError:
        return 0


def _renew_sops(keep: Any) -> Any:
    old, new = table(SOPS, column("version"), column("last_synced_at")).c, keep.excluded
    return keep.on_conflict_do_update(
        index_elements=["clickup_doc_id", "clickup_page_id"],
        set_={"name": new.name, "content_md": new.content_md, "version": new.version},
        # A procedure copied from ClickUp is newer than the file.
        where=old.version.is_distinct_from(new.version) & old.last_synced_at.is_(None),
    )
