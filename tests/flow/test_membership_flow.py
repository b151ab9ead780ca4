"""Guests, people of other companies, and a Slack that does not say who somebody is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from acting import ASKED, MIGUEL, OPS, SARA_L, TASK, Acting, count, creating, offer, receipts_done
from stage import Stage, buttons, dm, on_stage, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench
from workbench.slack.methods import METHODS as people_methods
from workbench.slack.refusals import SlackRefusal

ASK = "make the task"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slack is asked once, not again and again for two seconds: what is planned happens."""

    async def once(ask: Callable[[], Awaitable[Any]], _: float) -> Any:
        return await ask()

    monkeypatch.setattr("agencyclaw.slack.members.retry_within", once)


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
async def test_a_profile_alone_makes_nobody_a_member(
    acting: Acting, standing: str, reason: str, words: str
) -> None:
    """Somebody linked a guest's account: their place in Slack still counts."""
    stage = await acting(creating(ASK))
    await stage.bench.change_membership(MIGUEL, standing)

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


async def test_who_becomes_a_guest_can_release_nothing_any_more(acting: Acting) -> None:
    """A minute ago Slack said otherwise: that is enough for an answer, and for no effect."""
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.change_membership(SARA_L, "guest")

    await stage.press(SARA_L, card, "Create task")

    await stage.reply_with(SARA_L, root, "you are a guest")
    await stage.settled()
    assert await stage.creates_sent() == 0
    [event] = await stage.events("guard_reply")
    assert event["reason"] == "guest_actor"


@pytest.mark.parametrize("kind", ["error_before", "html", "reset_before", "rate_limited"])
async def test_a_message_waits_in_its_lane_until_slack_says_who_somebody_is(
    acting: Acting, kind: str
) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("slack", kind, method="users.info", times=2, delay_s=1)

    root = await stage.say(SARA_L, ASK)

    await stage.bench.until(lambda: waits_visibly(stage))
    # Whoever is known already, and whoever Slack does say of, is answered meanwhile.
    other = await stage.say(MIGUEL, "hello")
    await stage.reply(MIGUEL, other)
    await offer(stage, SARA_L, root)
    await stage.settled()
    assert await stage.events("guard_reply") == []
    receipts = await stage.db.pool.fetch("select waits, attempts from slack_event_receipts")
    assert sum(row["waits"] for row in receipts) >= 1
    assert {row["attempts"] - row["waits"] for row in receipts} == {1}


async def waits_visibly(stage: Stage) -> bool:
    shown = await stage.bench.log(target="slack", method="assistant.threads.setStatus")
    said = [call["arguments"]["status"] for call in shown]
    return "is waiting for Slack to say who you are…" in said


async def test_a_message_that_waits_does_not_fail_however_often_it_is_tried(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting._FIRST_S", 0.02)
    monkeypatch.setattr("agencyclaw.domain.waiting._PAUSE_AT_MOST_S", 0.02)
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=25)

    root = await stage.say(SARA_L, ASK)

    await offer(stage, SARA_L, root)
    assert await stage.events("guard_reply") == []


async def test_a_command_is_answered_though_slack_says_neither_where_nor_who(
    acting: Acting,
) -> None:
    stage = await acting()
    for method in ("conversations.info", "users.info"):
        await stage.bench.set_fault("slack", "hang_before", method=method, times=9, delay_s=60.0)

    typed = await stage.bench.command(dm(SARA_L), SARA_L, "/claw", "where")

    assert "Slack" in whole_text(typed["response"])


async def test_a_message_that_waited_in_vain_is_told_so_and_so_is_the_one_behind_it(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting.LONGEST_S", 0.5)
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=1_000)

    first = await stage.say(SARA_L, ASK)
    second = await stage.say(SARA_L, "and another thing")

    for root in (first, second):
        await stage.reply_with(SARA_L, root, "Slack has not told me who you are for ten minutes")
    await stage.settled()
    assert await count(stage, "agent_runs") == 0
    assert {event["reason"] for event in await stage.events("guard_reply")} == {
        "membership_unknown"
    }


@pytest.mark.parametrize("says", [None, "yes, create it"])
async def test_what_a_person_released_waits_until_slack_vouches_for_them(
    acting: Acting, says: str | None
) -> None:
    stage = await acting(creating(ASK, title=TASK, objective=ASKED))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=3)

    if says:
        await stage.say(SARA_L, says, thread=root)
    else:
        await stage.press(SARA_L, card, "Create task")

    await stage.reply_with(SARA_L, root, "Waiting for Slack to say who you are")
    assert await stage.creates_sent() == 0
    assert buttons(await stage.reply_with(SARA_L, root, "Waiting for Slack")) == []
    await stage.reply_with(SARA_L, root, "Created “")
    [note] = await stage.whispers(SARA_L)
    assert "is waiting for Slack to say who you are. Nothing was changed yet" in note
    assert await stage.creates_sent() == 1
    assert await stage.events("effect_given_back") == []


