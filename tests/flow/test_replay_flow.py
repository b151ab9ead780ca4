"""What is released once more is done no second time, and the log says which row did it."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from acting import INES, TASK, Acting, creating, offer, whispered
from stage import Message, Stage, eventually

ASK = "make the task"


async def logged(stage: Stage) -> list[dict[str, Any]]:
    rows = await stage.db.pool.fetch("select * from skill_invocation_log order by created_at, id")
    return [dict(row) for row in rows]


async def _has_rows(stage: Stage, count: int) -> bool:
    return len(await logged(stage)) == count


async def statuses(stage: Stage) -> Counter[str]:
    return Counter(str(row["status"]) for row in await logged(stage))


def button_of(card: Message, label: str) -> dict[str, Any]:
    """The button as it was shown, for a hand that presses it later."""
    return next(
        {**element, "block_id": block["block_id"]}
        for block in card["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
        if element["text"]["text"] == label
    )


async def test_one_row_per_executed_effect_and_every_replay_is_marked_duplicate(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    pressed = button_of(card, "Create task")

    await stage.say(INES, "yes", thread=root)
    await stage.reply_with(INES, root, "Created “")
    await stage.bench.interact(f"D0{INES[2:]}", card["ts"], INES, pressed)
    await whispered(stage, INES, "already created")
    await stage.settled()
    await stage.say(INES, "yes", thread=root)
    await eventually(lambda: _has_rows(stage, 3))
    await stage.settled()

    first, *replays = await logged(stage)
    [proposal] = await stage.proposals()
    assert (first["status"], first["idempotency_key"]) == ("success", proposal["id"].hex)
    assert [row["status"] for row in replays] == ["duplicate", "duplicate"]
    assert {row["proposal_id"] for row in replays} == {proposal["id"]}
    assert {row["confirmed_by"] for row in replays} == {proposal["actor_profile_id"]}
    assert all(row["result"] == {"replay_of": proposal["id"].hex} for row in replays)
    assert len({row["idempotency_key"] for row in (first, *replays)}) == 3
    assert len(await stage.tasks_named(TASK)) == 1


async def test_presses_of_undo_beyond_the_first_are_duplicates(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(INES, ASK)
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    card = await offer(stage, INES, root, "Undo")

    await asyncio.gather(*(stage.press(INES, card, "Undo") for _ in range(4)))

    await stage.reply_with(INES, root, "Undone.")
    await stage.settled()
    done = Counter(event["reason"] for event in await stage.events("consent_undo"))
    assert await statuses(stage) == {"success": 2, "duplicate": done["already_undone"]}
    assert done["undoing"] == 1


async def test_a_yes_to_what_was_never_carried_out_is_no_replay(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    pressed = button_of(card, "Create task")

    await stage.press(INES, card, "Cancel")
    await stage.settled()
    await stage.bench.interact(f"D0{INES[2:]}", card["ts"], INES, pressed)
    await stage.settled()

    assert await logged(stage) == []
