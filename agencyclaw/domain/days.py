"""Days as people name them: typed by the model, resolved by code in the person's calendar."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import Annotated, Any, Literal, assert_never

from pydantic import BeforeValidator, Field

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import NOT_A_BOOL, Value
from agencyclaw.domain.text import counted

FIRST_DAY = date(2000, 1, 1)
LAST_DAY = date(2100, 12, 31)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
Which = Literal["this", "next", "after"]
Unit = Literal["days", "weeks", "months"]
_PERIODS: dict[str, int] = {"month": 1, "quarter": 3, "year": 12}
# A start without a year is one that has passed if that is no longer ago, and the end is ahead.
_STARTED_LATELY = timedelta(days=92)
_A_MONTH = timedelta(days=31)


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
    """this: the coming one, today included; next: next week's; after: a week later."""

    kind: Literal["weekday"]
    weekday: Weekday
    which: Which = "this"


class InTime(Value):
    """So long from today: 0 days is today, 1 tomorrow."""

    kind: Literal["in"]
    count: Annotated[int, Field(ge=0, le=366), NOT_A_BOOL]
    unit: Unit = "days"


class OnMonthDay(Value):
    """A day without a year: the next; without a day, the month's last."""

    kind: Literal["month_day"]
    month: Annotated[int, Field(ge=1, le=12), NOT_A_BOOL] | None = None
    day: Annotated[int, Field(ge=1, le=31), NOT_A_BOOL] | None = None


class EndOf(Value):
    """Its last day; a week's is Friday."""

    kind: Literal["end_of"]
    period: Literal["week", "month", "quarter", "year"]
    which: Which = "this"


class FromDay(Value):
    """After a day said or on the card; below 0 before."""

    kind: Literal["from"]
    date: Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY), BeforeValidator(calendar_day)]
    count: Annotated[int, Field(ge=-366, le=365), NOT_A_BOOL]
    unit: Unit = "days"


class Lasting(Value):
    """From the start, its first day included."""

    kind: Literal["lasting"]
    count: Annotated[int, Field(ge=1, le=366), NOT_A_BOOL]
    unit: Unit = "days"


Day = Annotated[
    OnDate | OnWeekday | InTime | OnMonthDay | EndOf | FromDay | Lasting,
    Field(discriminator="kind"),
]


def resolve_day(
    day: Day, today: date, *, start: date | None = None, end: Day | None = None
) -> date:
    """Return the calendar day; raises ValueError, in words, if there is none.

    `start` is what a duration counts from. A day of a month is the next one from today; with `end`
    it is the start of a range, which may be under way: the 23rd of "23 to 30 Nov" on the 24th.
    """
    match day:
        case OnDate(date=on):
            return on
        case OnWeekday():
            return _weekday(day, today)
        case InTime(count=count, unit=unit):
            return _later(today, count, unit)
        case OnMonthDay(month=month, day=number):
            following = _month_day(month, number, today)
            return following if end is None else _start_before(end, day, following, today)
        case EndOf():
            return _end_of(day, today)
        case FromDay(date=on, count=count, unit=unit):
            return _later(on, count, unit)
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
        case OnWeekday() | InTime() | EndOf() | FromDay() | Lasting():
            return ()
    assert_never(day)


def counted_by(day: Day) -> int | None:
    """Return a count that words may express ("tomorrow"); only a quote's figure refutes it."""
    return abs(day.count) if isinstance(day, (InTime, FromDay, Lasting)) else None


def is_next_to(day: Day) -> bool:
    """Return whether no more than a day is counted: every language has words for that."""
    return (
        isinstance(day, (InTime, FromDay, Lasting)) and day.unit == "days" and abs(day.count) <= 1
    )


def counted_as(day: Day, today: date) -> str:
    """Return how a counted day is counted, for a person to check; "" for all others.

    Where next week's is the coming one, as on Sundays, no other reading is to be checked.
    """
    match day:
        case InTime(count=0):
            return message("days.today")
        case InTime(count=1, unit="days"):
            return message("days.tomorrow")
        case InTime(count=count, unit=unit):
            return message("days.from_today", span=_span(count, unit))
        case Lasting(count=count, unit=unit):
            return message("days.long", span=_span(count, unit))
        case FromDay(date=on, count=count, unit=unit):
            return apart(count, _span(abs(count), unit), spoken_day(on))
        case OnWeekday(weekday=weekday, which=which):
            coming = day.model_copy(update={"which": "this"})
            if _weekday(day, today) == _weekday(coming, today):
                return ""
            if which == "next":
                return message("days.weekday_next", weekday=weekday.capitalize())
            return message("days.weekday_after", weekday=weekday.capitalize())
        case OnDate() | OnMonthDay() | EndOf():
            return ""
    assert_never(day)


def apart(count: int, span: str, day: str) -> str:
    """Return that something is a span before a day, for a count below 0, or after it."""
    if count < 0:
        return message("days.before", span=span, day=day)
    return message("days.after", span=span, day=day)


def _span(count: int, unit: Unit) -> str:
    return counted(count, unit.removesuffix("s"))


def spoken_day(day: date) -> str:
    """Return a day with its weekday, as cards and tools show it."""
    return f"{day:%a} {day.day} {day:%b %Y}"


def _weekday(day: OnWeekday, today: date) -> date:
    number = WEEKDAYS.index(day.weekday)
    if day.which == "this":
        return today + timedelta(days=(number - today.weekday()) % 7)
    monday = today - timedelta(days=today.weekday())
    return monday + timedelta(days=number, weeks=1 if day.which == "next" else 2)


def _later(day: date, count: int, unit: Unit) -> date:
    if unit == "months":
        return in_months(day, count)
    return day + timedelta(days=count * (7 if unit == "weeks" else 1))


def in_months(day: date, count: int) -> date:
    """Return the same day some months later, or that month's last day."""
    years, month = divmod(day.month - 1 + count, 12)
    year = day.year + years
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def _month_day(month: int | None, number: int | None, since: date) -> date:
    if month is None:
        return _next_such_day(number, since)
    for year in range(since.year, since.year + 9):
        last = calendar.monthrange(year, month)[1]
        day = date(year, month, number or last) if (number or last) <= last else None
        if day and day >= since:
            return day
    raise ValueError(f"there is no {number}. in month {month}")


def _start_before(end: Day, start: OnMonthDay, following: date, today: date) -> date:
    """Return the latest such start that has passed if the range goes on from it, else the next."""
    first = today - (_STARTED_LATELY if start.month else _A_MONTH)
    latest = _month_day(start.month, start.day, first)
    if latest >= today:
        return following
    try:
        is_under_way = today <= resolve_day(end, today, start=latest) < following
    except ValueError:
        return following
    return latest if is_under_way else following


def _next_such_day(number: int | None, since: date) -> date:
    """Return the next day of this number, in this month or a later one that has it."""
    if number is None:
        raise ValueError("neither a day nor a month was given")
    days = (since + timedelta(days=ahead) for ahead in range(62))
    return next(day for day in days if day.day == number)


def _end_of(day: EndOf, today: date) -> date:
    ahead = ("this", "next", "after").index(day.which)
    if day.period == "week":
        friday = today + timedelta(days=4 - today.weekday(), weeks=ahead)
        return friday if friday >= today else friday + timedelta(days=2)
    months = _PERIODS[day.period]
    first = date(today.year, (today.month - 1) // months * months + 1, 1)
    return in_months(first, months * (ahead + 1)) - timedelta(days=1)
