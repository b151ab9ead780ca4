"""What a channel is: as Slack says, believed for a while, and asked anew for effects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from agencyclaw.domain.errors import Refused, Unavailable
from agencyclaw.domain.people import ChannelKind, Freshness, Place
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.payloads import is_direct
from agencyclaw.slack.web import Method
from tests.fakes.slack_store import OPS, TEAM, FakeSlackCache, a_place


@dataclass
class FakeWeb:
    """Answers with one channel object, or fails."""

    channel: dict[str, Any] = field(default_factory=dict)
    failure: Exception | None = None
    asked: list[str] = field(default_factory=list)

    async def call(self, method: Method, **given: Any) -> dict[str, Any]:
        assert method is Method.CONVERSATION_INFO
        self.asked.append(given["channel"])
        if self.failure:
            raise self.failure
        return {"ok": True, "channel": {"id": given["channel"], "name": "ops"} | self.channel}


def of(web: FakeWeb, slack_cache: FakeSlackCache | None = None) -> Channels:
    return Channels(web, slack_cache or FakeSlackCache())  # type: ignore[arg-type]


def in_ops() -> Place:
    return a_place(OPS)


@pytest.mark.parametrize(
    ("said", "is_shared"),
    [
        ({}, False),
        ({"is_ext_shared": True, "is_shared": True}, True),
        ({"is_shared": True}, True),
        ({"is_shared": True, "is_org_shared": True}, False),
        ({"is_shared": True, "is_org_shared": True, "is_ext_shared": True}, True),
        ({"is_pending_ext_shared": True}, True),
        ({"pending_shared": ["T0OTHER"]}, True),
    ],
)
async def test_who_reads_along_is_what_slack_says(said: dict[str, Any], is_shared: bool) -> None:
    assert (await of(FakeWeb(said)).about(in_ops())).is_shared is is_shared


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({}, ChannelKind.PUBLIC),
        ({"is_private": True}, ChannelKind.PRIVATE),
        ({"is_private": True, "is_mpim": True}, ChannelKind.GROUP),
        ({"is_im": True}, ChannelKind.DIRECT),
    ],
)
async def test_the_kind_is_what_slack_says(said: dict[str, Any], kind: ChannelKind) -> None:
    assert (await of(FakeWeb(said)).about(in_ops())).kind is kind


async def test_what_was_heard_serves_reads_for_ten_minutes_and_no_effect() -> None:
    web, slack_cache = FakeWeb(), FakeSlackCache(now=1_000.0)
    channels = of(web, slack_cache)
    await channels.about(in_ops(), Freshness.RECENT)
    slack_cache.now += 599
    await channels.about(in_ops(), Freshness.RECENT)
    assert len(web.asked) == 1

    await channels.about(in_ops(), Freshness.NOW)
    assert len(web.asked) == 2
    slack_cache.now += 601
    await channels.about(in_ops(), Freshness.RECENT)
    assert len(web.asked) == 3


async def test_a_message_that_says_its_kind_says_nothing_of_who_reads_along() -> None:
    web, slack_cache = FakeWeb({"is_ext_shared": True}), FakeSlackCache(now=1_000.0)
    channels = of(web, slack_cache)
    await channels.note_kind(TEAM, OPS, "channel")

    assert (await channels.about(in_ops(), Freshness.RECENT)).is_shared


async def test_a_direct_message_is_asked_about_never() -> None:
    web, slack_cache = FakeWeb(), FakeSlackCache()
    channels = of(web, slack_cache)
    await channels.note_kind(TEAM, "D01INES", "im")

    assert await channels.kind(TEAM, "D01INES") is ChannelKind.DIRECT
    assert (await channels.placed(a_place("D01INES"))).is_direct
    assert web.asked == []


@pytest.mark.parametrize("reason", ["channel_not_found", "invalid_arguments"])
async def test_a_channel_that_is_gone_is_told_from_a_question_that_failed(reason: str) -> None:
    web = FakeWeb(failure=Refused("no", reason=reason))
    expected = Refused if reason == "channel_not_found" else Unavailable

    with pytest.raises(expected):
        await of(web).about(in_ops())


@pytest.mark.parametrize(
    ("channel", "kind", "expected"),
    [
        ("D01INES", "im", True),
        ("D01INES", None, True),
        ("D0GROUP1", "mpim", False),
        ("C01OPS", "im", True),
        ("C01OPS", "channel", False),
        ("C01OPS", None, False),
    ],
)
def test_a_type_is_believed_before_the_form_of_an_id(
    channel: str, kind: str | None, expected: bool
) -> None:
    assert is_direct(channel, kind) is expected
