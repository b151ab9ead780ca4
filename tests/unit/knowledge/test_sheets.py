"""Lists as files: what a spreadsheet must not calculate, and what must stay as it is."""

from __future__ import annotations

import csv
import html
import re
import zipfile
from io import BytesIO, StringIO
from itertools import product

import pytest

from agencyclaw.domain.sheets import Sheet, SheetColumn, SheetFormat
from agencyclaw.knowledge.sheets import as_typed, file_content, without_formula

FORMULAS = (
    "=1+1",
    "+SUM(A1)",
    "-2+3",
    "@SUM(A1)",
    "  =cmd|'/c calc'!A0",
    "\ttext after a tab",
    "\rtext after a return",
    "＝1+1",
    '=HYPERLINK("http://evil.example","Free")',
    "+49 30 1234567",
    "-",
)
HONEST = (
    "-5",
    "-12.50",
    "+3",
    "1e3",
    "Café – 20% off",
    "a=b",
    "x@y.example",
    "",
    "’quoted’",
    "7 - 3",
)


def sheet(*cells: str, file_format: SheetFormat = "csv") -> Sheet:
    columns = (SheetColumn(title="What"), SheetColumn(title="Due", is_day=True))
    rows = tuple((cell, "2026-11-30") for cell in cells)
    return Sheet(title="Tasks", format=file_format, columns=columns, rows=rows)


def csv_cells(one: Sheet) -> list[str]:
    text = file_content(one).decode("utf-8-sig")
    return [row[0] for row in csv.reader(StringIO(text, newline=""))][1:]


def workbook(one: Sheet) -> tuple[str, list[str], list[str]]:
    """The page of a workbook, its texts, and the names of its parts."""
    with zipfile.ZipFile(BytesIO(file_content(one))) as book:
        page = book.read("xl/worksheets/sheet1.xml").decode()
        shared = book.read("xl/sharedStrings.xml").decode()
        texts = re.findall(r"<t[^>]*>([^<]*)</t>", shared)
        return page, [html.unescape(text) for text in texts], book.namelist()


@pytest.mark.parametrize("cell", FORMULAS)
def test_in_csv_no_cell_is_calculated(cell: str) -> None:
    assert csv_cells(sheet(cell)) == [f"'{cell}"]


@pytest.mark.parametrize("separator", [";", "\t", ","])
@pytest.mark.parametrize("before", ["Fix it", "", "Fix it; ", "Fix\n", '"'])
@pytest.mark.parametrize("formula", ["=1+1", " @SUM(A1)", '"=1+1"', "＝1+1"])
def test_in_csv_nothing_is_calculated_where_another_sign_separates_cells(
    separator: str, before: str, formula: str
) -> None:
    columns = (SheetColumn(title="Task"), SheetColumn(title="Brand"))
    title = f"{before}{separator}{formula}{separator}x"
    one = Sheet(title="Tasks", format="csv", columns=columns, rows=((title, title),))
    text = file_content(one).decode("utf-8-sig")

    for sign in (";", "\t", ","):
        cells = [
            cell for row in csv.reader(StringIO(text, newline=""), delimiter=sign) for cell in row
        ]
        assert [cell for cell in cells if cell.strip().startswith(("=", "+", "-", "@", "＝"))] == []


@pytest.mark.parametrize("cell", HONEST)
def test_in_csv_an_honest_value_stays_as_it_is(cell: str) -> None:
    assert csv_cells(sheet(cell)) == [cell]


def test_a_text_is_as_it_was_when_it_is_read_again() -> None:
    of_four = map("".join, product("'=;- \n\"a", repeat=4))
    odd = ("Check price, -10% off", "a, '-b", "'tis", "\t=1", "''-x")
    texts = [*FORMULAS, *HONEST, *odd, *of_four]

    assert [text for text in texts if as_typed(without_formula(text)) != text] == []


@pytest.mark.parametrize("sign", [";", "\t", ","])
def test_apostrophes_of_a_text_let_no_formula_through(sign: str) -> None:
    texts = map("".join, product("'=; \na", repeat=4))
    text = file_content(sheet(*texts)).decode("utf-8-sig")
    rows = csv.reader(StringIO(text, newline=""), delimiter=sign)

    assert [cell for row in rows for cell in row if cell.strip().startswith("=")] == []


def test_csv_keeps_commas_quotes_and_lines_in_their_cells() -> None:
    cells = ["one, two", 'she said "go"', "first\nsecond", "日本語 – ü"]
    assert csv_cells(sheet(*cells)) == cells


def test_a_workbook_has_every_value_as_a_text_and_days_as_days() -> None:
    cells = [cell for cell in (*FORMULAS, *HONEST) if cell and not cell.startswith(("\t", "\r"))]
    page, texts, parts = workbook(sheet(*cells, file_format="xlsx"))
    assert [text for text in texts if text in cells] == cells
    assert "<f>" not in page
    assert "hyperlink" not in page
    assert not [name for name in parts if "externalLink" in name or "vba" in name]
    # A day is a number with a format, which people can sort and filter.
    assert page.count("<v>46356</v>") == len(cells)


def test_the_same_rows_give_the_same_csv() -> None:
    assert file_content(sheet("a", "b")) == file_content(sheet("a", "b"))


@pytest.mark.parametrize("file_format", ["csv", "xlsx"])
def test_a_list_without_rows_is_a_file_with_its_head(file_format: SheetFormat) -> None:
    empty = sheet(file_format=file_format)
    if file_format == "csv":
        assert file_content(empty).decode("utf-8-sig") == "What,Due\r\n"
    else:
        assert workbook(empty)[1] == ["What", "Due"]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Tasks of A/B Co., this week", "Tasks of A B Co this week.csv"),
        ("../../etc/passwd", "etc passwd.csv"),
        ("Naïve Café 日本", "Naïve Café 日本.csv"),
        ("x\u202egnp.exe\r\n", "x gnp exe.csv"),
        ("a" * 300, "a" * 100 + ".csv"),
        ("???", "List.csv"),
    ],
)
def test_a_file_name_has_letters_digits_and_spaces_only(title: str, name: str) -> None:
    assert sheet().model_copy(update={"title": title}).file_name == name


def test_a_cell_that_says_it_is_a_number_without_end_is_none() -> None:
    assert without_formula("-Infinity") == "'-Infinity"
