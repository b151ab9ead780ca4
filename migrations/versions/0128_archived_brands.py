"""A brand can be archived: it is not found any more, and comes back with all that hangs on it."""

from agencyclaw.store.migrate import execute_script

revision = "0128"
down_revision = "0125"

_STATUS = """
alter table brands add column status text not null default 'active'
  constraint brands_status check (status in ('active', 'archived'));
"""


def upgrade() -> None:
    execute_script(_STATUS)
