"""Reads and writes records that are rows of a table of their own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, cast
from uuid import UUID

from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.records import HeldFields, SetRecord, stored
from agencyclaw.store.engine import Executor, Record

_STANDARD = ("id", "active", "created_by", "updated_by", "updated_at")


@dataclass(frozen=True)
class KeptRow(Generic[HeldFields]):
    """A row: its key by field, references by their ids, its contents, and who wrote it when."""

    key: dict[str, Any]
    held: HeldFields
    by: UUID | None
    since: datetime


class TableRows(Generic[HeldFields]):
    """The rows of a kind of record; a removed one is only deactivated."""

    def __init__(self, conn: Executor, kind: type[SetRecord[HeldFields]]) -> None:
        from sqlalchemy import column, table

        record, self.conn = kind.record, conn
        self._holds = cast("type[HeldFields]", record.holds)
        names = kind.columns()
        every = dict.fromkeys((*_STANDARD, *names.values()))
        self.table = table(record.table, *map(column, every))
        self.key_fields = record.key
        self.key = [self.table.c[names[name]] for name in record.key]
        self.held = [self.table.c[names[name]] for name in record.holds.model_fields]

    async def read(self, *where: Any, is_locked: bool = False) -> list[KeptRow[HeldFields]]:
        """Return the rows that fulfil some conditions, sorted by their key."""
        from sqlalchemy import select

        columns = (*self.key, *self.held, self.table.c.updated_by, self.table.c.updated_at)
        statement = select(*columns).where(*where, self.table.c.active).order_by(*self.key)
        rows = await run(self.conn, statement.with_for_update() if is_locked else statement)
        return [self._row(tuple(row.values())) for row in rows]

    async def read_of(self, field: str, ids: Collection[UUID]) -> list[KeptRow[HeldFields]]:
        """Return the rows with one of these ids in a field of their key; all without it."""
        from sqlalchemy import ARRAY, Uuid, any_, literal

        if field not in self.key_fields:
            return await self.read()
        column = self.key[self.key_fields.index(field)]
        return await self.read(column == any_(literal([*ids], ARRAY(Uuid()))))

    def _row(self, values: tuple[Any, ...]) -> KeptRow[HeldFields]:
        ends, (by, since) = len(self.key), values[-2:]
        key = dict(zip(self.key_fields, values[:ends], strict=True))
        held = dict(zip(self._holds.model_fields, values[ends:-2], strict=True))
        return KeptRow(key, self._holds.model_validate(held), by, since)


class TableRow(Generic[HeldFields]):
    """The row of one record."""

    def __init__(self, conn: Executor, effect: SetRecord[HeldFields]) -> None:
        self._rows, self._after = TableRows(conn, type(effect)), effect.becomes
        values = [stored(value) for value in effect.keys.values()]
        self._key = {one.name: value for one, value in zip(self._rows.key, values, strict=True)}
        self._is_it = [self._rows.table.c[name] == value for name, value in self._key.items()]

    async def read(self, *, is_locked: bool = True) -> HeldFields | None:
        """Read the row, and lock it unless told otherwise."""
        found = await self._rows.read(*self._is_it, is_locked=is_locked)
        return found[0].held if found else None

    async def write(self, now: HeldFields | None, proposal: Proposal) -> str | None:
        """Insert, update or deactivate the row."""
        from sqlalchemy import func
        from sqlalchemy.dialects.postgresql import insert

        table, by, held = self._rows.table, proposal.confirmed_by, {}
        if self._after:
            values = (stored(value) for _, value in self._after)
            held = {one.name: value for one, value in zip(self._rows.held, values, strict=True)}
        if now is None:
            new = {**self._key, **held, "created_by": by, "updated_by": by}
            statement = insert(table).values(new).on_conflict_do_nothing()
        else:
            values = {**(held or {"active": False}), "updated_by": by, "updated_at": func.now()}
            statement = table.update().where(*self._is_it, table.c.active).values(values)
        found = await run(self._rows.conn, statement.returning(table.c.id))
        return str(found[0]["id"]) if found else None


async def run(conn: Executor, statement: Any) -> list[Record]:
    """Run a statement of SQLAlchemy's and return its rows."""
    from sqlalchemy.dialects.postgresql.asyncpg import dialect

    compiled = statement.compile(dialect=dialect())
    values = (compiled.params[name] for name in compiled.positiontup)
    return await conn.fetch(str(compiled), *values)
