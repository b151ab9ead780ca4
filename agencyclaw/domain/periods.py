"""The month or year a target is for, as people name it: typed by the model, resolved by code."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from agencyclaw.domain.days import FIRST_DAY, LAST_DAY, apart, in_months
from agencyclaw.domain.people import NOT_A_BOOL
from agencyclaw.domain.quotes import Quoted, holds_number
from agencyclaw.domain.text import counted

Period = Literal["monthly", "annual"]
# A month or day in figures: 12/2026, 2026-12, 12/01/2026.
_FIGURES = re.compile(r"(?<!\d)\d{1,4}(?:[./-]\d{1,4})+(?!\d)")
_YEAR_DIGITS = 4
_HALF_A_YEAR = 6


class QuotedPeriod(Quoted):
    """A month or year they named. `ahead`, from the present one: 0 "this", 1 "next"."""

    month: Annotated[int, Field(ge=1, le=12), NOT_A_BOOL] | None = None
    year: Annotated[int, Field(ge=FIRST_DAY.year, le=LAST_DAY.year), NOT_A_BOOL] | None = None
    ahead: Annotated[int, Field(ge=-12, le=12), NOT_A_BOOL] | None = None


def start_of(period: Period, day: date) -> date:
    """Return the first day of a day's month or year."""
    return day.replace(day=1) if period == "monthly" else day.replace(month=1, day=1)


def spoken_period(period: Period, start: date) -> str:
    """Return a month or year as a person reads it."""
    return f"{start:%B %Y}" if period == "monthly" else f"{start:%Y}"


def is_over(period: Period, start: date, today: date) -> bool:
    """Return whether the last day of a month or year has passed."""
    return in_months(start, 1 if period == "monthly" else 12) <= today


def resolve_period(period: Period, named: QuotedPeriod, today: date, *, past: bool = False) -> date:
    """Return the first day of the period that is named; raises ValueError, in words, if none is.

    A month without a year is the next one, the present one included; with `past`, the last one,
    but for one that would be over sooner this year than it was last year: that one is not over.
    """
    present = start_of(period, today)
    if named.ahead is not None:
        return in_months(present, named.ahead * (1 if period == "monthly" else 12))
    if period == "annual":
        if named.year is None:
            raise ValueError("no year was given, nor how far ahead it is")
        return present.replace(year=named.year)
    if named.month is None:
        raise ValueError("no month was given, nor how far ahead it is")
    first = present.replace(month=named.month, year=named.year or today.year)
    if named.year is None and past and first.month - present.month >= _HALF_A_YEAR:
        return first.replace(year=first.year - 1)
    is_next_year = named.year is None and not past and first < present
    return first.replace(year=first.year + 1) if is_next_year else first


def is_year_guessed(period: Period, named: QuotedPeriod, start: date, today: date) -> bool:
    """Return whether a month without a year was read as one of another year than the present."""
    is_yearless = named.ahead is None and not holds_year(start.year, named.quote)
    return period == "monthly" and is_yearless and start.year != today.year


def period_fault(period: Period, named: QuotedPeriod, today: date, *, past: bool = False) -> str:
    """Return which part of a named period its quote does not support."""
    months = _months_in(named.quote)
    if named.month and months and named.month not in months:
        return f"the month {named.month} does not occur in its quote"
    if named.year and not holds_year(named.year, named.quote):
        implied = named.model_copy(update={"year": None if period == "monthly" else today.year})
        meant = resolve_period(period, named, today, past=past)
        if resolve_period(period, implied, today, past=past) != meant:
            return f"the year {named.year} does not occur in its quote"
    return ""


def counted_period(period: Period, named: QuotedPeriod, today: date) -> str:
    """Return how a period is counted from the present one, for a person to check; else ""."""
    if not named.ahead:
        return ""
    span = counted(abs(named.ahead), "month" if period == "monthly" else "year")
    return apart(named.ahead, span, spoken_period(period, today))


def _months_in(quote: str) -> set[int]:
    """Return the months that a quote may have in figures beside a year.

    12/01/2026 is in December or in January, depending on where it was written.
    """
    months: set[int] = set()
    for figures in _FIGURES.findall(quote):
        parts = re.split("[./-]", figures)
        if len(parts[0]) == _YEAR_DIGITS:
            months.add(int(parts[1]))
        elif any(len(part) == _YEAR_DIGITS for part in parts):
            months.update(int(part) for part in parts if len(part) < _YEAR_DIGITS)
    return {month for month in months if month in range(1, 13)}


def holds_year(year: int, quote: str) -> bool:
    """Return whether a quote has a year, also as 12/27 or '27."""
    short = rf"(?<=['’/.-]){year % 100:02}(?!\d)"
    return holds_number(year, quote) or re.search(short, quote) is not None
