"""Accounts that admins keep apart from the team, and a quick way to the last comparison."""

from agencyclaw.store.migrate import execute_script

revision = "0134"
down_revision = "0130"

_ACCOUNTS = """
create table separate_accounts (
  id uuid primary key default gen_random_uuid(),
  active boolean not null default true,
  created_by uuid references profiles,
  updated_by uuid references profiles,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  account varchar not null,
  name varchar not null,
  not_of varchar,
  why varchar not null default ''
);
create unique index separate_accounts_active on separate_accounts (account) where active;
create index agent_skill_events_compared on agent_skill_events (created_at)
  where skill_id = 'compare_accounts' and event_type = 'skill_result';
"""


def upgrade() -> None:
    execute_script(_ACCOUNTS)
