"""Checklists of a task are changed by a press, item by item, and only as shown."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from acting import INES, Acting, call, offer, text, turn
from stage import Stage, whole_text

TASK = "Upload safety documents for the Hearthlane Kids night light"
SAID = "the checklist of the safety documents"
POINTS = ["Photos", "Title", "Bullets", "Price", "Go live"]
OPEN, TICKED = "☐", "☑"
AS_SEEDED = {
    "Checklist": [
        f"{TICKED} Test report",
        f"{OPEN} Declaration of conformity",
        f"{OPEN} Photo of the label",
    ]
}


def asking(say: str, **changes: Any) -> dict[str, Any]:
    find = call("search_tools", queries=["tick an item of a checklist"])
    whole = {"task": TASK, "client": "Hearthlane", **changes}
    return turn(say, find, call("clickup_task_checklist", **whole), text("See the card."))


async def clickup(stage: Stage, method: str, path: str, **body: Any) -> dict[str, Any]:
    async with httpx.AsyncClient(headers={"Authorization": "pk_workbench"}) as http:
        address = f"{stage.bench.clickup_api_url}{path}"
        answer = await http.request(method, address, json=body or None)
        assert answer.status_code == 200, answer.text
        return answer.json()


async def checklists(stage: Stage) -> list[dict[str, Any]]:
    [found] = await stage.tasks_named(TASK)
    return (await clickup(stage, "GET", f"/task/{found['id']}"))["checklists"]


async def lines(stage: Stage) -> dict[str, list[str]]:
    """What each checklist of the task says."""
    return {
        one["name"]: [f"{TICKED if i['resolved'] else OPEN} {i['name']}" for i in one["items"]]
        for one in await checklists(stage)
    }


async def by_hand(stage: Stage, method: str, item: str, **body: Any) -> None:
    """Somebody else's hand in ClickUp."""
    [one] = await checklists(stage)
    path = f"/checklist/{one['id']}/checklist_item"
    found = {i["name"]: f"/{i['id']}" for i in one["items"]}
    await clickup(stage, method, path + found.get(item, ""), **body)


async def sent(stage: Stage, operation: str) -> int:
    return len(await stage.bench.log(target="clickup", operation=operation))


def on(card: dict[str, Any], row: str) -> bool:
    """Whether a card has a row, of its name and what changes."""
    return row.replace(": ", "*\n", 1) in whole_text(card)


async def told(stage: Stage) -> dict[str, Any]:
    payload = await stage.db.pool.fetchval(
        "select payload from agent_skill_events where event_type = 'skill_result'"
        " and skill_id = 'clickup_task_checklist' order by created_at desc limit 1"
    )
    return payload["result"]


async def test_items_are_ticked_added_renamed_and_removed_as_shown_and_undo_takes_it_back(
    acting: Acting,
) -> None:
    stage = await acting(
        asking(
            SAID,
            tick=["declaration of conformity"],
            untick=["Test report"],
            add=["Check the images"],
            rename=[{"item": "Test report", "new_text": "New test report"}],
            remove=["Photo of the label"],
        )
    )
    root = await stage.say(INES, SAID)
    card = await offer(stage, INES, root, "Change task")
    for row in (
        "Declaration of conformity (Checklist): not ticked → ticked",
        "Test report (Checklist): ticked → New test report, not ticked",
        "Check the images (Checklist): not there → not ticked",
        "Photo of the label (Checklist): not ticked → not there",
    ):
        assert on(card, row)
    assert await lines(stage) == AS_SEEDED

    await stage.press(INES, card, "Change task")
    receipt = await stage.reply_with(INES, root, f"Changed the task “{TASK}”.")
    assert "Check the images (Checklist): not there → not ticked" in whole_text(receipt)
    assert await lines(stage) == {
        "Checklist": [
            f"{OPEN} New test report",
            f"{TICKED} Declaration of conformity",
            f"{OPEN} Check the images",
        ]
    }
    assert await sent(stage, "create_item") == 1

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await lines(stage) == AS_SEEDED


async def test_a_new_checklist_is_made_with_its_items_in_order_and_undo_removes_it(
    acting: Acting,
) -> None:
    stage = await acting(asking(SAID, new_checklist="Launch", add=POINTS))
    root = await stage.say(INES, SAID)
    card = await offer(stage, INES, root, "Change task")
    assert on(card, "Checklist: not there → Launch")
    assert on(card, "Go live (Launch): not there → not ticked")

    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "Changed the task")
    made = await lines(stage)
    assert made == {**AS_SEEDED, "Launch": [f"{OPEN} {one}" for one in POINTS]}
    assert (await sent(stage, "create_checklist"), await sent(stage, "create_item")) == (1, 5)

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await lines(stage) == AS_SEEDED


async def test_undo_leaves_a_checklist_to_which_somebody_added_since(acting: Acting) -> None:
    stage = await acting(asking(SAID, new_checklist="Launch", add=["Photos"]))
    root = await stage.say(INES, SAID)
    await stage.press(INES, await offer(stage, INES, root, "Change task"), "Change task")
    undo = await offer(stage, INES, root, "Undo")
    new = (await checklists(stage))[-1]
    await clickup(stage, "POST", f"/checklist/{new['id']}/checklist_item", name="Theirs")

    await stage.press(INES, undo, "Undo")
    since = await stage.reply_with(INES, root, "changed since")
    assert "“Checklist” is “Launch, Theirs” now" in whole_text(since)
    assert (await lines(stage))["Launch"] == [f"{OPEN} Photos", f"{OPEN} Theirs"]


