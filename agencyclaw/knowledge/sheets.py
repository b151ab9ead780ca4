"""Writes a list as a CSV file or an Excel workbook; no cell is ever a formula or a link."""

from __future__ import annotations

import csv
import re
from datetime import date
from decimal import Decimal, InvalidOperation
from io import BytesIO, StringIO
from typing import Any, cast

from xlsxwriter import Workbook

from agencyclaw.domain.sheets import Sheet

# A spreadsheet reads a cell that begins with one of these as a formula; some skip leading blanks.
_BEGINS_A_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
# An apostrophe goes before it. One that a text has there already is taken for ours when it is read
# again, and hence gets another one.
_FORMULA = rf"[{re.escape(''.join(_BEGINS_A_FORMULA))}]"
_BEGINS = re.compile(rf"'*(?:\s*{_FORMULA}|[\t\r\n])")
# A reader that expects another separator begins a cell behind each of these, quoted or not.
_BEGINS_LATER = re.compile(rf"([;,\t\r\n][\s\"]*)(?='*{_FORMULA})")
_KEPT_LATER = re.compile(rf"([;,\t\r\n][\s\"]*)'(?='*{_FORMULA})")
_WIDEST, _NARROWEST = 60, 10


def file_content(sheet: Sheet) -> bytes:
    """Return the bytes of the file that a list becomes."""
    return _as_csv(sheet) if sheet.format == "csv" else _as_workbook(sheet)


def _as_csv(sheet: Sheet) -> bytes:
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([without_formula(column.title) for column in sheet.columns])
    writer.writerows([without_formula(cell) for cell in row] for row in sheet.rows)
    # Excel needs the byte order mark to read it as UTF-8.
    return text.getvalue().encode("utf-8-sig")


def without_formula(cell: str) -> str:
    """Return a cell that no spreadsheet reads as a formula; a plain number stays as it is."""
    if _is_number(cell):
        return cell
    inside = _BEGINS_LATER.sub(r"\1'", cell)
    return f"'{inside}" if _BEGINS.match(cell) else inside


def as_typed(cell: str) -> str:
    """Return a cell as it was before `without_formula`."""
    inside = _KEPT_LATER.sub(r"\1", cell)
    return inside[1:] if inside.startswith("'") and _BEGINS.match(inside[1:]) else inside


def _is_number(cell: str) -> bool:
    try:
        return Decimal(cell).is_finite()
    except InvalidOperation:
        return False


def _as_workbook(sheet: Sheet) -> bytes:
    file = BytesIO()
    # The library's own types leave half of it open.
    workbook = cast("Any", Workbook)
    with workbook(file, {"in_memory": True}) as book:
        page = book.add_worksheet()
        bold, day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd"})
        for column_index, column in enumerate(sheet.columns):
            cells = [row[column_index] for row in sheet.rows]
            page.write_string(0, column_index, column.title, bold)
            page.set_column(column_index, column_index, _width([column.title, *cells]))
            for row_index, cell in enumerate(cells, start=1):
                if column.is_day and cell:
                    page.write_datetime(row_index, column_index, date.fromisoformat(cell), day)
                else:
                    page.write_string(row_index, column_index, cell)
        page.freeze_panes(1, 0)
        page.autofilter(0, 0, len(sheet.rows), len(sheet.columns) - 1)
    return file.getvalue()


def _width(cells: list[str]) -> int:
    """Return the width of a column in characters."""
    return min(_WIDEST, max(_NARROWEST, max(map(len, cells)) + 2))
