"""the job queue: procrastinate's own tables and functions, as the installed library ships them."""

from procrastinate.schema import SchemaManager

from agencyclaw.store.migrate import execute_script

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply the library's schema; a newer library brings its own later revision."""
    execute_script(SchemaManager.get_schema())
