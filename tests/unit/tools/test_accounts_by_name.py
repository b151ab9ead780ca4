"""A name that says nothing means no account, not the one that has no name or e-mail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.record_kinds.separate_accounts import SeparateAccount, Separation
from agencyclaw.domain.records import HeldFields, SetRecord
from agencyclaw.tools.separate_accounts import keep_account_separate
from tests.fakes.ports import NOW, FakeDirectory, context, demo_agency

ROBOT = Separation(name="Ads robot")


@dataclass
class WithSeparate(FakeDirectory):
    """One account is kept separate."""

    async def separate_accounts(self) -> list[SeparateAccount]:
        return [SeparateAccount(account="U9", held=ROBOT, by="Ines Varga", since=NOW)]

    async def record(self, change: SetRecord[HeldFields]) -> Any:
        return ROBOT


@pytest.mark.parametrize("account", ["", "?", "“”"])
async def test_a_blank_name_offers_no_account_again(account: str) -> None:
    agency = demo_agency()
    agency.directory = WithSeparate()

    with pytest.raises(NotFound):
        await keep_account_separate(context(agency.run()), account, offer_again=True)
