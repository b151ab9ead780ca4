"""Reads all records of a kind, with the names of whom they are of."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from agencyclaw.domain.clients import Named
from agencyclaw.domain.records import RecordT, StoredRecord
from agencyclaw.domain.text import folded
from agencyclaw.store.directory_cache import DirectorySnapshot
from agencyclaw.store.engine import Database
from agencyclaw.store.people import PEOPLE, person_of
from agencyclaw.store.table_rows import TableRows


async def read_records(
    db: Database, kind: type[RecordT], directory: DirectorySnapshot, client_ids: list[UUID]
) -> list[StoredRecord[RecordT]]:
    """Return the records of a kind by their key: of these clients, where they are of clients.

    Those of archived clients, brands and people are left out.
    """
    clients = {one.id: one.named for one in directory.clients if one.id in set(client_ids)}
    active = [one for one in directory.brands if one.status == "active"]
    brands = {one.id: one for one in active if one.client_id in clients}
    team = [person_of(row) for row in await db.pool.fetch(PEOPLE)]
    people = {one.profile_id: one for one in team}
    names = clients | {one.id: one.named for one in brands.values()}
    names |= {one.profile_id: one.named for one in team if one.facts.employment != "inactive"}

    rows = TableRows(db.pool, kind)
    of, ids = ("client", clients) if "client" in kind.record.key else ("brand", brands)
    records: list[StoredRecord[RecordT]] = []
    for row in await rows.read_of(of, ids):
        key: dict[str, Any] = {
            name: _named(kind, name, value, names) for name, value in row.key.items()
        }
        if "brand" in row.key and (brand := brands.get(row.key["brand"])):
            key = {"client": clients[brand.client_id]} | key
        if None not in key.values():
            by = people[row.by].name if row.by else ""
            # A limit may have become narrower since.
            record = kind.model_construct(**key, before=row.held)
            records.append(StoredRecord(record, by, row.since))
    return sorted(records, key=_in_order)


def _named(kind: type[RecordT], field: str, value: Any, names: dict[UUID, Named]) -> Any:
    """Return a value of a key: of a reference its name, None if that is archived."""
    return names.get(value) if kind.model_fields[field].annotation is Named else value


def _in_order(record: StoredRecord[RecordT]) -> list[str]:
    return [folded(str(getattr(value, "name", value))) for value in record.key.keys.values()]
