"""Days as they are typed, in the calendar of one person."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from agencyclaw.domain.days import Day, resolve_day

WEDNESDAY = date(2026, 11, 18)
END = {"kind": "end_of", "period": "week"}
DAY: TypeAdapter[Any] = TypeAdapter(Day)


def meant(start: date | None = None, end: Any = None, **day: Any) -> date:
    until = DAY.validate_python(end) if end else None
    return resolve_day(DAY.validate_python(day), WEDNESDAY, start=start, end=until)


@pytest.mark.parametrize(
    ("day", "found"),
    [
        ({"kind": "date", "date": "2027-03-01"}, date(2027, 3, 1)),
        ({"kind": "weekday", "weekday": "wednesday"}, WEDNESDAY),
        ({"kind": "weekday", "weekday": "friday"}, date(2026, 11, 20)),
        ({"kind": "weekday", "weekday": "monday"}, date(2026, 11, 23)),
        ({"kind": "weekday", "weekday": "monday", "which": "next"}, date(2026, 11, 23)),
        ({"kind": "weekday", "weekday": "friday", "which": "next"}, date(2026, 11, 27)),
        ({"kind": "weekday", "weekday": "friday", "which": "after"}, date(2026, 12, 4)),
        ({"kind": "in", "count": 0}, WEDNESDAY),
        ({"kind": "in", "count": 1}, date(2026, 11, 19)),
        ({"kind": "in", "count": 2, "unit": "weeks"}, date(2026, 12, 2)),
        ({"kind": "in", "count": 3, "unit": "months"}, date(2027, 2, 18)),
        ({"kind": "month_day", "month": 12, "day": 1}, date(2026, 12, 1)),
        ({"kind": "month_day", "month": 3, "day": 1}, date(2027, 3, 1)),
        ({"kind": "month_day", "month": 2}, date(2027, 2, 28)),
        ({"kind": "month_day", "month": 2, "day": 29}, date(2028, 2, 29)),
        ({"kind": "month_day", "day": 20}, date(2026, 11, 20)),
        ({"kind": "month_day", "day": 5}, date(2026, 12, 5)),
        ({"kind": "end_of", "period": "week"}, date(2026, 11, 20)),
        ({"kind": "end_of", "period": "week", "which": "next"}, date(2026, 11, 27)),
        ({"kind": "end_of", "period": "month"}, date(2026, 11, 30)),
        ({"kind": "end_of", "period": "month", "which": "next"}, date(2026, 12, 31)),
        ({"kind": "end_of", "period": "quarter"}, date(2026, 12, 31)),
        ({"kind": "end_of", "period": "year", "which": "next"}, date(2027, 12, 31)),
    ],
)
def test_a_typed_day_is_one_day_of_the_calendar(day: dict[str, Any], found: date) -> None:
    assert meant(**day) == found


def test_at_a_weekend_this_weeks_end_is_its_sunday_and_the_next_ones_a_friday() -> None:
    saturday = date(2026, 11, 21)

    assert resolve_day(DAY.validate_python(END), saturday) == date(2026, 11, 22)
    assert resolve_day(DAY.validate_python(END | {"which": "next"}), saturday) == date(2026, 11, 27)


def test_how_long_something_lasts_counts_from_its_start() -> None:
    start = date(2026, 12, 1)

    assert meant(start, kind="lasting", count=2, unit="weeks") == date(2026, 12, 14)
    assert meant(start, kind="lasting", count=1) == start
    assert meant(date(2026, 1, 31), kind="lasting", count=1, unit="months") == date(2026, 2, 27)
    with pytest.raises(ValueError, match="not known"):
        meant(kind="lasting", count=2)


def test_a_day_of_a_month_is_the_next_one_from_today_whatever_the_start() -> None:
    assert meant(date(2026, 12, 20), kind="month_day", month=1, day=5) == date(2027, 1, 5)
    assert meant(date(2026, 12, 5), kind="month_day", month=12, day=3) == date(2026, 12, 3)


def test_a_day_that_no_month_has_is_none() -> None:
    with pytest.raises(ValueError, match="no 31"):
        meant(kind="month_day", month=2, day=31)


@pytest.mark.parametrize(
    "day",
    [
        {"kind": "date", "date": 20261201},
        {"kind": "date", "date": True},
        {"kind": "date", "date": "1999-12-31"},
        {"kind": "in", "count": -1},
        {"kind": "weekday", "weekday": "someday"},
        {"kind": "soon"},
    ],
)
def test_what_is_no_day_is_refused(day: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        DAY.validate_python(day)


@given(
    today=st.dates(date(2020, 1, 1), date(2080, 1, 1)),
    weekday=st.sampled_from(["monday", "thursday", "sunday"]),
)
def test_this_next_and_after_follow_each_other(today: date, weekday: str) -> None:
    this, following, after = (
        resolve_day(DAY.validate_python({"kind": "weekday", "weekday": weekday, "which": w}), today)
        for w in ("this", "next", "after")
    )

    assert today <= this <= following < after
    assert (after - following).days == 7
    assert this.weekday() == following.weekday() == after.weekday()


def test_a_day_without_a_month_is_in_the_next_one_that_has_it() -> None:
    day = DAY.validate_python({"kind": "month_day", "day": 31})

    assert resolve_day(day, date(2027, 1, 31)) == date(2027, 1, 31)
    assert resolve_day(day, date(2027, 2, 1)) == date(2027, 3, 31)
    with pytest.raises(ValueError, match="neither a day nor a month"):
        meant(kind="month_day")


@pytest.mark.parametrize(
    ("month", "day", "end", "found"),
    [
        (11, 16, {"kind": "month_day", "month": 11, "day": 30}, date(2026, 11, 16)),
        (11, 16, {"kind": "lasting", "count": 2, "unit": "weeks"}, date(2026, 11, 16)),
        (None, 16, {"kind": "month_day", "day": 30}, date(2026, 11, 16)),
        # It ended: the next one is meant.
        (11, 16, {"kind": "month_day", "month": 11, "day": 17}, date(2027, 11, 16)),
        (11, 16, {"kind": "lasting", "count": 2}, date(2027, 11, 16)),
        # It is ahead, or too long ago.
        (11, 20, {"kind": "month_day", "month": 11, "day": 30}, date(2026, 11, 20)),
        (3, 1, {"kind": "month_day", "month": 1, "day": 10}, date(2027, 3, 1)),
    ],
)
def test_the_start_of_a_range_has_passed_if_the_range_is_under_way(
    month: int | None, day: int, end: dict[str, Any], found: date
) -> None:
    assert meant(end=end, kind="month_day", month=month, day=day) == found
