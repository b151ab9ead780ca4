"""What people want to be reminded of, and when."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.create_table(
        "reminders",
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
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column(
            "timing",
            postgresql.JSONB(astext_type=sa.Text()),
            server_default=sa.text("'{}'::jsonb"),
            nullable=False,
        ),
        sa.Column("next_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("ended_because", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["created_by"],
            ["profiles.id"],
        ),
        sa.ForeignKeyConstraint(["person_id"], ["profiles.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["updated_by"],
            ["profiles.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "reminders_person",
        "reminders",
        ["person_id"],
        unique=False,
        postgresql_where=sa.text("active"),
    )


def downgrade() -> None:
    op.drop_index("reminders_person", table_name="reminders", postgresql_where=sa.text("active"))
    op.drop_table("reminders")
