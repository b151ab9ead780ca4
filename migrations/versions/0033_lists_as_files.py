"""What Slack calls the file of a delivery, once it is uploaded."""

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.execute("alter table outbox add column file_id varchar")


def downgrade() -> None:
    op.execute("alter table outbox drop column file_id")
