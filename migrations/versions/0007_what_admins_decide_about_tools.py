"""What admins decide about tools, and how often a person used them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"

TIME = postgresql.TIMESTAMP(timezone=True)

# By the names tools have: every statement that reads what is on reads it here.
ENABLED = """
create view enabled_tools as
select tool_name as tool from skill_catalog where tool_name is not null
group by tool_name having bool_and(enabled) and bool_or(implemented_in_code)
"""
OVERRIDES = """
create view tool_overrides as
select s.tool_name as tool, o.scope_type as scope, o.scope_id, o.enabled, o.min_role_tier as tier,
  o.requires_confirmation, o.allowed_channels as channels, o.max_calls_per_hour as calls_per_hour
from skill_policy_overrides o join skill_catalog s on s.id = o.skill_id
where s.tool_name is not null
"""


def upgrade() -> None:
    op.create_table(
        "skill_policy_overrides",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("skill_id", sa.String(), nullable=False),
        sa.Column("scope_type", sa.String(), nullable=False),
        sa.Column("scope_id", sa.String(), nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=True),
        sa.Column("min_role_tier", sa.String(), nullable=True),
        sa.Column("requires_confirmation", sa.Boolean(), nullable=True),
        sa.Column(
            "allowed_channels",
            postgresql.ARRAY(sa.Text()),
            server_default=sa.text("'{}'::text[]"),
            nullable=False,
        ),
        sa.Column("max_calls_per_hour", sa.Integer(), nullable=True),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("created_at", TIME, server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", TIME, server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "scope_type in ('global','team','client')", name="skill_policy_overrides_scope"
        ),
        sa.CheckConstraint(
            "(scope_type = 'global') = (scope_id is null)", name="skill_policy_overrides_scope_id"
        ),
        sa.CheckConstraint(
            "min_role_tier in ('member','admin','super_admin')", name="skill_policy_overrides_tier"
        ),
        sa.CheckConstraint(
            "requires_confirmation is not false", name="skill_policy_overrides_confirmation"
        ),
        sa.CheckConstraint("max_calls_per_hour >= 0", name="skill_policy_overrides_calls"),
        sa.ForeignKeyConstraint(["created_by"], ["profiles.id"]),
        sa.ForeignKeyConstraint(["skill_id"], ["skill_catalog.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "skill_policy_overrides_key",
        "skill_policy_overrides",
        ["skill_id", "scope_type", sa.text("coalesce(scope_id, '')")],
        unique=True,
    )
    op.create_table(
        "skill_call_meter",
        sa.Column("profile_id", sa.Uuid(), nullable=False),
        sa.Column("tool", sa.String(), nullable=False),
        sa.Column(
            "calls",
            postgresql.ARRAY(TIME),
            server_default=sa.text("'{}'::timestamptz[]"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["profile_id"], ["profiles.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("profile_id", "tool"),
    )
    op.create_index("receipts_by_person", "slack_event_receipts", ["slack_user_id", "received_at"])
    op.execute(ENABLED)
    op.execute(OVERRIDES)


def downgrade() -> None:
    op.execute("drop view tool_overrides")
    op.execute("drop view enabled_tools")
    op.drop_index("receipts_by_person", table_name="slack_event_receipts")
    op.drop_table("skill_call_meter")
    op.drop_index("skill_policy_overrides_key", table_name="skill_policy_overrides")
    op.drop_table("skill_policy_overrides")
