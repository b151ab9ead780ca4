"""What Slack said of channels and when: what kind they are, and whether others are in them."""

from alembic import op

revision = "0025"
down_revision = "0024"

_CHANNELS = """
create table slack_channels (
  team_id varchar not null,
  channel_id varchar not null,
  kind varchar,
  name varchar not null default '',
  is_shared boolean not null default false,
  is_archived boolean not null default false,
  asked_at timestamptz,
  changed_at timestamptz,
  primary key (team_id, channel_id)
)
"""
# A channel's type decides; the form of its id only where nobody has said what it is.
_IS_DIRECT = """
create function is_direct_channel(team varchar, channel varchar) returns boolean
language sql stable as $$
  select coalesce(
    (select kind = 'im' from slack_channels where team_id = team and channel_id = channel),
    channel like 'D%')
$$
"""


def upgrade() -> None:
    """Add the beliefs about channels, and what they make of a stored place."""
    op.execute(_CHANNELS)
    op.execute(_IS_DIRECT)


def downgrade() -> None:
    """Take both back."""
    op.execute("drop function is_direct_channel")
    op.execute("drop table slack_channels")
