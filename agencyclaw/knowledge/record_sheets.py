"""Writes people, clients and brands as lists whose files can be imported again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Literal

from agencyclaw.domain.client_records import ClientFacts
from agencyclaw.domain.records import Fields, worded
from agencyclaw.domain.sheets import ROWS_AT_MOST, Sheet, SheetColumn
from agencyclaw.knowledge.csv_files import BRANDS, CLIENTS, PEOPLE, RecordSheet
from agencyclaw.knowledge.imports import AgencyRecords

RecordKind = Literal["people", "clients", "brands"]
_SHEETS: dict[RecordKind, RecordSheet] = {"people": PEOPLE, "clients": CLIENTS, "brands": BRANDS}


def record_sheet(kind: RecordKind, records: AgencyRecords, today: date) -> Sheet:
    """Return all records of a kind that are in use."""
    sheet = _SHEETS[kind]
    rows = [tuple(row) for row in _rows(kind, records)]
    return Sheet(
        title=f"{sheet.noun.capitalize()} as of {today}",
        format="csv",
        columns=tuple(SheetColumn(title=label) for label in sheet.columns.values()),
        rows=tuple(rows[:ROWS_AT_MOST]),
        left_out=len(rows[ROWS_AT_MOST:]),
    )


def _rows(kind: RecordKind, records: AgencyRecords) -> Iterable[list[str]]:
    match kind:
        case "people":
            for person in records.team:
                if person.facts.employment != "inactive":
                    yield [person.email, *_cells(person.facts)]
        case "clients":
            for client in records.clients:
                yield _cells(ClientFacts.of(client))
        case "brands":
            owners = {client.id: client.name for client in records.clients}
            for brand in records.brands:
                yield [owners[brand.client_id], *_cells(records.facts_of(brand))]


def _cells(facts: Fields) -> list[str]:
    return [worded(getattr(facts, name)) for name in type(facts).model_fields]
