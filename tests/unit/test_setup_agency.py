"""What setup makes of the spaces in ClickUp: of none, and of more than one change takes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import cast

from agencyclaw.cli.asking import Terminal
from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_agency import set_up_agency
from agencyclaw.cli.setup_changes import SetupChanges
from agencyclaw.domain.spaces import MOVES_AT_MOST, ClickUpSpace
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database

MANY = MOVES_AT_MOST + 20


class Everything(Terminal):
    """Chooses everything of the first question, and nothing of the others."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.asked: list[str] = []

    def say(self, text: str = "") -> None:
        self.shown.append(text)

    async def choose(self, question: str, options: Sequence[str]) -> list[int]:
        self.asked.append(question)
        return list(range(len(options))) if len(self.asked) == 1 else []


class Account:
    """An account of ClickUp that sees some spaces, without lists."""

    def __init__(self, spaces: int) -> None:
        self._spaces = spaces

    @asynccontextmanager
    async def reader(self) -> AsyncGenerator[Account]:
        yield self

    async def spaces(self) -> list[ClickUpSpace]:
        return [
            ClickUpSpace(id=f"s{number}", name=f"Space {number}", workspace="1")
            for number in range(self._spaces)
        ]

    async def lists_of(self, space_id: str) -> list[object]:
        return []


async def set_up(db: Database, spaces: int) -> Everything:
    asking = Everything()
    changes = await SetupChanges.by(asking, db, frozenset({person_id("Ines Varga")}))
    assert changes is not None
    await set_up_agency(cast("Connecting", Account(spaces)), changes)
    return asking


async def test_more_spaces_than_one_change_takes_are_registered_and_classified(
    agency: Database,
) -> None:
    asking = await set_up(agency, MANY)

    kinds = "select count(*) from clickup_space_registry where classification = $1 and name ~ $2"
    assert await agency.pool.fetchval(kinds, "brand_scoped", "^Space ") == MANY, asking.shown
    assert not [line for line in asking.shown if line.startswith("BAD ")]


async def test_an_account_that_sees_no_space_is_told_so_and_changes_nothing(
    agency: Database,
) -> None:
    spaces = "select * from clickup_space_registry order by 1"
    before = await agency.pool.fetch(spaces)

    asking = await set_up(agency, 0)

    assert asking.shown[-1] == "BAD  ClickUp shows our account no space at all."
    assert (asking.asked, await agency.pool.fetch(spaces)) == ([], before)