async def test_an_item_that_somebody_changed_since_is_not_overwritten_and_others_do_not_matter(
    acting: Acting,
) -> None:
    stage = await acting(asking(SAID, tick=["Photo of the label"], add=["Check the images"]))
    root = await stage.say(INES, SAID)
    card = await offer(stage, INES, root, "Change task")
    await by_hand(stage, "PUT", "Photo of the label", name="Photo of both labels")
    await by_hand(stage, "PUT", "Declaration of conformity", resolved=True)

    await stage.press(INES, card, "Change task")
    since = await stage.reply_with(INES, root, "changed since")
    assert "is “Photo of both labels, not ticked” now" in whole_text(since)
    assert "Declaration" not in whole_text(since)
    assert await sent(stage, "create_item") == 0


@pytest.mark.parametrize(
    ("changes", "asks"),
    [
        ({"tick": ["Report"]}, "Test report (Checklist)"),
        ({"untick": ["Invoice"]}, "Photo of the label (Checklist)"),
        ({"checklist": "Launch", "add": ["Photos"]}, "Checklist"),
    ],
)
async def test_what_is_not_there_by_its_name_is_asked_about_with_what_is(
    acting: Acting, changes: dict[str, Any], asks: str
) -> None:
    stage = await acting(asking("change it", **changes))
    await stage.reply(INES, await stage.say(INES, "change it"))

    asked = await told(stage)
    assert asked["kind"] == "ask"
    assert asks.partition(" (")[0] in str(asked["options"])
    assert await stage.proposals() == []


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"add": ["Test report"]}, "is in that checklist already"),
        ({"new_checklist": "checklist"}, "has a checklist “checklist” already"),
        ({"tick": ["Test report"]}, "would change nothing"),
    ],
)
async def test_what_is_there_already_is_said(
    acting: Acting, changes: dict[str, Any], why: str
) -> None:
    stage = await acting(asking("change it", **changes))
    await stage.reply(INES, await stage.say(INES, "change it"))

    refused = await told(stage)
    assert refused["kind"] == "refusal"
    assert why in refused["message"]


@pytest.mark.parametrize("operation", ["create_checklist", "create_item", "edit_item"])
async def test_what_got_lost_after_it_was_done_is_read_and_the_rest_is_done_once(
    acting: Acting, brisk: None, operation: str
) -> None:
    changes = {"new_checklist": "Launch", "add": POINTS, "tick": ["Photo of the label"]}
    stage = await acting(asking(SAID, **changes), clickup_look_delays=(0.1,))
    root = await stage.say(INES, SAID)
    card = await offer(stage, INES, root, "Change task")
    await stage.bench.set_fault("clickup", "error_after", method=operation, times=1)

    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "Changed the task")
    now = await lines(stage)
    assert now["Launch"] == [f"{OPEN} {one}" for one in POINTS]
    assert now["Checklist"][-1] == f"{TICKED} Photo of the label"
    assert (await sent(stage, "create_checklist"), await sent(stage, "create_item")) == (1, 5)


async def test_an_item_that_may_be_on_its_way_is_not_sent_again(
    acting: Acting, brisk: None
) -> None:
    stage = await acting(
        asking(SAID, add=["Photos", "Title"], tick=["Photo of the label"]),
        clickup_look_delays=(0.1,),
    )
    root = await stage.say(INES, SAID)
    card = await offer(stage, INES, root, "Change task")
    await stage.bench.set_fault("clickup", "error_before", method="create_item", times=1)

    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "could not find out")
    assert await sent(stage, "create_item") == 1
    assert (await lines(stage))["Checklist"][-1] == f"{TICKED} Photo of the label"


@pytest.mark.parametrize("fault", ["error_before", "rate_limited", "unauthorized"])
async def test_an_item_that_was_made_and_could_not_be_ticked_is_told_and_not_made_again(
    acting: Acting, brisk: None, fault: str
) -> None:
    stage = await acting(asking(SAID, remove=["Test report"]), clickup_look_delays=(0.1,))
    root = await stage.say(INES, SAID)
    await stage.press(INES, await offer(stage, INES, root, "Change task"), "Change task")
    receipt = await stage.reply_with(INES, root, "Changed the task")
    assert "Test report (Checklist): ticked → not there" in whole_text(receipt)
    await stage.bench.set_fault("clickup", fault, method="edit_item", times=3)

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    told = await stage.reply_with(INES, root, "Undone.")
    assert "ClickUp did not accept all of it. Now it is: not ticked." in whole_text(told)
    assert await sent(stage, "create_item") == 1
    assert (await lines(stage))["Checklist"][-1] == f"{OPEN} Test report"


async def test_a_second_change_corrects_the_waiting_card_whichever_tool_made_it(
    acting: Acting,
) -> None:
    more = {"task": TASK, "client": "Hearthlane", "priority": "urgent"}
    find = call("search_tools", queries=["update a task"])
    stage = await acting(
        asking("tick the label", tick=["Photo of the label"]),
        turn("and urgent", find, call("clickup_task_update", **more), text("See the card.")),
        asking("and the images", add=["Check the images"]),
    )
    root = await stage.say(INES, "tick the label")
    await offer(stage, INES, root, "Change task")
    await stage.say(INES, "and urgent", thread=root)
    await stage.reply_with(INES, root, "Priority")
    await stage.say(INES, "and the images", thread=root)
    await stage.reply_with(INES, root, "Check the images")

    card = await offer(stage, INES, root, "Change task")
    for row in ("not ticked → ticked", "→ urgent", "not there → not ticked"):
        assert row in whole_text(card)
    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "Changed the task")
    assert (await lines(stage))["Checklist"][2:] == [
        f"{TICKED} Photo of the label",
        f"{OPEN} Check the images",
    ]
    assert [one["state"] for one in await stage.proposals()] == ["superseded", "superseded", "done"]
