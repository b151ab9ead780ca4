"""Who can see a conversation: whatever Slack answers, what comes of it is a normal outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from agencyclaw.domain.errors import AgencyClawError, Refused, Unavailable, Unreadable
from agencyclaw.domain.people import Access
from agencyclaw.slack.access import Conversations
from agencyclaw.slack.web import Method
from tests.fakes.slack_store import INES, OPS, a_place

PRIVATE = {"is_private": True, "is_member": True}


@dataclass
class FakeWeb:
    """A private channel with some pages of members, or with a refusal instead of one method."""

    members: list[list[str]] = field(default_factory=list[list[str]])
    refused: Method | None = None
    reason: str = ""

    async def call(self, method: Method, **arguments: Any) -> dict[str, Any]:
        if method is self.refused:
            raise Refused(f"Slack refuses {method}: {self.reason}.", reason=self.reason)
        if method is Method.CONVERSATION_INFO:
            return {"channel": {"id": OPS, "name": "ops"} | PRIVATE}
        number = int(arguments["cursor"] or 0)
        following = "" if number + 1 == len(self.members) else str(number + 1)
        page = {"members": self.members[number]}
        return page | {"response_metadata": {"next_cursor": following}}


async def access(web: FakeWeb) -> Access:
    conversations = Conversations(web, reader=None)  # type: ignore[arg-type]
    return await conversations.access(a_place(OPS), INES)


@pytest.mark.parametrize("method", [Method.CONVERSATION_INFO, Method.MEMBERS])
@pytest.mark.parametrize(
    ("reason", "outcome"),
    [("channel_not_found", Access.OUTSIDE), ("fetch_members_failed", Unavailable)],
)
async def test_a_refusal_says_that_we_are_outside_or_that_slack_does_not_say(
    method: Method, reason: str, outcome: Access | type[AgencyClawError]
) -> None:
    web = FakeWeb([[INES]], refused=method, reason=reason)
    if isinstance(outcome, Access):
        assert await access(web) is outcome
    else:
        with pytest.raises(outcome):
            await access(web)


@pytest.mark.parametrize(
    ("members", "expected"),
    [([["U01", "U02"], [INES]], Access.SHARED), ([["U01"], ["U02"]], Access.HIDDEN)],
)
async def test_all_pages_of_members_are_looked_through(
    members: list[list[str]], expected: Access
) -> None:
    assert await access(FakeWeb(members)) is expected


async def test_a_conversation_with_more_members_than_are_read_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        await access(FakeWeb([["U01"]] * 11))
