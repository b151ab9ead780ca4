"""A super admin can stop every execution of a workspace; who loses their account loses what waits."""

from alembic import op

revision = "0021"
down_revision = "0020"

# Whoever is unlinked, relinked or inactive did not consent to anything with what comes after.
_LEAVE = """
create function end_proposals_of_profile() returns trigger language plpgsql as $$
begin
  update proposals set state = 'cancelled', settled_at = now(), reason = 'unlinked'
  where actor_profile_id = old.id and state in ('draft', 'open', 'failed');
  return null;
end $$
"""
_TRIGGER = """
create trigger ends_proposals after update of slack_user_id, employment_status on profiles
for each row when (
  old.slack_user_id is distinct from new.slack_user_id
  or old.employment_status is distinct from new.employment_status)
execute function end_proposals_of_profile()
"""


def upgrade() -> None:
    """Add the pauses, and the end of what waits for somebody who left."""
    op.execute(
        "create table execution_pauses ("
        " id bigint generated always as identity primary key,"
        " team_id varchar not null,"
        " paused_by uuid not null references profiles (id),"
        " paused_at timestamptz not null default now(),"
        " resumed_by uuid references profiles (id),"
        " resumed_at timestamptz)"
    )
    op.execute(
        "create unique index execution_pauses_running on execution_pauses (team_id)"
        " where resumed_at is null"
    )
    op.execute(_LEAVE)
    op.execute(_TRIGGER)


def downgrade() -> None:
    """Take both back."""
    op.execute("drop trigger ends_proposals on profiles")
    op.execute("drop function end_proposals_of_profile")
    op.execute("drop table execution_pauses")
