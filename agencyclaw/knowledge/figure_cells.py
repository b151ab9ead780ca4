"""Reads results and targets from the lines of CSV files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from agencyclaw.domain.clients import Brand
from agencyclaw.domain.days import FIRST_DAY, LAST_DAY
from agencyclaw.domain.kpi import METRICS, Amount, Figures
from agencyclaw.domain.kpi_results import SOURCE_LIMIT
from agencyclaw.domain.marketplaces import codes_in
from agencyclaw.domain.messages import message
from agencyclaw.domain.periods import Period, is_over, spoken_period
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.csv_files import RecordLine
from agencyclaw.knowledge.import_cells import FaultyCell

# What a file has where nobody said what the figures are from: an empty cell means the file.
_NO_SOURCE = message("records.none")
_PERIOD = re.compile(r"(\d{4})(?:-(0[1-9]|1[0-2]))?", re.ASCII)
# 1.200 is 1,200 to some and 1.2 to others. 1,200 is so as a percentage; as money it is 1,200.
_TWO_READINGS = re.compile(r"\d{1,3}\.\d{3}", re.ASCII)
_TWO_READINGS_OF_PERCENT = re.compile(r"\d{1,3}[.,]\d{3}", re.ASCII)


def key_on(line: RecordLine, brand: Brand, today: date, *, is_reached: bool) -> dict[str, Any]:
    """Return of what the figures of a line are, by field; raises FaultyCell.

    What is reached is of a month or year that is over, and without a source from its file.
    """
    period, start = _period(line)
    key = {"marketplace": _market(line, brand), "period": period, "start": start}
    if not is_reached:
        return key
    if start > today or not is_over(period, start, today):
        raise FaultyCell("period", message("imports.not_over", when=spoken_period(period, start)))
    return {**key, "source": _source(line)}


def figures_on(line: RecordLine) -> dict[str, Decimal | str]:
    """Return the figures of a line, and their currency; raises FaultyCell."""
    values: dict[str, Decimal | str] = {
        metric: _figure(metric, cell) for metric in METRICS if (cell := line.cells.get(metric))
    }
    if currency := line.cells.get("currency"):
        values["currency"] = currency.upper()
    return values


def require_figures(figures: Figures) -> None:
    """Raise FaultyCell if there is no figure, or no currency for sales."""
    if not figures.rows():
        raise FaultyCell("", message("imports.no_figure"))
    if figures.sales is not None and figures.currency is None:
        raise FaultyCell("currency", message("imports.empty"))


def key_cells(key: Mapping[str, Any]) -> dict[str, str]:
    """Return of what figures are, as it is read: the period as 2026-10, or 2026."""
    form = "%Y-%m" if key["period"] == "monthly" else "%Y"
    cells = {"period": key["start"].strftime(form)}
    if "source" in key:
        cells["source"] = key["source"] or _NO_SOURCE
    return cells


def _source(line: RecordLine) -> str:
    """Return where a line's figures are from; cut, it could be another source's name."""
    written = line.cells.get("source")
    if written is None:
        return one_line(line.file, SOURCE_LIMIT)
    source = one_line(written, len(written))
    if folded(source) == _NO_SOURCE:
        return ""
    if len(source) > SOURCE_LIMIT:
        raise FaultyCell("source", message("imports.too_long", most=SOURCE_LIMIT))
    return source


def _market(line: RecordLine, brand: Brand) -> str:
    cell = line.cells.get("marketplace", "")
    codes = codes_in(cell)
    if len(codes) != 1:
        wrong = one_line(cell, 16)
        raise FaultyCell(
            "marketplace", message("refused.brand_records.bad_marketplace", wrong=wrong)
        )
    if brand.marketplaces and codes[0] not in brand.marketplaces:
        listed = ", ".join(brand.marketplaces)
        why = message(
            "refused.kpi.other_marketplace", brand=brand.name, unknown=codes[0], listed=listed
        )
        raise FaultyCell("marketplace", why)
    return codes[0]


def _period(line: RecordLine) -> tuple[Period, date]:
    cell = line.cells.get("period", "")
    found = _PERIOD.fullmatch(cell)
    if found is None or not FIRST_DAY.year <= int(found[1]) <= LAST_DAY.year:
        raise FaultyCell("period", message("imports.no_period", text=one_line(cell, 20)))
    return ("monthly" if found[2] else "annual"), date(int(found[1]), int(found[2] or 1), 1)


def _figure(metric: str, cell: str) -> Decimal:
    is_money = metric == "sales"
    digits = cell.strip() if is_money else cell.strip().removesuffix("%").strip()
    unclear = _TWO_READINGS if is_money else _TWO_READINGS_OF_PERCENT
    try:
        figure = None if unclear.fullmatch(digits) else Amount(number=digits).rounded
    except ValidationError:
        figure = None
    if figure is None:
        raise FaultyCell(metric, message("imports.no_number", text=one_line(cell, 40)))
    return figure
