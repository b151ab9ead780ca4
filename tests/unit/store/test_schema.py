"""The names of our tables stand in three places, which agree."""

from __future__ import annotations

import importlib

from sqlmodel import SQLModel

from agencyclaw.store.engine import Database
from agencyclaw.store.migrate import MODELS
from agencyclaw.store.schema import TABLES

# The lane engine's own, and the migrations' note of themselves.
_MADE = """
select table_name from information_schema.tables
where table_schema = 'public' and table_type = 'BASE TABLE'
  and table_name not like 'procrastinate%' and table_name <> 'alembic_version'
"""


def test_every_table_of_the_code_is_looked_for() -> None:
    for module in MODELS:
        importlib.import_module(module)

    missing = set(SQLModel.metadata.tables) - set(TABLES)
    assert not missing, f"add {missing} to TABLES in agencyclaw/store/schema.py"


async def test_every_table_that_the_migrations_make_is_looked_for(database: Database) -> None:
    made = [row["table_name"] for row in await database.pool.fetch(_MADE)]

    assert sorted(TABLES) == sorted(made)
