"""Calendar days and the instants ClickUp keeps them as."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agencyclaw.clickup.dates import day_of, instant_ms, moment_of, noon_ms
from agencyclaw.domain.clock import zone_named

DAYS = st.dates(min_value=date(2000, 1, 1), max_value=date(2060, 12, 31))
ZONES = st.sampled_from(sorted(available_timezones()))


def kept_by_clickup(sent_ms: int, account: ZoneInfo) -> int:
    """04:00 of the day on which the instant falls in the account's zone."""
    day = datetime.fromtimestamp(sent_ms / 1000, account).date()
    return instant_ms(datetime.combine(day, time(4), account))


@settings(deadline=None, max_examples=60)
@given(day=DAYS, zone=ZONES)
def test_a_day_comes_back_as_the_same_day_in_every_zone(day: date, zone: str) -> None:
    account = zone_named(zone)
    kept = kept_by_clickup(noon_ms(day, account), account)
    assert day_of(kept, account) == day


def test_midnight_utc_would_have_been_the_day_before_in_new_york() -> None:
    new_york = ZoneInfo("America/New_York")
    assert kept_by_clickup(1798675200000, new_york) == 1798621200000
    kept = kept_by_clickup(noon_ms(date(2026, 12, 31), new_york), new_york)
    assert day_of(kept, new_york) == date(2026, 12, 31)


@pytest.mark.parametrize("name", [None, "", "Nowhere", "../etc/passwd", "America", "\0"])
def test_a_zone_nobody_knows_is_utc(name: str | None) -> None:
    assert zone_named(name) == ZoneInfo("UTC")


def test_an_instant_outside_of_the_calendar_is_none() -> None:
    assert moment_of(10**17) is None
    assert day_of(10**17, ZoneInfo("UTC")) is None
    assert moment_of(None) is None
    assert moment_of(0) == datetime(1970, 1, 1, tzinfo=UTC)
