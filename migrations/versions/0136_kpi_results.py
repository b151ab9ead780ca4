"""What brands reached, beside their targets."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0136"
down_revision = "0134"


def upgrade() -> None:
    op.create_table(
        "brand_market_kpi_results",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("active", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("updated_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "updated_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("brand_id", sa.Uuid(), nullable=False),
        sa.Column("marketplace", sa.String(), nullable=False),
        sa.Column("period", sa.String(), nullable=False),
        sa.Column("start", sa.Date(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("acos", sa.Numeric(precision=6, scale=2), nullable=True),
        sa.Column("tacos", sa.Numeric(precision=6, scale=2), nullable=True),
        sa.Column("sales", sa.Numeric(precision=14, scale=2), nullable=True),
        sa.Column("currency", sa.String(), nullable=True),
        sa.Column("is_delivered", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.CheckConstraint("period in ('monthly','annual')", name="kpi_results_period"),
        sa.ForeignKeyConstraint(["brand_id"], ["brands.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["created_by"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(
            ["updated_by"],
            ["profiles.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "kpi_results_active",
        "brand_market_kpi_results",
        ["brand_id", "marketplace", "period", "start", "source"],
        unique=True,
        postgresql_where=sa.text("active"),
    )
