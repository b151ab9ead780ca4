"""The older part of a long thread of people is condensed once, and kept while it stands so."""

from alembic import op

revision = "0031"
down_revision = "0030"

_DIGESTS = """
create table thread_digests (
  team_id varchar not null,
  channel_id varchar not null,
  thread_ts varchar not null,
  text varchar not null,
  covers_until varchar not null,
  fingerprint varchar not null,
  left_out integer not null default 0,
  made_at timestamptz not null default now(),
  primary key (team_id, channel_id, thread_ts)
)
"""


def upgrade() -> None:
    op.execute(_DIGESTS)


def downgrade() -> None:
    op.execute("drop table thread_digests")
