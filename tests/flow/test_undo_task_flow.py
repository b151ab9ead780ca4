"""Undo of a created task: archived once, by who asked, in time, and only if nobody touched it."""

from __future__ import annotations

import asyncio
from typing import Any

from acting import (
    INES,
    OPS,
    TASK,
    TOMAS,
    Acting,
    creating,
    offer,
    offer_in,
    states,
    whispered,
)
from stage import Message, Stage, buttons, whole_text

ASK = "make the task"
CLAW = "U01CLAW"


async def created(acting: Acting) -> tuple[Stage, str, Message]:
    """Have a task created in a DM; returns the thread and the card with Undo on it."""
    stage = await acting(creating(ASK))
    root = await stage.say(INES, ASK)
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    return stage, root, await offer(stage, INES, root, "Undo")


async def updates(stage: Stage) -> list[dict[str, Any]]:
    return await stage.bench.log(target="clickup", operation="update_task")


async def edit_by_hand(stage: Stage, task_id: str, **changes: Any) -> None:
    """Change a task as somebody does who works in ClickUp."""
    url = f"{stage.bench.clickup_api_url}/task/{task_id}"
    headers = {"Authorization": "pk_workbench"}
    async with stage.bench.http.put(url, json=changes, headers=headers) as answer:
        assert answer.status == 200, await answer.text()


async def test_undo_archives_the_task_once_and_says_so(acting: Acting) -> None:
    stage, root, card = await created(acting)
    [task] = await stage.tasks_named(TASK)

    await asyncio.gather(*(stage.press(INES, card, "Undo") for _ in range(5)))

    said = whole_text(await stage.reply_with(INES, root, "Undone."))
    assert "is archived" in said
    assert "not deleted" in said
    await stage.settled()
    [after] = [one for one in await stage.bench.clickup_tasks() if one["id"] == task["id"]]
    assert after["archived"] is True
    assert len(await updates(stage)) == 1
    assert sorted(await states(stage)) == ["done", "done"]
    rows = await stage.db.pool.fetch(
        "select status from skill_invocation_log where status <> 'duplicate'"
    )
    assert [row["status"] for row in rows] == ["success", "success"]
    assert await stage.db.pool.fetchval("select status from agent_tasks") == "undone"
    shown = whole_text(next(m for m in await stage.replies(INES, root) if m["ts"] == card["ts"]))
    assert "Undone since" in shown


async def test_what_was_undone_can_be_created_again_at_once(acting: Acting) -> None:
    stage, root, card = await created(acting)
    await stage.press(INES, card, "Undo")
    await stage.reply_with(INES, root, "Undone.")
    second = await stage.say(INES, ASK)

    await stage.press(INES, await offer(stage, INES, second), "Create task")

    await stage.reply_with(INES, second, "Created “")


async def test_what_somebody_changed_since_stays(acting: Acting) -> None:
    stage, root, card = await created(acting)
    [task] = await stage.tasks_named(TASK)
    await edit_by_hand(stage, task["id"], name=f"{TASK}, urgently")

    await stage.press(INES, card, "Undo")

    await stage.reply_with(INES, root, "somebody has changed")
    await stage.settled()
    [after] = [one for one in await stage.bench.clickup_tasks() if one["id"] == task["id"]]
    assert after["archived"] is False
    assert sorted(await states(stage)) == ["cancelled", "done"]
    assert "Undo" in buttons(await offer(stage, INES, root, "Undo"))


async def test_after_ten_minutes_and_by_others_nothing_is_undone(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root = await stage.bench.post_message(OPS, INES, f"<@{CLAW}> {ASK}")
    card = await offer_in(stage, OPS, root)
    await stage.bench.interact(OPS, card["ts"], INES, "Create task")
    card = await offer_in(stage, OPS, root, "Undo")

    await stage.bench.interact(OPS, card["ts"], TOMAS, "Undo")
    await whispered(stage, TOMAS, "Only Ines Varga")
    await stage.db.pool.execute(
        "update proposals set settled_at = settled_at - interval '11 minutes'"
    )
    await stage.bench.interact(OPS, card["ts"], INES, "Undo")
    await whispered(stage, INES, "more than ten minutes ago")
    await whispered(stage, INES, "Ask me to change it instead.")

    await stage.settled()
    assert await updates(stage) == []
    reasons = [event["reason"] for event in await stage.events("consent_undo")]
    assert reasons == ["wrong_actor", "too_late_to_undo"]


async def test_an_undo_of_unknown_fate_is_looked_at_and_ends_well(acting: Acting) -> None:
    stage, root, card = await created(acting)
    await stage.bench.set_fault("clickup", "reset_after", method="update_task", times=3)

    await stage.press(INES, card, "Undo")

    await stage.reply_with(INES, root, "Undone.")
    [task] = await stage.tasks_named(TASK)
    assert task["archived"] is True


async def test_an_undo_whose_fate_stays_unknown_ends_and_is_left_to_a_person(
    acting: Acting, brisk: None
) -> None:
    stage, root, card = await created(acting)
    await stage.bench.set_fault("clickup", "error_before", method="update_task", times=1000)

    await stage.press(INES, card, "Undo")
    await stage.reply_with(INES, root, "I'm checking")
    await stage.db.pool.execute(
        "update proposals set settled_at = settled_at - interval '16 minutes'"
        " where undo_of is not null"
    )

    await stage.reply_with(INES, root, "I could not find out whether")
    await stage.settled()
    assert "Undone since" not in whole_text(await offer(stage, INES, root, "Undo"))
    assert not await stage.db.pool.fetchval(
        "select exists (select from procrastinate_jobs where task_name = 'look')"
    )
