"""Drops an index that no statement can use, and that every state of a delivery had to change."""

from agencyclaw.store.migrate import execute_script

revision = "0108"
down_revision = "0107"


def upgrade() -> None:
    execute_script("drop index outbox_unsent")
