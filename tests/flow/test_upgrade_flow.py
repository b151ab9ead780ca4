"""An upgrade between card and consent: done just as shown, or said to be out of date."""

from __future__ import annotations

from typing import Any

from acting import INES, TASK, Acting, creating, offer, states
from stage import Message, Stage, buttons, dm, whole_text

from agencyclaw.domain.text import digest
from agencyclaw.store.jobs import defer, queue_of

ASK = "make the task"
# Fields that CreateTask got after its first version, and one that it doesn't have.
LATER = ("catalogued", "identifiers", "replaces", "more_steps")
UNKNOWN = {"colour": "red"}


async def reshape(stage: Stage, *, without: tuple[str, ...] = (), **more: Any) -> str:
    """Store the only proposal as another version would have; returns what its buttons carried."""
    [row] = await stage.proposals()
    kept = {name: value for name, value in row["arguments"].items() if name not in without}
    stored = kept | more
    signed = digest(
        {
            "skill": row["skill_id"],
            "effect": stored,
            "actor": str(row["actor_profile_id"]),
            "place": row["place"],
        }
    )
    await stage.db.pool.execute(
        "update proposals set arguments = $1, fingerprint = $2", stored, signed
    )
    return f"{row['id']}:{signed[:16]}"


async def press(stage: Stage, card: Message, mark: str, action: str = "claw_confirm") -> None:
    button = {"type": "button", "action_id": action, "block_id": "b", "value": mark}
    await stage.bench.interact(dm(INES), card["ts"], INES, button)


async def asked(stage: Stage) -> tuple[str, Message]:
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    await stage.settled()
    return root, card


async def carry_out(stage: Stage, state: str) -> None:
    """Let this version find a consent that the one before it stored."""
    await stage.db.pool.execute(
        "update proposals set state = $1, confirmed_by = actor_profile_id,"
        " confirming_receipt_id = receipt_id",
        state,
    )
    [row] = await stage.proposals()
    async with stage.db.transaction() as conn:
        await defer(
            conn, "execute", {"proposal_id": str(row["id"])}, queue=queue_of(row["team_id"])
        )


async def card_now(stage: Stage, card: Message) -> Message:
    messages = await stage.bench.messages(dm(INES))
    return next(one for one in messages if one["ts"] == card["ts"])


async def test_a_card_from_before_a_field_was_added_is_carried_out_and_undone(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    mark = await reshape(stage, without=LATER)

    await press(stage, card, mark)
    [task] = await stage.created(TASK)
    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")

    await stage.reply_with(INES, root, "Undone.")
    assert task["name"] == TASK
    assert await stage.creates_sent() == 1


async def test_words_of_consent_reach_a_card_from_before_a_field_was_added(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root, _ = await asked(stage)
    await reshape(stage, without=LATER)

    await stage.say(INES, "yes, create it", thread=root)

    assert len(await stage.created(TASK)) == 1


async def test_a_press_on_a_card_that_cannot_be_read_any_more_is_answered_kindly(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    mark = await reshape(stage, **UNKNOWN)

    await press(stage, card, mark)

    said = await stage.reply_with(INES, root, "I was updated after I prepared that")
    assert "Ask me again" in whole_text(said)
    await stage.settled()
    assert "Out of date" in whole_text(await card_now(stage, card))
    assert not buttons(await card_now(stage, card))
    assert await states(stage) == ["expired"]
    assert await stage.creates_sent() == 0

    await stage.say(INES, ASK, thread=root)
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    assert len(await stage.created(TASK)) == 1


async def test_a_yes_to_a_card_that_cannot_be_read_any_more_is_answered_kindly(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, _ = await asked(stage)
    await reshape(stage, **UNKNOWN)

    await stage.say(INES, "yes, create it", thread=root)

    await stage.reply_with(INES, root, "I was updated after I prepared that")
    await stage.settled()
    assert await stage.creates_sent() == 0


async def test_a_card_that_cannot_be_read_any_more_can_be_cancelled(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    _, card = await asked(stage)
    mark = await reshape(stage, **UNKNOWN)

    await press(stage, card, mark, "claw_cancel")

    async def cancelled() -> bool:
        return "Cancelled" in whole_text(await card_now(stage, card))

    await stage.bench.until(cancelled)
    assert await states(stage) == ["cancelled"]


async def test_what_was_confirmed_before_and_cannot_be_read_is_told_as_not_done(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, _ = await asked(stage)
    await reshape(stage, **UNKNOWN)

    await carry_out(stage, "confirmed")

    said = await stage.reply_with(INES, root, "was not carried out")
    assert TASK in whole_text(said)
    assert "I was updated" in whole_text(said)
    await stage.settled()
    assert await states(stage) == ["cancelled"]
    assert await stage.creates_sent() == 0


async def test_what_was_sent_before_and_cannot_be_read_is_found_and_not_sent_again(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    await stage.press(INES, card, "Create task")
    await stage.created(TASK)
    await stage.settled()
    await reshape(stage, **UNKNOWN)
    await stage.db.pool.execute("update agent_tasks set status = 'dispatching'")

    await carry_out(stage, "executing")

    await stage.reply_with(INES, root, "it is there")
    await stage.settled()
    assert await states(stage) == ["done"]
    assert await stage.creates_sent() == 1


async def test_of_what_was_begun_before_and_cannot_be_read_nothing_is_claimed(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked(stage)
    mark = await reshape(stage, **UNKNOWN)

    await carry_out(stage, "executing")

    await stage.reply_with(INES, root, "could not find out whether it was carried out")
    await stage.settled()
    assert await states(stage) == ["unclear"]
    await press(stage, card, mark, "claw_retry")
    await stage.reply_with(INES, root, "I can't try that again as it was")
    assert await stage.creates_sent() == 0
