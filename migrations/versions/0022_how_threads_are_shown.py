"""How Slack shows each thread with the assistant, and which may stand otherwise by now."""

from alembic import op

revision = "0022"
down_revision = "0021"

_TABLE = """
create table slack_sessions (
  team_id varchar not null,
  channel_id varchar not null,
  thread_ts varchar not null,
  place varchar not null,
  shown varchar,
  changed_at timestamptz,
  busy_until timestamptz,
  shown_at timestamptz not null default now(),
  primary key (team_id, channel_id, thread_ts)
)
"""
# What still was to be shown by a job of its own is shown by whoever looks at these rows.
_TAKE_OVER = """
insert into slack_sessions (team_id, channel_id, thread_ts, place, shown, changed_at)
select distinct p ->> 'team_id', p ->> 'channel_id', p ->> 'thread_ts',
  (p ->> 'team_id') || ':' || (p ->> 'channel_id')
    || case when (p ->> 'is_direct')::boolean then '' else ':' || (p ->> 'thread_ts') end,
  'unclear', now()
from (
  select args -> 'place' as p from procrastinate_jobs
  where task_name = 'show' and status in ('todo', 'doing')
) as left_over
on conflict do nothing
"""


def upgrade() -> None:
    op.execute(_TABLE)
    op.execute(
        "create index slack_sessions_changed on slack_sessions (team_id, changed_at)"
        " where changed_at is not null"
    )
    op.execute(_TAKE_OVER)
    op.execute("delete from procrastinate_jobs where task_name = 'show' and status = 'todo'")


def downgrade() -> None:
    op.execute("drop table slack_sessions")
