"""How far somebody belongs: as Slack says, believed for a while, and unknown means no."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from agencyclaw.domain.errors import (
    AgencyClawError,
    Misconfigured,
    Refused,
    Throttled,
    Unavailable,
    Unclear,
    Unreadable,
)
from agencyclaw.domain.people import Freshness, Membership
from agencyclaw.slack import members
from agencyclaw.slack.members import Members, people_of
from agencyclaw.slack.web import Method
from tests.fakes.slack_store import FakeSlackCache

TEAM = "T0LANTERN"


@dataclass
class FakeWeb:
    """Answers with one user object, or fails."""

    user: Any = None
    failure: Exception | None = None
    asked: list[str] = field(default_factory=list)
    is_stuck: bool = False

    async def call(self, method: Method, **given: Any) -> dict[str, Any]:
        assert method is Method.USERS_INFO
        self.asked.append(given["user"])
        if self.is_stuck:
            await asyncio.Event().wait()
        if self.failure:
            raise self.failure
        return {"ok": True, "user": self.user}


@dataclass
class FakeListing:
    """A workspace's people, on one page."""

    members: list[dict[str, Any]]

    async def call(self, method: Method, **_: Any) -> dict[str, Any]:
        assert method is Method.USERS_LIST
        return {"ok": True, "members": self.members}


def a_user(**fields: Any) -> dict[str, Any]:
    return {"id": "U01MIG", "team_id": TEAM, "profile": {"title": "x"}} | fields


def of(web: FakeWeb, slack_cache: FakeSlackCache | None = None) -> Members:
    return Members(web, slack_cache or FakeSlackCache())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Membership.MEMBER),
        ({"is_admin": True, "is_owner": True}, Membership.MEMBER),
        ({"is_restricted": True}, Membership.GUEST),
        ({"is_restricted": True, "is_ultra_restricted": True}, Membership.GUEST),
        ({"is_ultra_restricted": True}, Membership.GUEST),
        ({"is_stranger": True}, Membership.OUTSIDER),
        ({"team_id": "T0OTHER"}, Membership.OUTSIDER),
        ({"team_id": ""}, Membership.OUTSIDER),
        ({"team_id": "E0ORG", "enterprise_user": {"teams": [TEAM]}}, Membership.MEMBER),
        ({"team_id": "E0ORG", "enterprise_user": {"teams": ["T0OTHER"]}}, Membership.OUTSIDER),
        ({"team_id": "T0OTHER", "is_restricted": True}, Membership.OUTSIDER),
        ({"deleted": True}, Membership.GONE),
        ({"is_bot": True}, Membership.GONE),
    ],
)
async def test_what_slack_says_of_somebody_decides(
    fields: dict[str, Any], expected: Membership
) -> None:
    assert await of(FakeWeb(a_user(**fields))).membership(TEAM, "U01MIG") is expected


async def test_what_slack_leaves_empty_of_somebody_hides_nobody() -> None:
    nobodys = {"tz": None, "real_name": None, "enterprise_user": None, "profile": {"email": None}}
    app = a_user(id="U0APP", is_bot=True, **nobodys)

    people = await people_of(FakeListing([app, a_user(real_name="Miguel", tz=None)]), TEAM)  # type: ignore[arg-type]

    assert [person.name for person in people] == ["Miguel"]
    assert await of(FakeWeb(app)).membership(TEAM, "U0APP") is Membership.GONE


async def test_a_list_of_people_in_an_unknown_form_is_unreadable() -> None:
    with pytest.raises(Unreadable):
        await people_of(FakeListing([{"name": "no id"}]), TEAM)  # type: ignore[arg-type]


async def test_somebody_slack_does_not_show_us_is_not_of_us() -> None:
    web = FakeWeb(failure=Refused("no such user", reason="user_not_found"))

    assert await of(web).membership(TEAM, "U0GHOST") is Membership.OUTSIDER


@pytest.mark.parametrize(
    "failure",
    [
        Unavailable("down"),
        Unclear("broken off"),
        Throttled("wait", after=3),
        Misconfigured("missing_scope"),
        Refused("odd", reason="account_inactive_or_so"),
    ],
)
async def test_when_slack_does_not_say_nobody_is_believed(failure: Exception) -> None:
    web = FakeWeb(failure=failure)

    with pytest.raises(AgencyClawError):
        await of(web).membership(TEAM, "U01MIG")
    web.failure, web.user = None, a_user()
    assert await of(web).membership(TEAM, "U01MIG") is Membership.MEMBER


@pytest.mark.parametrize("user", [None, "x", {}, {"id": "U01MIG", "deleted": "perhaps"}])
async def test_what_cannot_be_read_is_nobodys_word(user: Any) -> None:
    with pytest.raises(Unavailable):
        await of(FakeWeb(user)).membership(TEAM, "U01MIG")


async def test_an_answer_that_does_not_come_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(members, "_PATIENCE_S", 0.01)

    with pytest.raises(Unavailable):
        await of(FakeWeb(is_stuck=True)).membership(TEAM, "U01MIG")


async def test_a_word_counts_for_ten_minutes_where_nothing_is_carried_out() -> None:
    web, slack_cache = FakeWeb(a_user()), FakeSlackCache()
    asker = of(web, slack_cache)
    await asker.membership(TEAM, "U01MIG", Freshness.RECENT)
    web.user = a_user(is_restricted=True)

    slack_cache.now = 599
    assert await asker.membership(TEAM, "U01MIG", Freshness.RECENT) is Membership.MEMBER
    slack_cache.now = 600
    assert await asker.membership(TEAM, "U01MIG", Freshness.RECENT) is Membership.GUEST
    assert web.asked == ["U01MIG", "U01MIG"]


async def test_an_effect_never_rests_on_what_slack_said_before() -> None:
    web, slack_cache = FakeWeb(a_user()), FakeSlackCache()
    asker = of(web, slack_cache)
    await asker.membership(TEAM, "U01MIG", Freshness.RECENT)
    web.user = a_user(deleted=True)

    assert await asker.membership(TEAM, "U01MIG", Freshness.NOW) is Membership.GONE
    web.failure = Unavailable("down")
    with pytest.raises(Unavailable):
        await asker.membership(TEAM, "U01MIG", Freshness.NOW)
    # What was heard for the effect counts for whoever reads, too.
    assert await asker.membership(TEAM, "U01MIG", Freshness.RECENT) is Membership.GONE
