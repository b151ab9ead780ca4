"""Guests, people of other companies, and a Slack that does not say who somebody is."""

from __future__ import annotations

import pytest
from acting import ASKED, MIGUEL, OPS, SARA_L, TASK, Acting, count, creating, offer, receipts_done
from stage import whole_text

from agencyclaw.slack import members

ASK = "make the task"


@pytest.mark.parametrize(
    ("standing", "reason", "words"),
    [
        ("guest", "guest_actor", "you are a guest"),
        ("single channel guest", "guest_actor", "you are a guest"),
        ("outsider", "external_actor", "another company's Slack"),
        ("stranger", "external_actor", "another company's Slack"),
        ("deactivated", "inactive_account", "no longer active"),
    ],
)
async def test_c47_a_profile_alone_makes_nobody_a_member(
    acting: Acting, standing: str, reason: str, words: str
) -> None:
    """Somebody linked a guest's account: their place in Slack still counts."""
    stage = await acting(creating(ASK))
    await stage.bench.change_standing(MIGUEL, standing)

    root = await stage.say(MIGUEL, ASK)
    mentioned = await stage.bench.post_message(OPS, MIGUEL, f"<@U01CLAW> {ASK}")
    typed = await stage.bench.command(OPS, MIGUEL, "/claw", "where")

    await stage.reply_with(MIGUEL, root, words)
    assert words in whole_text(await stage.reply_in(OPS, mentioned))
    assert words in whole_text(typed["response"])
    await stage.settled()
    assert await count(stage, "agent_runs") == 0
    assert await stage.proposals() == []
    assert [event["reason"] for event in await stage.events("guard_reply")] == [reason] * 3
    assert await receipts_done(stage)


async def test_c47_who_becomes_a_guest_can_release_nothing_any_more(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "KEPT_S", 0.0)
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.change_standing(SARA_L, "guest")

    await stage.press(SARA_L, card, "Create task")

    await stage.reply_with(SARA_L, root, "you are a guest")
    await stage.settled()
    assert await stage.creates_sent() == 0
    [event] = await stage.events("guard_reply")
    assert event["reason"] == "guest_actor"


async def test_when_slack_does_not_say_who_somebody_is_nothing_is_done(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK, title=TASK, request=ASKED))
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=1)

    first = await stage.say(SARA_L, ASK)
    await stage.reply_with(SARA_L, first, "I couldn't check with Slack just now who you are")
    second = await stage.say(SARA_L, ASK)

    await offer(stage, SARA_L, second)
    await stage.settled()
    [event] = await stage.events("guard_reply")
    assert event["reason"] == "membership_unknown"


async def test_a_member_is_asked_about_once_in_a_while(acting: Acting) -> None:
    stage = await acting(creating(ASK))

    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.press(SARA_L, card, "Cancel")
    await stage.settled()

    assert len(await stage.bench.log(target="slack", method="users.info")) == 1
