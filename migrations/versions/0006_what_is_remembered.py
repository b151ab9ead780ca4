"""Notes about clients, people's preferences, and what happened around a client."""

from alembic import op

revision = "0006"
down_revision = "0005"

NOTES = """
create table client_memory_notes (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references agency_clients(id) on delete cascade,
  author_profile_id uuid references profiles(id) on delete set null,
  proposal_id uuid unique,
  source text not null default 'chat',
  note varchar not null,
  confidence numeric(3, 2) not null default 0.70,
  tags text[] not null default '{}'::text[],
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  constraint client_memory_source check (source in ('chat', 'meeting', 'manual'))
)
"""
PREFERENCES = """
create table agencyclaw_user_preferences (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null unique references profiles(id) on delete cascade,
  default_client_id uuid references agency_clients(id) on delete set null,
  preferences jsonb not null default '[]'::jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
)
"""


def upgrade() -> None:
    op.execute(NOTES)
    op.execute(
        "create index client_memory_notes_client on client_memory_notes (client_id, created_at)"
    )
    op.execute(PREFERENCES)
    op.execute(
        "create index proposals_client on proposals ((arguments -> 'client' ->> 'id'), settled_at)"
    )


def downgrade() -> None:
    op.execute("drop index proposals_client")
    op.execute("drop table agencyclaw_user_preferences")
    op.execute("drop table client_memory_notes")
