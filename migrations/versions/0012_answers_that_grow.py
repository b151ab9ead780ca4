"""A delivery may be a stream in Slack before it is said: where it stands, and what stands there."""

from alembic import op

revision = "0012"
down_revision = "0011"

STATES = "state in ('streaming','pending','sending','sent','dead')"
BEFORE = "state in ('pending','sending','sent','dead')"


def upgrade() -> None:
    op.execute(
        "alter table outbox add column stream_ts varchar, add column stream_text varchar,"
        " add column stream_is_whole boolean not null default false"
    )
    op.execute("alter table outbox drop constraint outbox_state")
    op.execute(f"alter table outbox add constraint outbox_state check ({STATES})")
    op.execute(
        "create index outbox_streams on outbox (channel_id, stream_ts)"
        " where stream_text is not null"
    )


def downgrade() -> None:
    op.execute("delete from outbox where state = 'streaming'")
    op.execute("drop index outbox_streams")
    op.execute("alter table outbox drop constraint outbox_state")
    op.execute(f"alter table outbox add constraint outbox_state check ({BEFORE})")
    op.execute(
        "alter table outbox drop column stream_ts, drop column stream_text,"
        " drop column stream_is_whole"
    )
