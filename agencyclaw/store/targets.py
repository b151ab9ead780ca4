"""Targets: one active row per brand, marketplace, period and start."""

from __future__ import annotations

from datetime import date
from uuid import UUID

from agencyclaw.domain.kpi import Goals, SetTarget, StoredTarget
from agencyclaw.store.engine import Connection, Record

_ACTIVE = """
select * from brand_market_kpi_targets where active and brand_id = any($1::uuid[])
order by brand_id, marketplace_code, period_granularity, period_start
"""

_LOCK = """
select * from brand_market_kpi_targets
where active and brand_id = $1 and marketplace_code = $2 and period_granularity = $3
  and period_start = $4
for update
"""

_INSERT = """
insert into brand_market_kpi_targets (brand_id, marketplace_code, period_granularity, period_start,
  acos_target_pct, tacos_target_pct, sales_target, sales_currency, created_by, updated_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
on conflict do nothing
"""

_UPDATE = """
update brand_market_kpi_targets set acos_target_pct = $5, tacos_target_pct = $6,
  sales_target = $7, sales_currency = $8, updated_by = $9, updated_at = now()
where active and brand_id = $1 and marketplace_code = $2 and period_granularity = $3
  and period_start = $4
"""

_END = """
update brand_market_kpi_targets set active = false, updated_by = $5, updated_at = now()
where active and brand_id = $1 and marketplace_code = $2 and period_granularity = $3
  and period_start = $4
"""


async def active_targets(conn: Connection, brand_ids: list[UUID]) -> list[StoredTarget]:
    """Return the active targets of brands, whatever their period."""
    return [_target(row) for row in await conn.fetch(_ACTIVE, brand_ids)]


class TargetRecord:
    """The row of one effect within the caller's transaction; `read` locks it."""

    def __init__(self, conn: Connection, effect: SetTarget) -> None:
        self._conn = conn
        key: tuple[UUID, str, str, date] = (
            effect.brand.id,
            effect.marketplace,
            effect.period,
            effect.start,
        )
        self._key = key

    async def read(self) -> Goals | None:
        """Return the goals of the row and keep others from changing them; None without a row."""
        row = await self._conn.fetchrow(_LOCK, *self._key)
        return _target(row).goals if row else None

    async def write(self, goals: Goals | None, *, is_new: bool, by: UUID | None) -> bool:
        """Write the goals, or end the row; False when somebody else was quicker."""
        if goals is None:
            return await self._conn.execute(_END, *self._key, by) == "UPDATE 1"
        values = (goals.acos, goals.tacos, goals.sales, goals.currency, by)
        done = await self._conn.execute(_INSERT if is_new else _UPDATE, *self._key, *values)
        return done in ("INSERT 0 1", "UPDATE 1")


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
