"""Puts the agency of a case in place of the fictional one: rows of whole tables, and its places."""

from __future__ import annotations

import json
from typing import Any

from agencyclaw.store.engine import Database
from evals.scene import Snapshot
from workbench.clickup.board import LIST, MEMBER, SPACE
from workbench.fixture import Bench

_COLUMNS = """
select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
"""


async def put_rows(db: Database, snapshot: Snapshot) -> None:
    """Replace the contents of these tables with the snapshot's rows."""
    async with db.transaction() as conn:
        await conn.execute("set local session_replication_role = replica")
        for table, rows in snapshot.rows.items():
            columns = await conn.fetchval(_COLUMNS, table)
            await conn.execute(f'delete from "{table}"')
            await conn.execute(
                f'insert into "{table}" ({columns}) overriding system value'
                f' select {columns} from jsonb_populate_recordset(null::"{table}", $1)',
                json.loads(json.dumps(rows, default=str)),
            )


def put_places(bench: Bench, snapshot: Snapshot) -> None:
    """Add the ClickUp lists, spaces and people that the rows refer to."""
    for brand in snapshot.rows.get("brands", ()):
        space = brand.get("clickup_space_id") or "elsewhere"
        _put_like(bench, SPACE, space, name=snapshot.places.get(space, f"Space {space}"))
        if place := brand.get("clickup_list_id"):
            name = snapshot.places.get(place, f"List {place}")
            _put_like(bench, LIST, place, name=name, space_id=space, folder_id=None)
    for person in snapshot.rows.get("profiles", ()):
        number = str(person.get("clickup_user_id") or "")
        if number.isdigit():
            name = {"username": person["full_name"], "email": person["email"]}
            _put_like(bench, MEMBER, number, **name, role=3)


def _put_like(bench: Bench, kind: str, key: str, **differs: Any) -> None:
    """Add a document unless it exists: a copy of the last one of its kind with changes."""
    storage = bench.storage
    if storage.get(kind, key) is None:
        pattern = storage.all(kind)[-1]
        storage.put(kind, key, pattern | {"id": int(key) if kind == MEMBER else key} | differs)
