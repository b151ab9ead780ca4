"""Targets: one active row per brand, marketplace, period and start."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.kpi import Goals, StoredTarget
from agencyclaw.store.engine import Connection, Record

_ACTIVE = """
select * from brand_market_kpi_targets where active and brand_id = any($1::uuid[])
order by brand_id, marketplace_code, period_granularity, period_start
"""


async def active_targets(conn: Connection, brand_ids: list[UUID]) -> list[StoredTarget]:
    """Return the active targets of brands, whatever their period."""
    return [_target(row) for row in await conn.fetch(_ACTIVE, brand_ids)]


def _target(row: Record) -> StoredTarget:
    return StoredTarget(
        brand_id=row["brand_id"],
        marketplace=row["marketplace_code"],
        period=row["period_granularity"],
        start=row["period_start"],
        goals=Goals(
            acos=row["acos_target_pct"],
            tacos=row["tacos_target_pct"],
            sales=row["sales_target"],
            currency=row["sales_currency"],
        ),
    )
