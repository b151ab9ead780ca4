"""ClickUp's dates: an instant, or a calendar day stored as 04:00 local time."""

from datetime import datetime, time
from zoneinfo import ZoneInfo

LATEST_MS = 253_370_764_800_000  # 9999-01-01: anything later has no calendar day
_DAY_HOUR = time(4)


def stored_date(moment_ms: int, timed: bool, zone: ZoneInfo) -> int:
    return moment_ms if timed else snap_to_day(moment_ms, zone)


def snap_to_day(moment_ms: int, zone: ZoneInfo) -> int:
    """Return 04:00 on the day of this instant, in the workspace's zone."""
    return day_mark(local_moment(moment_ms, zone), zone)


def day_mark(day: datetime, zone: ZoneInfo) -> int:
    return int(datetime.combine(day.date(), _DAY_HOUR, zone).timestamp()) * 1000


def day_words(local: datetime) -> str:
    """Return a day as a person reads it."""
    return f"{local:%A}, {local.day} {local:%B %Y}"


def local_moment(moment_ms: int, zone: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(moment_ms / 1000, zone)
