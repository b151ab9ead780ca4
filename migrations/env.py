"""Alembic loads this file to run migrations on the engine that the store hands over."""

from alembic import context
from sqlmodel import AutoString


def include_object(
    _item: object, _name: str | None, _kind: str, reflected: bool, known: object
) -> bool:
    """What only SQL has made (the queue, search columns) is no reason to drop it."""
    return not (reflected and known is None)


def render_item(kind: str, item: object, _context: object) -> str | bool:
    """Plain SQLAlchemy types in migrations, so that they do not depend on the model library."""
    if kind == "type" and isinstance(item, AutoString):
        return f"sa.String({item.length or ''})"
    return False


def run() -> None:
    """One transaction per migration: a failure keeps what was applied before it."""
    attributes = context.config.attributes
    with attributes["engine"].connect() as connection:
        context.configure(
            connection=connection,
            target_metadata=attributes.get("metadata"),
            transaction_per_migration=True,
            include_object=include_object,
            render_item=render_item,
            on_version_apply=attributes["on_apply"],
        )
        with context.begin_transaction():
            context.run_migrations()


run()
