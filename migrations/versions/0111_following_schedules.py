"""A schedule may follow another, and a watch remembers when it last reported."""

from agencyclaw.store.migrate import execute_script

revision = "0111"
down_revision = "0110"

_FOLLOWING = """
alter table schedules
  add column reported_at timestamptz,
  add column after_id uuid references schedules on delete set null;
create index schedules_after_id on schedules (after_id) where after_id is not null;
"""


def upgrade() -> None:
    execute_script(_FOLLOWING)
