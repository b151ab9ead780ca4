"""Lists that are delivered as files: typed rows, from which code writes CSV or a workbook."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from agencyclaw.domain.people import Value

ROWS_AT_MOST = 2_000
SheetFormat = Literal["csv", "xlsx"]


def is_csv(file_name: str) -> bool:
    """Return whether a file is called a CSV file."""
    return file_name.lower().endswith(".csv")


class SheetColumn(Value):
    """A column; its cells are texts, or days in ISO form. An empty cell is ""."""

    title: str
    is_day: bool = False


class Sheet(Value):
    """A list of rows with a title, to be delivered as a file of this format.

    As "png" it is a bar chart: its rows are a label and a number, whose column names the unit.
    `left_out` counts the rows beyond the limit, `unread` names the brands whose rows could not be
    read, and `remarks` are sentences that describe the rows.
    """

    title: str
    format: SheetFormat | Literal["png"]
    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[str, ...], ...] = Field(max_length=ROWS_AT_MOST)
    left_out: int = 0
    unread: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def file_name(self) -> str:
        """The title with letters, digits and spaces only, and the format's ending."""
        kept = "".join(char if char.isalnum() or char in " -" else " " for char in self.title)
        return f"{' '.join(kept.split())[:100] or 'List'}.{self.format}"


@dataclass
class Sheets:
    """The files that a run puts below its answer."""

    added: list[Sheet] = field(default_factory=list[Sheet])

    def add(self, sheet: Sheet) -> None:
        """Add a list; the same list again is added once."""
        if sheet not in self.added:
            self.added.append(sheet)
