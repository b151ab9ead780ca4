"""What a message or a delivery failed by itself, apart from the attempts its worker was killed in."""

from alembic import op

revision = "0026"
down_revision = "0025"

_TABLES = ("slack_event_receipts", "outbox")


def upgrade() -> None:
    for table in _TABLES:
        op.execute(f"alter table {table} add column failures integer not null default 0")


def downgrade() -> None:
    for table in _TABLES:
        op.execute(f"alter table {table} drop column failures")
