"""Answers whose choices can still be pressed are found without a look at all others."""

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.execute(
        "create index outbox_asking on outbox (channel_id) where kind = 'answer'"
        " and body -> 'choices' <> '[]' and body ->> 'answered' is null"
    )


def downgrade() -> None:
    op.execute("drop index outbox_asking")
