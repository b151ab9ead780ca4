"""Reads results from the lines of CSV files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

from pydantic import ValidationError

from agencyclaw.domain.clients import Brand, Named
from agencyclaw.domain.kpi import METRICS, Amount, codes_in
from agencyclaw.domain.kpi_results import SOURCE_LIMIT, Results, SetResult, StoredResult
from agencyclaw.domain.messages import message
from agencyclaw.domain.periods import Period, is_over, spoken_period
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.csv_files import RecordLine
from agencyclaw.knowledge.import_cells import FaultyCell, called, filled

_PERIOD = re.compile(r"(\d{4})(?:-(0[1-9]|1[0-2]))?", re.ASCII)
# 1.200 is 1,200 to some and 1.2 to others. 1,200 is so as a percentage; as money it is 1,200.
_TWO_READINGS = re.compile(r"\d{1,3}\.\d{3}", re.ASCII)
_TWO_READINGS_OF_PERCENT = re.compile(r"\d{1,3}[.,]\d{3}", re.ASCII)


def result_on(
    line: RecordLine,
    owner: Named,
    brands: Sequence[Brand],
    stored: Sequence[StoredResult],
    today: date,
    *,
    is_delivered: bool,
) -> SetResult:
    """Return what a line says that a brand reached; raises FaultyCell or ValidationError.

    Without a source of its own, it is from its file.
    """
    brand = _brand(line, owner, brands)
    market = _market(line, brand)
    period, start = _period(line, today)
    source = _source(line)
    key = (brand.id, market, period, start, source)
    before = next((one.figures for one in stored if _key_of(one) == key), None)
    after = filled(line, before or Results(), dict(_values(line)) | {"is_delivered": is_delivered})
    if not after.rows():
        raise FaultyCell("", message("imports.no_figure"))
    if after.sales is not None and after.currency is None:
        raise FaultyCell("currency", message("imports.empty"))
    return SetResult(
        client=owner,
        brand=brand.named,
        marketplace=market,
        period=period,
        start=start,
        source=source,
        before=before,
        after=after,
    )


def _source(line: RecordLine) -> str:
    """Return where a line's figures are from; cut, it could be another source's name."""
    written = line.cells.get("source")
    if written is None:
        return one_line(line.file, SOURCE_LIMIT)
    source = one_line(written, len(written))
    if len(source) > SOURCE_LIMIT:
        raise FaultyCell("source", message("imports.too_long", most=SOURCE_LIMIT))
    return source


def _key_of(one: StoredResult) -> tuple[object, ...]:
    return (one.brand_id, one.marketplace, one.period, one.start, one.source)


def _brand(line: RecordLine, owner: Named, brands: Sequence[Brand]) -> Brand:
    name = one_line(line.cells.get("brand", ""), 120)
    brand = called(name, brands)
    if brand is None:
        raise FaultyCell("brand", message("imports.no_brand", client=owner.name, name=name))
    return brand


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


def _period(line: RecordLine, today: date) -> tuple[Period, date]:
    """Return the month or year of a line, which has to be over."""
    cell = line.cells.get("period", "")
    found = _PERIOD.fullmatch(cell)
    if found is None or int(found[1]) < date.min.year:
        raise FaultyCell("period", message("imports.no_period", text=one_line(cell, 20)))
    period: Period = "monthly" if found[2] else "annual"
    start = date(int(found[1]), int(found[2] or 1), 1)
    if start > today or not is_over(period, start, today):
        raise FaultyCell("period", message("imports.not_over", when=spoken_period(period, start)))
    return period, start


def _values(line: RecordLine) -> Iterator[tuple[str, Decimal | str]]:
    """Yield the figures of a line, and their currency."""
    for metric in METRICS:
        if cell := line.cells.get(metric):
            yield metric, _figure(metric, cell)
    if currency := line.cells.get("currency"):
        yield "currency", currency.upper()


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
