"""Days as people name them: typed by the model, resolved by code in the person's calendar."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import Annotated, Any, Literal, assert_never

from pydantic import BeforeValidator, Field

from agencyclaw.domain.people import Value

FIRST_DAY = date(2000, 1, 1)
LAST_DAY = date(2100, 12, 31)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Which = Literal["this", "next", "after"]
Unit = Literal["days", "weeks", "months"]
_PERIODS: dict[str, int] = {"month": 1, "quarter": 3, "year": 12}


def calendar_day(value: Any) -> Any:
    """Refuse a bare number, which pydantic would read as seconds since 1970."""
    if isinstance(value, (bool, int, float)):
        raise ValueError("a date like 2026-03-31 is needed")
    return value


class OnDate(Value):
    """Given in full."""

    kind: Literal["date"]
    date: Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY), BeforeValidator(calendar_day)]


class OnWeekday(Value):
    """This coming one (today included), next week's, or the one after that."""

    kind: Literal["weekday"]
    weekday: Weekday
    which: Which = "this"


class InTime(Value):
    """So long from today: 0 days is today, 1 tomorrow."""

    kind: Literal["in"]
    count: Annotated[int, Field(ge=0, le=366)]
    unit: Unit = "days"


class OnMonthDay(Value):
    """A day of a month without a year; without a day, its last."""

    kind: Literal["month_day"]
    month: Annotated[int, Field(ge=1, le=12)]
    day: Annotated[int, Field(ge=1, le=31)] | None = None


class EndOf(Value):
    """Its last day; a week's is Sunday."""

    kind: Literal["end_of"]
    period: Literal["week", "month", "quarter", "year"]
    which: Which = "this"


class Lasting(Value):
    """So long from the start given, its first day included."""

    kind: Literal["lasting"]
    count: Annotated[int, Field(ge=1, le=366)]
    unit: Unit = "days"


Day = Annotated[
    OnDate | OnWeekday | InTime | OnMonthDay | EndOf | Lasting, Field(discriminator="kind")
]


def resolve_day(day: Day, today: date, *, start: date | None = None) -> date:
    """Return the calendar day; raises ValueError, in words, if there is none.

    `start` is what a duration counts from; a day of a month is the next one from today.
    """
    match day:
        case OnDate(date=on):
            return on
        case OnWeekday():
            return _weekday(day, today)
        case InTime(count=count, unit=unit):
            return _later(today, count, unit)
        case OnMonthDay(month=month, day=number):
            return _month_day(month, number, today)
        case EndOf():
            return _end_of(day, today)
        case Lasting(count=count, unit=unit):
            if start is None:
                raise ValueError("it lasts from a start that is not known")
            return _later(start, count, unit) - timedelta(days=1)
    assert_never(day)


def numbers_of(day: Day) -> tuple[int, ...]:
    """Return the numbers that a quote must contain to support this day."""
    match day:
        case OnDate(date=on):
            return (on.day,)
        case OnMonthDay(day=number):
            return (number,) if number else ()
        case OnWeekday() | InTime() | EndOf() | Lasting():
            return ()
    assert_never(day)


def counted_by(day: Day) -> int | None:
    """Return a count that words may express ("tomorrow"); only a quote's figure refutes it."""
    return day.count if isinstance(day, (InTime, Lasting)) else None


def spoken_day(day: date) -> str:
    """Return a day with its weekday, as cards and tools show it."""
    return f"{day:%a} {day.day} {day:%b %Y}"


def _weekday(day: OnWeekday, today: date) -> date:
    wanted = WEEKDAYS.index(day.weekday)
    if day.which == "this":
        return today + timedelta(days=(wanted - today.weekday()) % 7)
    monday = today - timedelta(days=today.weekday())
    return monday + timedelta(days=wanted, weeks=1 if day.which == "next" else 2)


def _later(day: date, count: int, unit: Unit) -> date:
    if unit == "months":
        return _in_months(day, count)
    return day + timedelta(days=count * (7 if unit == "weeks" else 1))


def _in_months(day: date, count: int) -> date:
    """Return the same day some months later, or that month's last day."""
    years, month = divmod(day.month - 1 + count, 12)
    year = day.year + years
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def _month_day(month: int, number: int | None, since: date) -> date:
    for year in range(since.year, since.year + 9):
        last = calendar.monthrange(year, month)[1]
        found = date(year, month, number or last) if (number or last) <= last else None
        if found and found >= since:
            return found
    raise ValueError(f"there is no {number}. in month {month}")


def _end_of(day: EndOf, today: date) -> date:
    ahead = ("this", "next", "after").index(day.which)
    if day.period == "week":
        return today + timedelta(days=6 - today.weekday(), weeks=ahead)
    months = _PERIODS[day.period]
    first = date(today.year, (today.month - 1) // months * months + 1, 1)
    return _in_months(first, months * (ahead + 1)) - timedelta(days=1)
