"""Records of the kinds that are declared, as lines of CSV files: read and written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from agencyclaw.domain.clients import Brand, Named
from agencyclaw.domain.kpi import Figures, SetFigures
from agencyclaw.domain.kpi_results import Results
from agencyclaw.domain.messages import message
from agencyclaw.domain.record_kinds.results import SetResult
from agencyclaw.domain.records import SetRecord, StoredRecord, stored
from agencyclaw.domain.team import TeamMember
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.csv_files import DeclaredSheet, RecordLine
from agencyclaw.knowledge.figure_cells import figures_on, key_cells, key_on, require_figures
from agencyclaw.knowledge.import_cells import (
    FaultyCell,
    called,
    cell_of,
    filled,
    first_filled,
    value_of,
)

AnyRecord = SetRecord[Any]


@dataclass(frozen=True)
class Surroundings:
    """What a line may name, and the records there are of its kind, each by its `entity`.

    `brands` and `team` are in use; those of an `is_delivery` are brought by a machine.
    """

    brands: Sequence[Brand]
    team: Sequence[TeamMember]
    records: Mapping[str, StoredRecord[AnyRecord]]
    today: date
    is_delivery: bool = False


def record_on(
    line: RecordLine, kind: type[AnyRecord], owner: Named | None, around: Surroundings
) -> AnyRecord:
    """Return what a line says of a record; raises FaultyCell or ValidationError.

    `owner` is the client that the line names; None where the kind belongs to none.
    """
    change = kind.model_validate(_key_on(line, kind, owner, around))
    known = around.records.get(change.entity)
    before = known.held if known else None
    values = figures_on(line) if issubclass(kind, SetFigures) else {}
    if before is None:
        after = first_filled(line, kind.record.holds, values)
    else:
        after = filled(line, before, values)
    if isinstance(after, Figures):
        require_figures(after)
    if isinstance(after, Results) and after != before:
        after = after.model_copy(update={"is_delivered": around.is_delivery})
    return change.model_copy(update={"before": before, "after": after})


def cells_of(
    record: StoredRecord[AnyRecord], sheet: DeclaredSheet, around: Surroundings
) -> list[str]:
    """Return a record as a line that can be read again; people by their e-mail address."""
    emails: dict[object, str] = {one.profile_id: one.email for one in around.team}
    client = getattr(record.key, "client", None)
    whole: dict[str, Any] = {"client": client, **record.key.keys, **dict(record.held)}
    if isinstance(record.held, Figures):
        whole |= key_cells(record.key.keys)
    cells = (whole[name] for name in sheet.columns)
    return [emails.get(stored(value)) or cell_of(value) for value in cells]


def _key_on(
    line: RecordLine, kind: type[AnyRecord], owner: Named | None, around: Surroundings
) -> dict[str, Any]:
    """Return what identifies a line's record, by field."""
    key: dict[str, Any] = {"client": owner} if owner else {}
    plain: list[str] = []
    for name in kind.record.key:
        if kind.model_fields[name].annotation is not Named:
            plain.append(name)
        elif name != "client":
            key[name] = _named(line, name, owner, around)
    if issubclass(kind, SetFigures):
        brand = next(one for one in around.brands if one.id == key["brand"].id)
        is_reached = issubclass(kind, SetResult)
        return key | key_on(line, brand, around.today, is_reached=is_reached)
    cells = {name: line.cells[name] for name in plain if name in line.cells}
    return key | {name: value_of(kind.model_fields[name], name, cells[name]) for name in cells}


def _named(line: RecordLine, column: str, owner: Named | None, around: Surroundings) -> Named:
    """Return the brand of the line's client, or the person, that a cell names."""
    name = one_line(line.cells.get(column, ""), 120)
    if column == "brand" and owner:
        brand = called(name, [one for one in around.brands if one.client_id == owner.id])
        if brand is None:
            raise FaultyCell(column, message("imports.no_brand", client=owner.name, name=name))
        return brand.named
    people = [one for one in around.team if folded(name) in (folded(one.name), folded(one.email))]
    if len(people) != 1:
        raise FaultyCell(column, message("imports.no_person", name=name))
    return people[0].named
