"""Time zones by their names, as people and other systems write them."""

from __future__ import annotations

from zoneinfo import ZoneInfo


def zone_named(name: str | None) -> ZoneInfo:
    """Return the zone of that name; UTC for none, and for one that nobody knows."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")
