"""The time by which schedules come due: the server's, which the demo's page can move ahead."""

from agencyclaw.store.migrate import execute_script

revision = "0130"
down_revision = "0120"

_CLOCK = """
create function schedule_clock() returns timestamptz language sql volatile as $$
  select clock_timestamp()
    + coalesce(nullif(current_setting('agencyclaw.clock_ahead', true), ''), '0')::interval
$$;
"""


def upgrade() -> None:
    execute_script(_CLOCK)
