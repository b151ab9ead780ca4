"""The product catalog: ASINs and SKUs of clients and their brands."""

from alembic import op

revision = "0015"
down_revision = "0014"

PRODUCTS = """
create table catalog_products (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references agency_clients(id) on delete cascade,
  brand_id uuid references brands(id) on delete cascade,
  asin varchar,
  sku varchar,
  title varchar not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint catalog_products_identified check (asin is not null or sku is not null)
)
"""


def upgrade() -> None:
    op.execute(PRODUCTS)
    op.execute("create index catalog_products_asin on catalog_products (client_id, brand_id, asin)")
    op.execute("create index catalog_products_sku on catalog_products (client_id, brand_id, sku)")


def downgrade() -> None:
    op.execute("drop table catalog_products")
