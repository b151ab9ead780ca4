"""Time zones by name, as people and other systems write them."""

from __future__ import annotations

from zoneinfo import ZoneInfo


def zone_named(name: str | None) -> ZoneInfo:
    """Return the zone with that name; UTC for none or an unknown one."""
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")
