"""Processes that share a ClickUp token share its requests of a minute."""

from agencyclaw.store.migrate import execute_script

revision = "0109"
down_revision = "0108"

_BUDGETS = """
create table clickup_budgets (
  token varchar primary key,
  grants timestamptz[] not null default '{}'::timestamptz[],
  held_until timestamptz not null default now()
);
"""


def upgrade() -> None:
    execute_script(_BUDGETS)
