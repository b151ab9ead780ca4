"""Keep profiles' Slack ids without blanks around them, whoever writes them."""

from agencyclaw.store.migrate import execute_script

revision = "0110"
down_revision = "0109"

_TRIMMED = """
create function trim_slack_id() returns trigger language plpgsql as $$
begin
  new.slack_user_id := nullif(trim(new.slack_user_id), '');
  return new;
end $$;
create trigger trims_slack_id before insert or update of slack_user_id on profiles
  for each row execute function trim_slack_id();
update profiles set slack_user_id = trim(slack_user_id)
where slack_user_id is distinct from nullif(trim(slack_user_id), '');
"""


def upgrade() -> None:
    execute_script(_TRIMMED)
