"""Summaries of long threads, each for one person and goes with the last run it covers."""

from alembic import op

revision = "0008"
down_revision = "0007"

SUMMARIES = """
create table thread_summaries (
  id uuid primary key default gen_random_uuid(),
  team_id varchar not null,
  place varchar not null,
  thread_ts varchar not null,
  profile_id uuid not null references profiles(id) on delete cascade,
  standing jsonb not null default '{}'::jsonb,
  text varchar not null,
  covers_until timestamptz not null default now(),
  last_run_id uuid not null references agent_runs(id) on delete cascade,
  created_at timestamptz not null default now()
)
"""


def upgrade() -> None:
    op.execute(SUMMARIES)
    op.execute(
        "create index thread_summaries_thread"
        " on thread_summaries (team_id, place, thread_ts, profile_id)"
    )
    op.execute("create index ix_thread_summaries_last_run_id on thread_summaries (last_run_id)")


def downgrade() -> None:
    op.execute("drop table thread_summaries")
