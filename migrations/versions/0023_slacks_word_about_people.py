"""What Slack said of people and when; and since when a message or an effect waits for a neighbour."""

from alembic import op

revision = "0023"
down_revision = "0022"

_MEMBERS = """
create table slack_members (
  team_id varchar not null,
  slack_user_id varchar not null,
  membership varchar,
  asked_at timestamptz,
  primary key (team_id, slack_user_id)
)
"""


def upgrade() -> None:
    op.execute(_MEMBERS)
    op.execute("alter table slack_event_receipts add column waiting_since timestamptz")
    op.execute("alter table slack_event_receipts add column waits integer not null default 0")
    op.execute("alter table proposals add column waiting_since timestamptz")


def downgrade() -> None:
    op.execute("alter table proposals drop column waiting_since")
    op.execute("alter table slack_event_receipts drop column waits")
    op.execute("alter table slack_event_receipts drop column waiting_since")
    op.execute("drop table slack_members")
