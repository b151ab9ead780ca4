"""Watches become a kind of schedule: what code looks for in a client's work."""

from agencyclaw.store.migrate import execute_script

revision = "0107"
down_revision = "0106"

_WATCHES = """
alter table schedules
  drop constraint schedules_work,
  add constraint schedules_work check (work in ('remind', 'ask', 'watch')),
  add column client_id uuid references agency_clients on delete cascade,
  add column watch jsonb not null default '{}',
  add column reported jsonb not null default '[]';
create index schedules_client_id on schedules (client_id) where client_id is not null;
"""


def upgrade() -> None:
    execute_script(_WATCHES)
