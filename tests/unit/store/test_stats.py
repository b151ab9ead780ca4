"""How the house stands, as it is counted in the database."""

from __future__ import annotations

import pytest

from agencyclaw.store.engine import Database
from agencyclaw.store.migrate import head
from agencyclaw.store.stats import Stats


@pytest.mark.parametrize(
    ("version", "is_enough"), [("0001", False), (head(), True), ("9999", True)]
)
async def test_a_newer_schema_is_enough_and_an_older_one_is_not(
    database: Database, version: str, is_enough: bool
) -> None:
    await database.pool.execute("update alembic_version set version_num = $1", version)

    assert await Stats(database).is_migrated() == is_enough
