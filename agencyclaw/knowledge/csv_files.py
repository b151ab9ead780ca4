"""Reads CSV files of people, clients, brands and other records, which declare their columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from agencyclaw.domain.brands import BrandFacts
from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.client_records import ClientFacts
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.imports import FILE_NAME_LIMIT, LINES_AT_MOST, FaultyLine, TextFile
from agencyclaw.domain.kpi import METRICS, Figures, Goals, SetFigures
from agencyclaw.domain.messages import message
from agencyclaw.domain.record_kinds import LISTED_RECORDS
from agencyclaw.domain.record_kinds.results import SetResult
from agencyclaw.domain.record_kinds.targets import SetTarget
from agencyclaw.domain.records import Fields, SetRecord, label_of
from agencyclaw.domain.team import PersonFacts
from agencyclaw.domain.text import folded, one_line, scrub
from agencyclaw.knowledge.sheets import as_typed

_CELL_LIMIT = 2_000
_SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True)
class RecordSheet:
    """A kind of record as a table: `keys` are columns that the record's own fields lack.

    A file needs these, and a name where the record has one; the `others` may be missing. `titles`
    has the columns that are called otherwise than its fields.
    """

    noun: str
    holds: type[Fields]
    keys: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def columns(self) -> dict[str, str]:
        """The label of each column by its field's name."""
        declared = self.holds.model_fields
        labels = {name: label_of(name, info.title) for name, info in declared.items()}
        keys = {key: label_of(key) for key in (*self.keys, *self.others)}
        return {**keys, **labels, **self.titles}

    @property
    def needed(self) -> set[str]:
        """The columns that say what a line is about."""
        return {*self.keys, *({"name"} & self.holds.model_fields.keys())}


@dataclass(frozen=True, kw_only=True)
class DeclaredSheet(RecordSheet):
    """A kind of record that is declared; `kind` is its change."""

    kind: type[SetRecord[Any]]


PEOPLE = RecordSheet("people", PersonFacts, ("email",))
CLIENTS = RecordSheet("clients", ClientFacts)
BRANDS = RecordSheet("brands", BrandFacts, ("client",))
_OF_FIGURES = ("client", "brand", "marketplace", "period")
RESULTS = DeclaredSheet("results", Figures, _OF_FIGURES, ("source",), kind=SetResult)
_TARGET_TITLES = {metric: f"{label} target" for metric, label in METRICS.items()}
TARGETS = DeclaredSheet("targets", Goals, _OF_FIGURES, titles=_TARGET_TITLES, kind=SetTarget)


def sheet_of(kind: type[SetRecord[Any]]) -> DeclaredSheet:
    """Return the table of a kind of record, as its declaration says."""
    client = ("client",) if issubclass(kind, ClientChange) else ()
    fields = {name: kind.model_fields[name] for name in (*client, *kind.record.key)}
    return DeclaredSheet(
        noun=kind.record.plural,
        holds=kind.record.holds,
        keys=tuple(name for name, info in fields.items() if info.is_required()),
        others=tuple(name for name, info in fields.items() if not info.is_required()),
        kind=kind,
    )


_DECLARED = tuple(sheet_of(kind) for kind in LISTED_RECORDS if not issubclass(kind, SetFigures))
SHEETS = (PEOPLE, BRANDS, RESULTS, TARGETS, *_DECLARED, CLIENTS)


@dataclass(frozen=True)
class RecordLine:
    """A line of a file with its filled cells by field name."""

    sheet: RecordSheet
    file: str
    number: int
    cells: Mapping[str, str]

    def fault(self, why: str, field: str = "") -> FaultyLine:
        """Return what is wrong with it."""
        column = self.sheet.columns.get(field, field)
        return FaultyLine(file=self.file, line=self.number, column=column, why=why.rstrip("."))


@dataclass(frozen=True)
class Contents:
    """The lines of files, and those that can't be read."""

    lines: Sequence[RecordLine]
    faults: Sequence[FaultyLine]


def text_file(name: str, content: bytes) -> TextFile:
    """Return a file's text; raises Refused if it is not in UTF-8."""
    try:
        return TextFile(name=one_line(name, FILE_NAME_LIMIT), text=content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        words = message("refused.imports.not_text", file=name)
        raise Refused(words, reason="not_text") from None


def read_files(files: Sequence[TextFile]) -> Contents:
    """Return the lines of CSV files; raises Refused for a file without known columns."""
    lines: list[RecordLine] = []
    faults: list[FaultyLine] = []
    for file in files:
        contents = _read(file)
        lines += contents.lines
        faults += contents.faults
    if len(lines) > LINES_AT_MOST:
        raise Refused(message("refused.imports.too_many", most=LINES_AT_MOST), reason="too_many")
    return Contents(lines, faults)


def _read(file: TextFile) -> Contents:
    rows = _rows_of(file)
    titles = rows[0][1] if rows else []
    sheet = _sheet_of(titles)
    if sheet is None:
        columns = "; ".join(f"{one.noun}: {', '.join(one.columns.values())}" for one in SHEETS)
        words = message("refused.imports.columns", file=file.name, columns=columns)
        raise Refused(words, reason="columns")
    names = [_field_of(sheet, title) for title in titles]
    faults: list[FaultyLine] = []
    lines: list[RecordLine] = []
    for number, row in rows[1:]:
        texts = [scrub(cell).strip() for cell in row]
        cells = [(name, text) for name, text in zip_longest(names, texts) if text]
        too_long = next((name for name, text in cells if len(text) > _CELL_LIMIT), None)
        filled = {name: as_typed(text[:_CELL_LIMIT]) for name, text in cells if name}
        line = RecordLine(sheet, file.name, number, filled)
        if any(name is None for name, _ in cells):
            faults.append(line.fault(message("imports.untitled")))
        elif too_long:
            faults.append(line.fault(message("imports.too_long", most=_CELL_LIMIT), too_long))
        elif cells:
            lines.append(line)
    return Contents(lines, faults)


def _rows_of(file: TextFile) -> list[tuple[int, list[str]]]:
    """Return the cells of each row, and the line where it begins: a cell may have line breaks.

    Raises Refused if it is no CSV file.
    """
    text = file.text.lstrip("\ufeff")
    head = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[int, list[str]]] = []
    start = 0
    try:
        for cells in reader:
            rows.append((start + 1, cells))
            start = reader.line_num
    except csv.Error:
        words = message("refused.imports.no_csv", file=file.name, line=start + 1)
        raise Refused(words, reason="no_csv") from None
    return rows


def _sheet_of(titles: Sequence[str]) -> RecordSheet | None:
    """Return the kind of record that has all these columns, and is identified by them."""
    filled = [title for title in titles if title.strip()]
    for sheet in SHEETS:
        known = {_field_of(sheet, title) for title in filled} - {None}
        if len(known) == len(filled) and known >= sheet.needed:
            return sheet
    return None


def _field_of(sheet: RecordSheet, title: str) -> str | None:
    plain = folded(title)
    for name, label in sheet.columns.items():
        if plain in (folded(name), folded(label)):
            return name
    return None
