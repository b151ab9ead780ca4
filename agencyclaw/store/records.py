"""Reads records under a lock and writes them inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, cast

from agencyclaw.domain.assignments import SlotChange
from agencyclaw.domain.brands import BrandChange
from agencyclaw.domain.client_records import ClientRecordChange
from agencyclaw.domain.errors import Broken
from agencyclaw.domain.library import DecideDocument, NameProcedure
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.records import HeldFields, NotWritten, RecordChange, SetRecord, stored
from agencyclaw.domain.remembering import NoteChange, PreferenceChange
from agencyclaw.domain.schedule_changes import ScheduleChange
from agencyclaw.domain.team import PersonChange
from agencyclaw.store.assignments import SlotRecord
from agencyclaw.store.brands import BrandRecord
from agencyclaw.store.clients import ClientProfileRow
from agencyclaw.store.document_states import DocumentRecord
from agencyclaw.store.engine import Connection, Executor, Record
from agencyclaw.store.memory import NoteRecord, PreferenceRecord
from agencyclaw.store.people import PersonRecord
from agencyclaw.store.procedures import NamesRecord
from agencyclaw.store.schedules import ScheduleRecord


class Row(Protocol):
    """The storage of one record."""

    async def read(self) -> Any | None:
        """Lock the record and return its contents; None if it does not exist."""
        ...

    async def write(self, now: Any | None, proposal: Proposal) -> str | NotWritten | None:
        """Write the new contents over `now`; returns the row's id.

        Returns why it can't be written, or None if the record itself says why.
        """
        ...


class TableRow(Generic[HeldFields]):
    """A record that is a row of its own table; a removed one is only deactivated."""

    def __init__(self, conn: Executor, effect: SetRecord[HeldFields]) -> None:
        from sqlalchemy import column, table

        self._conn, self._effect, self._record = conn, effect, effect.record
        keys = {self._column(name, value): stored(value) for name, value in effect.keys.items()}
        self._fields = {name: self._column(name) for name in self._record.holds.model_fields}
        standard = ("id", "active", "created_by", "updated_by", "updated_at")
        names = dict.fromkeys((*standard, *keys, *self._fields.values()))
        self._table = table(self._record.table, *map(column, names))
        self._keys, self._is_it = keys, [self._table.c[name] == keys[name] for name in keys]

    async def read(self, *, is_locked: bool = True) -> HeldFields | None:
        """Read the row, and lock it unless told otherwise."""
        from sqlalchemy import select

        columns = (self._table.c[column].label(name) for name, column in self._fields.items())
        statement = select(*columns).where(*self._is_it, self._table.c.active)
        found = await self._run(statement.with_for_update() if is_locked else statement)
        held = cast("type[HeldFields]", self._record.holds)
        return held.model_validate(dict(found)) if found else None

    async def write(self, now: HeldFields | None, proposal: Proposal) -> str | None:
        """Insert, update or deactivate the row."""
        from sqlalchemy import func
        from sqlalchemy.dialects.postgresql import insert

        by, after = proposal.confirmed_by, self._effect.becomes
        held = {
            column: stored(getattr(after, name)) for name, column in self._fields.items() if after
        }
        if now is None:
            values = {**self._keys, **held, "created_by": by, "updated_by": by}
            statement = insert(self._table).values(values).on_conflict_do_nothing()
        else:
            values = {**(held or {"active": False}), "updated_by": by, "updated_at": func.now()}
            statement = (
                self._table.update().where(*self._is_it, self._table.c.active).values(values)
            )
        found = await self._run(statement.returning(self._table.c.id))
        return str(found["id"]) if found else None

    async def _run(self, statement: Any) -> Record | None:
        from sqlalchemy.dialects.postgresql.asyncpg import dialect

        compiled = statement.compile(dialect=dialect())
        values = (compiled.params[name] for name in compiled.positiontup)
        return await self._conn.fetchrow(str(compiled), *values)

    def _column(self, name: str, value: object = None) -> str:
        own = name if stored(value) is value else f"{name}_id"
        return self._record.columns.get(name, own)


_ROWS: Mapping[type[RecordChange[Any]], Callable[[Connection, Any], Row]] = {
    SetRecord: TableRow,
    SlotChange: SlotRecord,
    ClientRecordChange: ClientProfileRow,
    BrandChange: BrandRecord,
    PersonChange: PersonRecord,
    NoteChange: NoteRecord,
    PreferenceChange: PreferenceRecord,
    ScheduleChange: ScheduleRecord,
    DecideDocument: DocumentRecord,
    NameProcedure: NamesRecord,
}


def row_of(conn: Connection, effect: RecordChange[Any]) -> Row:
    """Return the storage of an effect's record."""
    for kind in type(effect).__mro__:
        if kind in _ROWS:
            return _ROWS[kind](conn, effect)
    raise Broken(f"nobody stores {type(effect).__name__}")
