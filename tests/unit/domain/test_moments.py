"""Moments and ranges as people read them: the day and the year where they matter."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from agencyclaw.domain.clock import later_time
from agencyclaw.domain.tasks import WindowKind, build_window

EVENING = datetime(2026, 11, 23, 22, 36, tzinfo=UTC)


@pytest.mark.parametrize(
    ("until", "zone", "said"),
    [
        (EVENING.replace(hour=23), "Europe/Lisbon", "23:36 (Lisbon)"),
        (EVENING.replace(day=24, hour=10), "Europe/Lisbon", "Tue 24 Nov, 10:36 (Lisbon)"),
        (EVENING.replace(day=24, hour=10), "Asia/Tokyo", "19:36 (Tokyo)"),
    ],
)
def test_until_when_has_its_day_unless_that_is_the_day_it_is_said(
    until: datetime, zone: str, said: str
) -> None:
    assert later_time(until, zone, since=EVENING) == said


@pytest.mark.parametrize(
    ("today", "label"),
    [
        (date(2026, 11, 23), "the last 30 days, Sun 25 Oct – Mon 23 Nov 2026"),
        (date(2027, 1, 4), "the last 30 days, Sun 06 Dec 2026 – Mon 04 Jan 2027"),
    ],
)
def test_a_range_that_crosses_a_year_has_both(today: date, label: str) -> None:
    assert build_window(WindowKind.LAST_N_DAYS, today, days=30).label == label


@pytest.mark.parametrize("day", [date(2026, 11, 23), date(2026, 11, 29)])
def test_next_week_begins_on_monday_whatever_day_it_is(day: date) -> None:
    window = build_window(WindowKind.NEXT_WEEK, day)
    assert window.label == "next week, Mon 30 Nov – Sun 06 Dec 2026"


def test_overdue_is_what_was_due_before_today_and_never_today() -> None:
    today = date(2026, 11, 24)
    window = build_window(WindowKind.OVERDUE, today)
    assert window.label == "overdue, due before Tue 24 Nov 2026"
    assert window.start.year == 2000
    assert window.end == datetime(2026, 11, 24, tzinfo=UTC)
