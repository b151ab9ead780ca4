"""Targets of a brand in a marketplace, for a month or a year."""

from alembic import op

revision = "0013"
down_revision = "0012"

TABLE = """
create table brand_market_kpi_targets (
  id uuid primary key default gen_random_uuid(),
  brand_id uuid not null references brands(id) on delete cascade,
  marketplace_code varchar not null,
  period_granularity varchar not null,
  period_start date not null,
  tacos_target_pct numeric(6, 2),
  acos_target_pct numeric(6, 2),
  sales_target numeric(14, 2),
  sales_currency varchar,
  notes varchar,
  active boolean not null default true,
  created_by uuid references profiles(id),
  updated_by uuid references profiles(id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint kpi_targets_marketplace check (marketplace_code = upper(marketplace_code)),
  constraint kpi_targets_period check (period_granularity in ('monthly', 'annual')),
  constraint kpi_targets_start check (extract(day from period_start) = 1
    and (period_granularity = 'monthly' or extract(month from period_start) = 1)),
  constraint kpi_targets_percent check (
    (tacos_target_pct is null or tacos_target_pct between 0 and 100)
    and (acos_target_pct is null or acos_target_pct between 0 and 100)),
  constraint kpi_targets_sales check (sales_target is null
    or (sales_target >= 0 and sales_currency ~ '^[A-Z]{3}$')),
  constraint kpi_targets_metric check (
    coalesce(tacos_target_pct, acos_target_pct, sales_target) is not null)
)
"""


def upgrade() -> None:
    op.execute(TABLE)
    op.execute(
        "create unique index kpi_targets_active on brand_market_kpi_targets"
        " (brand_id, marketplace_code, period_granularity, period_start) where active"
    )


def downgrade() -> None:
    op.execute("drop table brand_market_kpi_targets")
