"""The initial schema: our own tables by subject, then the job queue's."""

from pathlib import Path

from procrastinate.schema import SchemaManager

from agencyclaw.store.migrate import execute_script

# Lower numbers were used during development, and databases made with them can't be upgraded.
revision = "0100"
down_revision = None

_FOLDER = Path(__file__).parents[1] / "initial"
# Each refers only to tables of those before it.
_SUBJECTS = ("agency", "conversations", "proposals", "knowledge")


def upgrade() -> None:
    for subject in _SUBJECTS:
        execute_script((_FOLDER / f"{subject}.sql").read_text(encoding="utf-8"))
    # As the installed procrastinate ships it; a newer one brings a migration of its own.
    execute_script(SchemaManager.get_schema())
