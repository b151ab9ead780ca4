"""What is asked at every message, press and redraw is found without a look at all that ever was."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.execute("create index receipts_thread on slack_event_receipts (channel_id, thread_ts)")
    op.execute("create index outbox_channel on outbox (channel_id, created_at)")
    op.execute("create index outbox_proposals on outbox using gin (proposal_ids)")
    op.execute("create index proposals_place on proposals (place, actor_profile_id)")
    op.execute("create index proposals_of_person on proposals (actor_slack_user_id, settled_at)")


def downgrade() -> None:
    for name in (
        "receipts_thread",
        "outbox_channel",
        "outbox_proposals",
        "proposals_place",
        "proposals_of_person",
    ):
        op.execute(f"drop index {name}")
