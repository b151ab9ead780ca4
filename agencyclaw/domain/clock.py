"""Time zones by name, and moments on a person's own clock."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from agencyclaw.domain.messages import message


def zone_named(name: str | None) -> ZoneInfo:
    """Return the zone with that name; UTC for none or an unknown one."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def clock_name(zone: str) -> str:
    """Return the name of a zone as people say it: "Lisbon"."""
    return zone_named(zone).key.rsplit("/", 1)[-1].replace("_", " ")


def day_of(moment: datetime, zone: ZoneInfo) -> date:
    """Return on which day of a zone's calendar a moment is."""
    return moment.astimezone(zone).date()


def clock_time(moment: datetime, zone: str) -> str:
    """Return hour and minute with the name of the zone: "14:32 (Lisbon)"."""
    return f"{moment.astimezone(zone_named(zone)):%H:%M} ({clock_name(zone)})"


def later_time(moment: datetime, zone: str, *, since: datetime) -> str:
    """Return hour and minute, with the day if it is not the day of `since` on that clock."""
    known = zone_named(zone)
    is_same_day = moment.astimezone(known).date() == since.astimezone(known).date()
    return clock_time(moment, zone) if is_same_day else day_and_time(moment, zone)


def day_and_time(moment: datetime, zone: str) -> str:
    """Return the day as well: "Fri 21 Nov, 14:32 (Lisbon)"."""
    local = moment.astimezone(zone_named(zone))
    return f"{local:%a} {local.day} {local:%b}, {clock_time(moment, zone)}"


def time_span(elapsed: timedelta) -> str:
    """Return a time as people say it: "less than a minute", "12 min", "1 h 5 min"."""
    minutes = int(elapsed.total_seconds()) // 60
    if minutes < 1:
        return message("clock.under_a_minute")
    hours, minutes = divmod(minutes, 60)
    if hours:
        return message("clock.hours", hours=hours, minutes=minutes)
    return message("clock.minutes", minutes=minutes)
