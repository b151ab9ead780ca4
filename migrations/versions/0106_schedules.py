"""Reminders become schedules, which recurring questions are as well; runs name theirs."""

from agencyclaw.store.migrate import execute_script

revision = "0106"
down_revision = "0100"

_SCHEDULES = """
alter table reminders rename to schedules;
alter table schedules
  add column work text not null default 'remind',
  add column channel_id varchar not null default '',
  add column is_in_channel boolean not null default false,
  add column paused_because varchar,
  add column unsaid integer not null default 0,
  add column failures integer not null default 0,
  add constraint schedules_work check (work in ('remind', 'ask'));

-- Processes of the previous version go on with their reminders, and with no other schedules.
create view reminders as
  select id, active, created_by, updated_by, created_at, updated_at, person_id, team_id, words,
    timing, next_at, ended_because
  from schedules where work = 'remind';

alter table agent_runs add column schedule_id uuid references schedules on delete set null;
create index agent_runs_schedule_id on agent_runs (schedule_id) where schedule_id is not null;
"""


def upgrade() -> None:
    execute_script(_SCHEDULES)
