"""The names of our tables stand in two places, which agree."""

from __future__ import annotations

import importlib

from sqlmodel import SQLModel

from agencyclaw.store.migrate import MODELS
from agencyclaw.store.schema import TABLES


def test_every_table_of_the_code_is_looked_for() -> None:
    for module in MODELS:
        importlib.import_module(module)

    assert sorted(TABLES) == sorted(SQLModel.metadata.tables)