async def test_what_was_released_and_waited_in_vain_can_be_pressed_again(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting.LONGEST_S", 0.5)
    stage = await acting(creating(ASK, title=TASK, objective=ASKED))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=1_000)

    await stage.press(SARA_L, card, "Create task")

    told = whole_text(await stage.reply_with(SARA_L, root, "I waited ten minutes for Slack to say"))
    assert "Nothing was changed. The buttons on its card are back" in told
    await stage.settled()
    [proposal] = await stage.proposals()
    assert (proposal["state"], proposal["confirmed_by"]) == ("open", None)
    assert await stage.creates_sent() == 0
    await stage.bench.clear_faults()
    await stage.press(SARA_L, await offer(stage, SARA_L, root), "Create task")
    await stage.reply_with(SARA_L, root, "Created “")
    assert await stage.creates_sent() == 1


async def test_what_was_released_and_waited_beyond_its_end_has_expired(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting.LONGEST_S", 1.0)
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=1_000)
    await stage.press(SARA_L, card, "Create task")
    await stage.bench.until(lambda: stage.events("effect_waits"))
    await stage.db.pool.execute("update proposals set expires_at = now()")

    told = whole_text(await stage.reply_with(SARA_L, root, "I waited ten minutes"))

    assert "Its card has expired meanwhile" in told
    await stage.settled()
    assert [one["state"] for one in await stage.proposals()] == ["expired"]
    assert await stage.creates_sent() == 0


async def test_who_turns_out_to_be_gone_while_it_waits_gets_nothing_carried_out(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=3)
    await stage.press(SARA_L, card, "Create task")
    await stage.bench.until(lambda: stage.events("effect_waits"))
    await stage.bench.change_membership(SARA_L, "deactivated")

    await stage.reply_with(SARA_L, root, "no longer active")

    await stage.settled()
    assert [one["state"] for one in await stage.proposals()] == ["cancelled"]
    assert await stage.creates_sent() == 0


async def test_what_waits_is_dropped_at_once_whatever_slack_says(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.db.pool.execute("delete from slack_members")
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=1_000)

    await stage.press(SARA_L, card, "Cancel")

    await stage.reply_with(SARA_L, root, "Cancelled")
    await stage.settled()
    assert [one["state"] for one in await stage.proposals()] == ["cancelled"]


async def test_without_the_permission_to_ask_it_says_so_instead_of_waiting(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await acting(creating(ASK))
    monkeypatch.setitem(people_methods, "users.info", lacks_its_scope)

    root = await stage.say(SARA_L, ASK)

    await stage.reply_with(SARA_L, root, "I'm not allowed to ask Slack who people are")


def lacks_its_scope(*_: object) -> dict[str, object]:
    raise SlackRefusal("missing_scope")


async def test_slacks_word_is_enough_for_ten_minutes_of_answers_and_outlives_a_process(
    acting: Acting, bench: Bench, agency: Database
) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    await offer(stage, SARA_L, root)
    await stage.settled()
    async with on_stage(bench, agency) as later:
        second = await later.say(SARA_L, "hello")
        await later.reply(SARA_L, second)

    assert len(await stage.bench.log(target="slack", method="users.info")) == 1


async def test_slack_is_asked_at_the_press_and_before_it_is_carried_out(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    await stage.press(SARA_L, await offer(stage, SARA_L, root), "Create task")
    await stage.reply_with(SARA_L, root, "Created “")
    await stage.settled()

    assert len(await stage.bench.log(target="slack", method="users.info")) == 3


async def test_a_request_is_sent_once_more_only_while_slack_still_vouches(acting: Acting) -> None:
    """It was judged when it was sent first; by the time it is sent again that is an old word."""
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.set_fault("clickup", "error_before", method="create_task")
    await stage.press(SARA_L, card, "Create task")
    await stage.reply_with(SARA_L, root, "ClickUp didn't say whether")
    await stage.bench.change_membership(SARA_L, "deactivated")

    await stage.reply_with(SARA_L, root, "no longer active")

    await stage.settled()
    assert [one["state"] for one in await stage.proposals()] == ["cancelled"]
    assert await stage.creates_sent() == 1
