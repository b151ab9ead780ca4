"""What kind of place a channel is, as Slack says: its type before its id, and who reads along."""

from __future__ import annotations

import pytest
from acting import (
    INES,
    MIGUEL,
    OPS,
    SARA_L,
    TOMAS,
    Acting,
    creating,
    offer_in,
    text,
    turn,
)
from stage import Stage, whole_text

from workbench.fixture import Bench

ASK = "make the task"
HELLO = turn("hello", text("Hello."))


async def scene(stage: Stage) -> tuple[str, str]:
    """The scope and the kind of place of the newest run."""
    row = await stage.db.pool.fetchrow("select * from agent_runs order by started_at desc limit 1")
    assert row is not None
    return row["input_payload"]["scope"], row["input_payload"]["place"]


async def asked_about(bench: Bench) -> int:
    """How often Slack was asked what a channel is."""
    return len(await bench.log(target="slack", method="conversations.info"))


@pytest.mark.parametrize("named", ["", "D0GROUP1"])
async def test_a_group_conversation_is_no_direct_message_whatever_its_id(
    acting: Acting, named: str
) -> None:
    stage = await acting(creating(ASK))
    group = await stage.bench.add_group(INES, SARA_L, named=named)

    root = await stage.bench.post_message(group, INES, f"<@U01CLAW> {ASK}")
    await stage.reply_in(group, root)
    linked = await stage.bench.command(group, INES, "/claw", "link Glintly Inc")

    await stage.settled()
    assert await stage.proposals() == []
    assert await scene(stage) == ("unknown", "group_dm")
    assert "only a channel can be linked" in whole_text(linked["response"])
    lane = await stage.db.pool.fetchval(
        "select lane from slack_event_receipts where event_type = 'message'"
    )
    assert lane.endswith(f":{root}")


async def test_slacks_word_about_a_channel_is_enough_for_ten_minutes_of_answers(
    acting: Acting,
) -> None:
    stage = await acting(HELLO)
    for _ in range(2):
        root = await stage.bench.post_message(OPS, MIGUEL, "<@U01CLAW> hello")
        await stage.reply_in(OPS, root)
    direct = await stage.say(MIGUEL, "hello")
    await stage.reply(MIGUEL, direct)

    assert await asked_about(stage.bench) == 1


async def test_an_effect_takes_slacks_word_of_now_about_its_channel(acting: Acting) -> None:
    """The agency's own channel was shared with another company while its card waited."""
    stage = await acting(creating(ASK))
    root = await stage.bench.post_message(OPS, SARA_L, f"<@U01CLAW> {ASK}")
    card = await offer_in(stage, OPS, root)
    await stage.bench.change_channel(OPS, "share", tells=False)

    await stage.bench.interact(OPS, card["ts"], SARA_L, "Create task")

    assert "another company" in await stage.bench.until(lambda: told(stage, SARA_L))
    await stage.settled()
    assert await stage.creates_sent() == 0


async def told(stage: Stage, user: str) -> str:
    """What a person was told alone."""
    return "\n".join(await stage.whispers(user))


async def test_a_message_waits_while_slack_does_not_say_what_its_channel_is(
    acting: Acting,
) -> None:
    stage = await acting(HELLO)
    await stage.bench.set_fault("slack", "error_before", method="conversations.info", times=3)

    root = await stage.bench.post_message(OPS, MIGUEL, "<@U01CLAW> hello")

    assert "Hello" in whole_text(await stage.reply_in(OPS, root))
    shown = await stage.bench.log(target="slack", method="assistant.threads.setStatus")
    said = [call["arguments"]["status"] for call in shown]
    assert "is waiting for Slack to say what this channel is…" in said


async def test_without_the_permission_to_ask_channels_are_refused_and_direct_messages_are_not(
    acting: Acting,
) -> None:
    stage = await acting(HELLO)
    await stage.bench.change_install(lacks=["channels:read"])

    root = await stage.bench.post_message(OPS, MIGUEL, "<@U01CLAW> hello")
    direct = await stage.say(MIGUEL, "hello")

    assert "I lack a permission" in whole_text(await stage.reply_in(OPS, root))
    await stage.reply_with(MIGUEL, direct, "Hello.")


async def test_a_channel_of_the_agency_that_is_shared_is_nobodys(acting: Acting) -> None:
    stage = await acting(HELLO)
    for change in ("offer", "share"):
        await stage.bench.change_channel(OPS, change)
        await stage.db.pool.execute("update slack_channels set asked_at = null")
        root = await stage.bench.post_message(OPS, TOMAS, "<@U01CLAW> hello")
        await stage.reply_in(OPS, root)

        assert await scene(stage) == ("unknown", "channel")
