"""A card of which another version was asked for waits for the answer to the question about it."""

from __future__ import annotations

from acting import INES, TASK, Acting, create, creating, offer, text, turn
from stage import Stage, eventually

ASK = "make the task"
CHANGE = "give it to Sara"
ASKING = turn(CHANGE, create(assignee="Sara", replaces=TASK), text("${create_task.question}"))


async def asked_elsewhere(stage: Stage) -> tuple[str, str]:
    """Ask for a change from another thread of the direct message; returns the card's and that."""
    root = await stage.say(INES, ASK)
    await offer(stage, INES, root)
    await stage.settled()
    other = await stage.say(INES, CHANGE)
    await eventually(lambda: is_suspended(stage))
    await stage.settled()
    return root, other


async def is_suspended(stage: Stage) -> bool:
    [row] = await stage.proposals()
    return row["suspended_by"] is not None and row["suspended_until"] is not None


async def test_the_answer_below_a_question_brings_back_the_card_of_another_thread(
    acting: Acting,
) -> None:
    leave, left = "leave it as it is", "It stays as it is."
    stage = await acting(creating(ASK), ASKING, turn(leave, text(left)))
    _, other = await asked_elsewhere(stage)

    await stage.say(INES, leave, thread=other)

    await stage.reply_with(INES, other, left)
    await stage.settled()
    assert not await is_suspended(stage)
    assert await offer(stage, INES, other)


async def test_what_is_said_below_the_card_answers_no_question_of_another_thread(
    acting: Acting,
) -> None:
    more, nothing = "what else is there", "Nothing else is due."
    stage = await acting(creating(ASK), ASKING, turn(more, text(nothing)))
    root, _ = await asked_elsewhere(stage)

    await stage.say(INES, more, thread=root)

    await stage.reply_with(INES, root, nothing)
    await stage.settled()
    assert await is_suspended(stage)
