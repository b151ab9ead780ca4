"""Indexes: what a removed run or receipt is spoken of by, and what waits of one person."""

from alembic import op

revision = "0010"
down_revision = "0009"

# Without these each removed row would be looked for in every table that may speak of it.
_SPOKEN_OF = (
    ("agent_runs", "parent_run_id"),
    ("agent_runs", "session_id"),
    ("agent_events", "run_id"),
    ("proposals", "run_id"),
    ("proposals", "confirming_receipt_id"),
    ("agent_tasks", "run_id"),
    ("outbox", "run_id"),
    ("ai_token_usage", "run_id"),
)


def upgrade() -> None:
    for table, column in _SPOKEN_OF:
        op.execute(
            f"create index {table}_{column} on {table} ({column}) where {column} is not null"
        )
    op.execute(
        "create index receipts_open_person on slack_event_receipts (slack_user_id)"
        " where status = 'received'"
    )
    op.execute("create index agent_runs_started_at on agent_runs (started_at)")


def downgrade() -> None:
    op.execute("drop index agent_runs_started_at")
    op.execute("drop index receipts_open_person")
    for table, column in reversed(_SPOKEN_OF):
        op.execute(f"drop index {table}_{column}")
