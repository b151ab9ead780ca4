"""Processes that share a ClickUp token share the task lists they just read."""

from agencyclaw.store.migrate import execute_script

revision = "0112"
down_revision = "0111"

_READS = """
create table clickup_reads (
  token varchar not null,
  key varchar not null,
  read_at timestamptz not null,
  tasks varchar not null,
  primary key (token, key)
);
alter table clickup_budgets add column reads_from timestamptz not null default now();
"""


def upgrade() -> None:
    execute_script(_READS)
