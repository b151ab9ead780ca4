"""Since when a request that shows an answer while it is written may still be on its way to Slack."""

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.execute("alter table outbox add column stream_busy_since timestamptz")


def downgrade() -> None:
    op.execute("alter table outbox drop column stream_busy_since")
