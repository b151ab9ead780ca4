"""CSV files of records: what their lines are, whatever a spreadsheet made of them."""

from __future__ import annotations

import pytest

from agencyclaw.domain.errors import Refused
from agencyclaw.domain.imports import LINES_AT_MOST, TextFile
from agencyclaw.knowledge.csv_files import read_files, text_file

Cells = list[tuple[int, dict[str, str]]]


def cells(text: str) -> Cells:
    contents = read_files([TextFile(name="x.csv", text=text)])
    return [(line.number, dict(line.cells)) for line in contents.lines]


def refusal(text: str) -> str:
    with pytest.raises(Refused) as caught:
        cells(text)
    return caught.value.reason


ADA = [(2, {"email": "a@b.example", "name": "Ada"})]


@pytest.mark.parametrize(
    "text",
    [
        "Email,Name\na@b.example,Ada\n",
        "email;NAME\r\na@b.example;Ada\r\n",
        "\ufeffEmail\tName\na@b.example\tAda",
        "Name,Rights,Email,\nAda,,a@b.example,\n,,,\n",
        'Email,Name\n a@b.example ,"Ada"\n\n',
    ],
)
def test_separators_marks_and_empty_cells_make_no_difference(text: str) -> None:
    assert cells(text) == ADA


def test_a_line_is_named_by_where_it_begins() -> None:
    text = 'Name,Summary\nLarkspur,"lamps\nand bulbs"\nLavender,soap\n'

    assert [number for number, _ in cells(text)] == [2, 4]


def test_what_export_kept_from_being_a_formula_is_as_it_was() -> None:
    assert cells("Name\n'=Larkspur\n'tis\n") == [(2, {"name": "=Larkspur"}), (3, {"name": "'tis"})]


def test_the_name_of_a_file_may_be_as_long_as_a_disk_allows() -> None:
    contents = read_files([text_file("n" * 250 + ".csv", b"Name\nLarkspur,lamps\n")])

    [fault] = contents.faults
    assert fault.file.startswith("nnn")


@pytest.mark.parametrize(
    "text", ["Name\nLarkspur,lamps\nLavender\n", "Name,\nLarkspur,lamps\nLavender,\n"]
)
def test_a_line_with_a_cell_without_a_column_title_is_a_fault(text: str) -> None:
    contents = read_files([TextFile(name="x.csv", text=text)])

    assert [(fault.line, fault.why) for fault in contents.faults] == [
        (2, "it has a cell without a column title")
    ]
    assert [line.number for line in contents.lines] == [3]


def test_a_cell_that_is_too_long_is_a_fault_and_is_not_cut() -> None:
    keywords = ", ".join(f"keyword {number}" for number in range(200))
    text = f'Client,Name,Keywords\nGlintly,Glim,"{keywords}"\n'
    contents = read_files([TextFile(name="x.csv", text=text)])

    [fault] = contents.faults
    assert (fault.column, fault.why) == ("Keywords", "it is longer than 2000 characters")
    assert contents.lines == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "columns"),
        ("Larkspur\n", "columns"),
        ("Name,Rights\nAda,member\n", "columns"),
        ("Email,Name,Name\na@b.example,Ada,Bea\n", "columns"),
        ('Name\n"Larkspur\n', "no_csv"),
        ("Name\n" + "Larkspur\n" * (LINES_AT_MOST + 1), "too_many"),
    ],
)
def test_a_file_that_can_not_be_told_is_refused(text: str, reason: str) -> None:
    assert refusal(text) == reason


def test_a_file_that_is_not_utf_8_is_refused() -> None:
    assert text_file("x.csv", "Büro".encode()).text == "Büro"
    with pytest.raises(Refused, match="CSV UTF-8"):
        text_file("x.csv", "Büro".encode("latin-1"))
