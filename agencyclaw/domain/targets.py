"""Targets of a brand in a marketplace, as they are in force at one moment."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from agencyclaw.domain.people import Value


class Target(Value):
    """What one period of a brand in a marketplace is measured by, worded for reading.

    `period` such as "November 2026" or "2026"; `values` such as "ACOS 28%, sales 200,000 USD".
    """

    brand_id: UUID
    marketplace: str
    period: str
    values: str
    set_at: datetime | None = None
