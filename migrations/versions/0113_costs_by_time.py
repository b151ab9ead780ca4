"""Indexes what models cost by time: Home and reports add up a month."""

from agencyclaw.store.migrate import execute_script

revision = "0113"
down_revision = "0112"


def upgrade() -> None:
    execute_script(
        "create index ai_token_usage_created_at on ai_token_usage (created_at)",
    )
