"""What Slack said holds for a while, outlives a process, and never outlives Slack's own word."""

from __future__ import annotations

from agencyclaw.domain.people import ChannelFacts, ChannelKind, Membership
from agencyclaw.store.beliefs import Beliefs
from agencyclaw.store.engine import Database

TEAM, MIG = "T1", "U01MIG"


async def heard(beliefs: Beliefs, membership: Membership) -> None:
    asked_at = await beliefs.ask_about_member(TEAM, MIG)
    await beliefs.keep_member(TEAM, MIG, membership, asked_at)


async def test_what_one_process_heard_another_believes_for_a_while(agency: Database) -> None:
    await heard(Beliefs(agency), Membership.GUEST)

    assert await Beliefs(agency).member(TEAM, MIG, 600) is Membership.GUEST
    assert await Beliefs(agency).member(TEAM, MIG, 0) is None
    assert await Beliefs(agency).member("T2", MIG, 600) is None


async def test_what_was_dropped_is_not_believed(agency: Database) -> None:
    beliefs = Beliefs(agency)
    await heard(beliefs, Membership.MEMBER)
    await beliefs.drop_member(TEAM, MIG)

    assert await beliefs.member(TEAM, MIG, 600) is None
    await heard(beliefs, Membership.GONE)
    assert await beliefs.member(TEAM, MIG, 600) is Membership.GONE


async def test_an_answer_that_was_asked_for_before_a_change_is_not_kept_after_it(
    agency: Database,
) -> None:
    beliefs = Beliefs(agency)
    asked_at = await beliefs.ask_about_member(TEAM, MIG)
    await beliefs.drop_member(TEAM, MIG)
    await beliefs.keep_member(TEAM, MIG, Membership.MEMBER, asked_at)

    assert await beliefs.member(TEAM, MIG, 600) is None


OPS = "C01OPS"
SHARED = ChannelFacts(kind=ChannelKind.PUBLIC, name="ops", is_shared=True)


async def test_the_kind_of_a_channel_alone_is_no_word_about_who_is_in_it(
    agency: Database,
) -> None:
    beliefs = Beliefs(agency)
    await beliefs.keep_kind(TEAM, OPS, ChannelKind.PUBLIC)
    await beliefs.keep_kind(TEAM, "D1", ChannelKind.DIRECT)

    assert await beliefs.kind(TEAM, OPS) is ChannelKind.PUBLIC
    assert await beliefs.channel(TEAM, OPS, 600) is None
    assert await beliefs.channel(TEAM, "D1", 0) == ChannelFacts(kind=ChannelKind.DIRECT)


async def test_what_was_said_of_a_channel_holds_until_slack_says_that_it_changed(
    agency: Database,
) -> None:
    beliefs = Beliefs(agency)
    asked_at = await beliefs.ask_about_channel(TEAM, OPS)
    await beliefs.keep_channel(TEAM, OPS, SHARED, asked_at)
    assert await beliefs.channel(TEAM, OPS, 600) == SHARED

    earlier = await beliefs.ask_about_channel(TEAM, OPS)
    await beliefs.drop_channel(TEAM, OPS)
    await beliefs.keep_channel(TEAM, OPS, SHARED, earlier)
    assert await beliefs.channel(TEAM, OPS, 600) is None

    await beliefs.keep_channel(TEAM, OPS, SHARED, await beliefs.ask_about_channel(TEAM, OPS))
    assert await beliefs.channel(TEAM, OPS, 600) == SHARED
