"""Writes records of a kind as a list whose file can be imported again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, Field

from agencyclaw.domain.client_records import ClientFacts
from agencyclaw.domain.records import Fields
from agencyclaw.domain.sheets import ROWS_AT_MOST, Sheet, SheetColumn
from agencyclaw.knowledge.csv_files import (
    BRANDS,
    CLIENTS,
    PEOPLE,
    SHEETS,
    DeclaredSheet,
    RecordSheet,
)
from agencyclaw.knowledge.declared_records import cells_of
from agencyclaw.knowledge.import_cells import cell_of
from agencyclaw.knowledge.imports import AgencyRecords

RECORD_SHEETS = {sheet.noun: sheet for sheet in (PEOPLE, CLIENTS, BRANDS, *SHEETS)}


def _known(kind: str) -> str:
    if kind not in RECORD_SHEETS:
        raise ValueError(f"one of {', '.join(RECORD_SHEETS)}")
    return kind


RecordKind = Annotated[
    str, AfterValidator(_known), Field(json_schema_extra={"enum": [*RECORD_SHEETS]})
]


def record_sheet(sheet: RecordSheet, records: AgencyRecords) -> Sheet:
    """Return all records of a kind that are in use."""
    rows = [tuple(row) for row in _rows(sheet, records)]
    return Sheet(
        title=f"{sheet.noun.capitalize()} as of {records.today}",
        format="csv",
        columns=tuple(SheetColumn(title=label) for label in sheet.columns.values()),
        rows=tuple(rows[:ROWS_AT_MOST]),
        left_out=len(rows[ROWS_AT_MOST:]),
    )


def _rows(sheet: RecordSheet, records: AgencyRecords) -> Iterable[list[str]]:
    if isinstance(sheet, DeclaredSheet):
        around = records.around(sheet.kind)
        yield from (cells_of(record, sheet, around) for record in around.records.values())
    elif sheet is PEOPLE:
        for person in records.team:
            if person.facts.employment != "inactive":
                yield [person.email, *_cells(person.facts)]
    elif sheet is CLIENTS:
        for client in records.clients:
            yield _cells(ClientFacts.of(client))
    else:
        owners = {client.id: client.name for client in records.clients}
        for brand in records.brands:
            yield [owners[brand.client_id], *_cells(records.facts_of(brand))]


def _cells(facts: Fields) -> list[str]:
    return [cell_of(getattr(facts, name)) for name in type(facts).model_fields]
