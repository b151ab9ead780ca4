"""What Slack said holds for a while, outlives a process, and never outlives Slack's own word."""

from __future__ import annotations

from agencyclaw.domain.people import ChannelFacts, ChannelKind, Membership
from agencyclaw.store.engine import Database
from agencyclaw.store.slack_cache import SlackCache

TEAM, MIG = "T1", "U01MIG"


async def heard(slack_cache: SlackCache, membership: Membership) -> None:
    asked_at = await slack_cache.ask_about_member(TEAM, MIG)
    await slack_cache.keep_member(TEAM, MIG, membership, asked_at)


async def test_what_one_process_heard_another_believes_for_a_while(agency: Database) -> None:
    await heard(SlackCache(agency), Membership.GUEST)

    assert await SlackCache(agency).member(TEAM, MIG, 600) is Membership.GUEST
    assert await SlackCache(agency).member(TEAM, MIG, 0) is None
    assert await SlackCache(agency).member("T2", MIG, 600) is None


async def test_what_was_dropped_is_not_believed(agency: Database) -> None:
    slack_cache = SlackCache(agency)
    await heard(slack_cache, Membership.MEMBER)
    await slack_cache.drop_member(TEAM, MIG)

    assert await slack_cache.member(TEAM, MIG, 600) is None
    await heard(slack_cache, Membership.GONE)
    assert await slack_cache.member(TEAM, MIG, 600) is Membership.GONE


async def test_an_answer_that_was_asked_for_before_a_change_is_not_kept_after_it(
    agency: Database,
) -> None:
    slack_cache = SlackCache(agency)
    asked_at = await slack_cache.ask_about_member(TEAM, MIG)
    await slack_cache.drop_member(TEAM, MIG)
    await slack_cache.keep_member(TEAM, MIG, Membership.MEMBER, asked_at)

    assert await slack_cache.member(TEAM, MIG, 600) is None


OPS = "C01OPS"
SHARED = ChannelFacts(kind=ChannelKind.PUBLIC, name="ops", is_shared=True)


async def test_the_kind_of_a_channel_alone_is_no_word_about_who_is_in_it(
    agency: Database,
) -> None:
    slack_cache = SlackCache(agency)
    await slack_cache.keep_kind(TEAM, OPS, ChannelKind.PUBLIC)
    await slack_cache.keep_kind(TEAM, "D1", ChannelKind.DIRECT)

    assert await slack_cache.kind(TEAM, OPS) is ChannelKind.PUBLIC
    assert await slack_cache.channel(TEAM, OPS, 600) is None
    assert await slack_cache.channel(TEAM, "D1", 0) == ChannelFacts(kind=ChannelKind.DIRECT)


async def test_what_was_said_of_a_channel_holds_until_slack_says_that_it_changed(
    agency: Database,
) -> None:
    slack_cache = SlackCache(agency)
    asked_at = await slack_cache.ask_about_channel(TEAM, OPS)
    await slack_cache.keep_channel(TEAM, OPS, SHARED, asked_at)
    assert await slack_cache.channel(TEAM, OPS, 600) == SHARED

    earlier = await slack_cache.ask_about_channel(TEAM, OPS)
    await slack_cache.drop_channel(TEAM, OPS)
    await slack_cache.keep_channel(TEAM, OPS, SHARED, earlier)
    assert await slack_cache.channel(TEAM, OPS, 600) is None

    await slack_cache.keep_channel(
        TEAM, OPS, SHARED, await slack_cache.ask_about_channel(TEAM, OPS)
    )
    assert await slack_cache.channel(TEAM, OPS, 600) == SHARED
