"""What a model request cost keeps the workspace and the client of its run, which is deleted earlier."""

from agencyclaw.store.migrate import execute_script

revision = "0125"
down_revision = "0113"

_COSTS = """
alter table ai_token_usage
  add column team_id varchar,
  add column client_id uuid references agency_clients on delete set null;
update ai_token_usage u set team_id = r.team_id from agent_runs r where r.id = u.run_id;
"""


def upgrade() -> None:
    execute_script(_COSTS)
