"""What ClickUp takes of a change in part is told, and taken back, as far as it took it."""

from __future__ import annotations

import pytest
from acting import INES, Acting, call, offer, text, turn
from stage import Stage, whole_text
from test_cut_off_flow import GUIDE, RENAME, by_hand, changing, receipts

SARA_L_IN_CLICKUP = 100003

pytestmark = pytest.mark.usefixtures("brisk")


async def test_what_clickup_left_as_it_was_is_not_called_changed(acting: Acting) -> None:
    stage = await acting(changing(assignee="Tomas Reed"))
    await unknown_in_clickup(stage, "Tomas Reed")
    await by_hand(stage, GUIDE, {"assignees": {"add": [], "rem": [SARA_L_IN_CLICKUP]}})
    root = await stage.say(INES, RENAME)

    await stage.press(INES, await offer(stage, INES, root, "Change task"), "Change task")

    await stage.reply_with(INES, root, "was not changed: ClickUp left it as it was")
    assert "Changed the task" not in await receipts(stage, root)


async def test_what_clickup_took_in_part_is_told_as_it_is_now(acting: Acting) -> None:
    stage = await acting(changing(assignee="Tomas Reed"))
    await unknown_in_clickup(stage, "Tomas Reed")
    root = await stage.say(INES, RENAME)

    await stage.press(INES, await offer(stage, INES, root, "Change task"), "Change task")

    receipt = await stage.reply_with(INES, root, "Changed the task")
    assert "ClickUp did not accept all of it. Now it is: nobody." in whole_text(receipt)


async def unknown_in_clickup(stage: Stage, name: str) -> None:
    """Have somebody's account end in ClickUp, which drops assignees that it does not know."""
    await stage.db.pool.execute(
        "update profiles set clickup_user_id = '999999' where full_name = $1", name
    )


async def test_of_tasks_that_were_changed_in_part_that_part_is_told_and_taken_back(
    acting: Acting,
) -> None:
    find = call("search_tools", queries=["change many tasks"])
    change = call(
        "change_tasks",
        client="Brightkettle Group",
        assignee="Miguel",
        new_assignee="Tomas Reed",
        priority="urgent",
    )
    say = "give Miguel's tasks to Tomas, they are urgent"
    stage = await acting(turn(say, find, change, text("See the card.")))
    await unknown_in_clickup(stage, "Tomas Reed")
    root = await stage.say(INES, say)
    before = {one["id"]: one["priority"] for one in await stage.bench.clickup_tasks()}

    await stage.press(INES, await offer(stage, INES, root, "Change tasks"), "Change tasks")
    receipt = whole_text(await stage.reply_with(INES, root, "ClickUp did not accept all of it"))
    changed = [
        one for one in await stage.bench.clickup_tasks() if one["priority"] != before[one["id"]]
    ]
    assert changed
    assert "→ Tomas Reed" not in receipt
    assert "Changed 3 tasks." in receipt
    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")

    again = {one["id"]: one["priority"] for one in await stage.bench.clickup_tasks()}
    assert again == before
