"""Moments as a person reads them on their own clock."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def clock_time(moment: datetime, zone: str) -> str:
    """Return hour and minute with the name of the zone: "14:32 (Lisbon)"."""
    return f"{moment.astimezone(_zone(zone)):%H:%M} ({_place_of(zone)})"


def day_and_time(moment: datetime, zone: str) -> str:
    """Return the day too: "Fri 21 Nov, 14:32 (Lisbon)"."""
    local = moment.astimezone(_zone(zone))
    return f"{local:%a} {local.day} {local:%b}, {clock_time(moment, zone)}"


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def _place_of(name: str) -> str:
    if _zone(name) is UTC:
        return "UTC"
    return name.rsplit("/", 1)[-1].replace("_", " ")
