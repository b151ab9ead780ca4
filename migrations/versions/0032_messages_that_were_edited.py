"""A message to us that was edited or deleted since is read as it stands."""

from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.execute("alter table slack_event_receipts add column edited_at timestamptz")


def downgrade() -> None:
    op.execute("alter table slack_event_receipts drop column edited_at")
