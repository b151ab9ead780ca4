"""Which accounts are kept separate, and what a later decision keeps of an earlier one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.domain.record_kinds.separate_accounts import KeepSeparate, Separation
from agencyclaw.domain.records import HeldFields, RecordT, SetRecord, StoredRecord
from agencyclaw.domain.team import ClickUpMember
from agencyclaw.tools.separate_accounts import keep_account_separate
from tests.fakes.ports import NOW, FakeAccounts, FakeBoard, FakeDirectory, context, demo_agency

ROBOT = Separation(name="Ads robot")


@dataclass
class WithSeparate(FakeDirectory):
    """One account is kept separate."""

    held: Separation = field(default=ROBOT)

    async def records(self, kind: type[RecordT], client_ids: list[UUID]) -> Any:
        return [StoredRecord(KeepSeparate(account="U9", before=self.held), "Ines Varga", NOW)]

    async def record(self, change: SetRecord[HeldFields]) -> Any:
        return self.held


class NobodyInClickUp(FakeBoard):
    """A Workspace without people."""

    async def members(self) -> list[ClickUpMember]:
        return []


@pytest.mark.parametrize("account", ["", "?", "“”"])
async def test_a_blank_name_offers_no_account_again(account: str) -> None:
    agency = demo_agency()
    agency.directory = WithSeparate()

    with pytest.raises(NotFound):
        await keep_account_separate(context(agency.run()), account, offer_again=True)


async def test_a_decision_takes_the_place_of_an_earlier_one_as_a_whole() -> None:
    agency = demo_agency()
    agency.directory = WithSeparate(
        held=Separation(name="Ads robot", not_of="ines@example.com", why="Her namesake")
    )
    robot = SlackPerson(id="U9", name="Ads robot", email="", timezone="UTC")
    agency.accounts, agency.board = FakeAccounts([robot]), NobodyInClickUp()

    change = await keep_account_separate(context(agency.run()), "U9")

    assert isinstance(change, KeepSeparate)
    assert change.after == ROBOT
    assert dict(change.preview().fields).keys() == {"Account", "Not of", "Why"}
