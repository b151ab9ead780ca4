"""Converts days and instants to ClickUp's format: milliseconds since the epoch, in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

DAY_MS = 86_400_000


def noon_ms(day: date, zone: ZoneInfo) -> int:
    """Return the instant to send for a day without a time.

    ClickUp stores the day on which the instant falls in the account's zone: midnight UTC would
    become the day before in New York.
    """
    return instant_ms(datetime.combine(day, time(12), zone))


def instant_ms(moment: datetime) -> int:
    """Return an aware datetime as ClickUp writes it."""
    return int(moment.timestamp() * 1000)


def moment_of(ms: int | None, zone: ZoneInfo | None = None) -> datetime | None:
    """Return the instant in a zone (default UTC); None if it is outside the calendar."""
    if ms is None:
        return None
    try:
        return datetime.fromtimestamp(ms / 1000, zone or UTC)
    except (ValueError, OverflowError, OSError):
        return None


def day_of(ms: int | None, zone: ZoneInfo) -> date | None:
    """Return the calendar day on which an instant falls in a zone."""
    moment = moment_of(ms, zone)
    return moment.date() if moment else None
