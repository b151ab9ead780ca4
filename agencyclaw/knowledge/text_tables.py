"""Rewrites Markdown tables for clients that show none: in fixed width, or as a list of rows."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import zip_longest

from markdown_it.rules_block.table import escapedSplit

# The characters a message shows on one line in a window of ordinary width.
WIDEST = 76
_WIDE = frozenset("WF")


def as_rows(lines: Sequence[str]) -> list[str]:
    """Return each row of a table as a list item with all its cells."""
    heads, *rows = _rows(lines)
    return [_row(heads, cells) for cells in rows] or [" · ".join(heads)]


def as_aligned(lines: Sequence[str]) -> list[str]:
    """Return a table in fixed width; as a list if it is too wide or has links or code."""
    rows = _rows(lines)
    columns = [max(map(_width, column)) for column in zip_longest(*rows, fillvalue="")]
    is_plain = not any(sign in line for line in lines for sign in ("](", "://", "`", "\\"))
    if not is_plain or sum(columns) + 2 * (len(columns) - 1) > WIDEST or len(rows) < 2:
        return as_rows(lines)
    heads, *others = [_padded(cells, columns) for cells in rows]
    rule = "  ".join("─" * width for width in columns)
    return ["", "```", heads, rule, *others, "```", ""]


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """Return the cells of a table's lines, without the separator line."""
    rows = [_cells(line) for line in lines]
    return [*rows[:1], *rows[2:]]


def _cells(line: str) -> list[str]:
    cells = [cell.strip() for cell in escapedSplit(line.strip(" >\t"))]
    return cells[1 if cells[0] == "" else 0 : len(cells) - (1 if cells[-1] == "" else 0)]


def _row(heads: list[str], cells: list[str]) -> str:
    """Write the first cell, then the others with their headings."""
    named = zip_longest(heads[1 : max(len(cells), 1)], cells[1:], fillvalue="")
    rest = (f"{head}: {cell}" if head else cell for head, cell in named if cell)
    return f"- {' · '.join(part for part in (*cells[:1], *rest) if part)}"


def _padded(cells: Sequence[str], columns: Sequence[int]) -> str:
    """Write a line of padded cells, without emphasis, which fixed width does not show."""
    whole = [*cells, *[""] * (len(columns) - len(cells))]
    padded = [
        _bare(cell) + " " * (width - _width(cell))
        for cell, width in zip(whole, columns, strict=True)
    ]
    return "  ".join(padded).rstrip()


def _bare(cell: str) -> str:
    return cell.replace("**", "").replace("__", "").replace("~~", "")


def _width(cell: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in _WIDE else 1 for char in _bare(cell))
