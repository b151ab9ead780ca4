"""Reads records under a lock and writes them inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from agencyclaw.domain.assignments import SlotChange
from agencyclaw.domain.brands import BrandChange
from agencyclaw.domain.client_records import ClientRecordChange
from agencyclaw.domain.errors import Broken
from agencyclaw.domain.library import DecideDocument, NameProcedure
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.records import NotWritten, RecordChange, SetRecord
from agencyclaw.domain.remembering import NoteChange, PreferenceChange
from agencyclaw.domain.schedule_changes import ScheduleChange
from agencyclaw.domain.team import PersonChange
from agencyclaw.store.assignments import SlotRecord
from agencyclaw.store.brands import BrandRecord
from agencyclaw.store.clients import ClientProfileRow
from agencyclaw.store.document_states import DocumentRecord
from agencyclaw.store.engine import Connection
from agencyclaw.store.memory import NoteRecord, PreferenceRecord
from agencyclaw.store.people import PersonRecord
from agencyclaw.store.procedures import NamesRecord
from agencyclaw.store.schedules import ScheduleRecord
from agencyclaw.store.table_rows import TableRow


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
