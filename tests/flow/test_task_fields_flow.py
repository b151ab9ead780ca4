"""Custom fields of a task are changed by a press, each by its type, and only as shown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import httpx
import pytest
from acting import INES, Acting, call, offer, on, text, turn
from stage import Stage, whole_text

TASK = "Ask the client for the new Glintly brand guide"
SAID = "set the fields: 1,250 of budget, live on 2026-12-14"
DAY = date(2026, 12, 14)
ALL: dict[str, Any] = {
    "marketplace": "UK",
    "ASIN": "B0GLINT001",
    "Budget": 1250,
    "Go-live": on(str(DAY), str(DAY)),
    "approved by client": True,
    "Channels": ["Organic", "Sponsored Brands"],
    "Reviewer": ["Miguel"],
}
SHOWN = {
    "Marketplace": "empty → UK",
    "Budget": "empty → 1250 USD",
    "Go-live": "empty → Mon 14 Dec 2026",
    "Approved by client": "no → yes",
    "Channels": "empty → Organic, Sponsored Brands",
    "Reviewer": "empty → Miguel Duarte",
}


def asking(say: str, fields: dict[str, Any], **arguments: Any) -> dict[str, Any]:
    changes = [{"field": name, "value": value} for name, value in fields.items()]
    whole = {"task": TASK, "client": "Glintly Inc", "fields": changes, **arguments}
    find = call("search_tools", queries=["set a custom field of a task"])
    return turn(say, find, call("clickup_task_update", **whole), text("See the card."))


async def task(stage: Stage, name: str = TASK) -> dict[str, Any]:
    [found] = await stage.tasks_named(name)
    async with httpx.AsyncClient(headers={"Authorization": "pk_workbench"}) as http:
        return (await http.get(f"{stage.bench.clickup_api_url}/task/{found['id']}")).json()


async def values(stage: Stage, name: str = TASK) -> dict[str, Any]:
    fields = (await task(stage, name))["custom_fields"]
    return {one["name"]: one["value"] for one in fields if "value" in one}


async def put(stage: Stage, field: str, value: Any, name: str = TASK) -> None:
    """Somebody else's hand in ClickUp."""
    found = await task(stage, name)
    field_id = next(one["id"] for one in found["custom_fields"] if one["name"] == field)
    async with httpx.AsyncClient(headers={"Authorization": "pk_workbench"}) as http:
        address = f"{stage.bench.clickup_api_url}/task/{found['id']}/field/{field_id}"
        assert (await http.post(address, json={"value": value})).status_code == 200


async def sets(stage: Stage) -> int:
    return len(await stage.bench.log(target="clickup", operation="set_field"))


async def told(stage: Stage) -> dict[str, Any]:
    """What the tool returned."""
    payload = await stage.db.pool.fetchval(
        "select payload from agent_skill_events where event_type = 'skill_result'"
        " and skill_id = 'clickup_task_update' order by created_at desc limit 1"
    )
    return payload["result"]


async def test_each_kind_of_field_is_set_as_shown_and_undo_empties_them_again(
    acting: Acting,
) -> None:
    stage = await acting(asking(SAID, ALL, priority="high"))
    root = await stage.say(INES, SAID)
    card = await offer(stage, INES, root, "Change task")
    shown = whole_text(card)
    for name, change in SHOWN.items():
        assert name in shown
        assert change in shown
    assert await values(stage) == {}

    await stage.press(INES, card, "Change task")
    receipt = await stage.reply_with(INES, root, f"Changed the task “{TASK}”.")
    assert "not changed" not in whole_text(receipt)
    held = await values(stage)
    assert held["Marketplace"] == 2
    assert held["ASIN"] == "B0GLINT001"
    assert (held["Budget"], held["Approved by client"]) == ("1250", "true")
    assert [one["username"] for one in held["Reviewer"]] == ["Miguel Duarte"]
    assert len(held["Channels"]) == 2
    assert await sets(stage) == len(ALL)
    [event] = await stage.events("effect_done")
    assert "1250 USD" in event["payload"]["after"].values()

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    again = await values(stage)
    assert again.pop("Reviewer") == []
    assert again == {}
    assert (await task(stage))["priority"] is None


@pytest.mark.parametrize(
    ("field", "value", "asks"),
    [
        ("Marketplace", "Germany", "US"),
        ("Market", "UK", "Marketplace"),
        ("Channels", ["Organic", "Billboards"], "Sponsored Products"),
    ],
)
async def test_a_field_or_choice_that_is_not_there_is_asked_about_with_those_that_are(
    acting: Acting, field: str, value: Any, asks: str
) -> None:
    stage = await acting(asking("set it", {field: value}))
    await stage.reply(INES, await stage.say(INES, "set it"))

    asked = await told(stage)
    assert asked["kind"] == "ask"
    assert asks in asked["options"]
    assert await stage.proposals() == []


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("Progress", 50, "can't be set from here"),
        ("Budget", "a lot", "takes an amount"),
        ("Go-live", "soon", "takes a day"),
        ("Approved by client", "maybe", "takes yes or no"),
    ],
)
async def test_what_a_field_does_not_take_is_said(
    acting: Acting, field: str, value: Any, why: str
) -> None:
    stage = await acting(asking("set it", {field: value}))
    await stage.reply(INES, await stage.say(INES, "set it"))

    refused = await told(stage)
    assert refused["kind"] == "refusal"
    assert why in refused["message"]
    assert await stage.proposals() == []


async def test_a_field_that_somebody_filled_in_since_is_not_overwritten(acting: Acting) -> None:
    stage = await acting(asking("the UK", {"Marketplace": "UK"}))
    root = await stage.say(INES, "the UK")
    card = await offer(stage, INES, root, "Change task")
    await put(stage, "Marketplace", 3)
    sent = await sets(stage)

    await stage.press(INES, card, "Change task")
    since = await stage.reply_with(INES, root, "changed since")
    assert "“Marketplace” is “MX” now" in whole_text(since)
    assert await sets(stage) == sent

    fresh = await offer(stage, INES, root, "Change task")
    assert "MX → UK" in whole_text(fresh)
    await stage.press(INES, fresh, "Change task")
    await stage.reply_with(INES, root, "Changed the task")
    assert (await values(stage))["Marketplace"] == 2


async def test_a_field_whose_answer_got_lost_is_read_and_the_rest_is_set_once(
    acting: Acting, brisk: None
) -> None:
    fields = {"Marketplace": "UK", "ASIN": "B0GLINT001", "Budget": 1250}
    stage = await acting(asking(SAID, fields, priority="high"), clickup_look_delays=(0.1,))
    root = await stage.say(INES, SAID)
    card = await offer(stage, INES, root, "Change task")
    await stage.bench.set_fault("clickup", "error_after", method="set_field", times=1)

    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "Changed the task")

    assert await values(stage) == {"Marketplace": 2, "ASIN": "B0GLINT001", "Budget": "1250"}
    assert (await task(stage))["priority"]["priority"] == "high"
    assert await sets(stage) == len(fields)
    assert len(await stage.bench.log(target="clickup", operation="update_task")) == 1
    assert [one["state"] for one in await stage.proposals()] == ["done"]


def _removed(field: dict[str, Any]) -> dict[str, Any]:
    """The field without its last option, as an admin of the Workspace may leave it."""
    options = field["type_config"]["options"][:-1]
    return {**field, "type_config": {"options": options}}


async def test_a_part_that_clickup_refuses_is_said_and_undo_takes_back_the_rest(
    acting: Acting,
) -> None:
    stage = await acting(asking("mexico", {"Marketplace": "MX", "ASIN": "B0GLINT001"}))
    root = await stage.say(INES, "mexico")
    card = await offer(stage, INES, root, "Change task")
    _change_field(stage, "Marketplace", _removed)

    await stage.press(INES, card, "Change task")
    receipt = await stage.reply_with(INES, root, "Changed the task")
    assert "Marketplace: not changed." in whole_text(receipt)
    assert await values(stage) == {"ASIN": "B0GLINT001"}

    undo = next(one for one in await stage.replies(INES, root) if "Undo" in str(one["blocks"]))
    await stage.press(INES, undo, "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await values(stage) == {}


def _change_field(
    stage: Stage, name: str, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    [field] = [one for one in stage.bench.storage.all("clickup_field") if one["name"] == name]
    stage.bench.storage.put("clickup_field", field["id"], change(field))


MIGUELS = (
    "Fix the suppressed listing of the Nordvent Tower Fan B0NV8FAN01",
    "Upload the new gallery images for the Copperleaf Garlic Press",
    "Appeal the Tessera tea caddy category change",
)


async def test_fields_of_several_tasks_are_set_on_one_card_each_with_its_own_end(
    acting: Acting,
) -> None:
    say = "put all of Miguel's at Brightkettle on UK"
    fields = [{"field": "Marketplace", "value": "UK"}]
    which = {"client": "Brightkettle Group", "assignee": "Miguel"}
    find = call("search_tools", queries=["change many tasks"])
    change = call("change_tasks", **which, fields=fields)
    stage = await acting(turn(say, find, change, text("See the card.")))
    first, *others = MIGUELS
    await put(stage, "Marketplace", 2, name=first)
    root = await stage.say(INES, say)
    card = await offer(stage, INES, root, "Change tasks")
    assert whole_text(card).count("→ UK") == len(others)
    assert await values(stage, others[0]) == {}

    await put(stage, "Marketplace", 3, name=others[0])
    sent = await sets(stage)
    await stage.press(INES, card, "Change tasks")
    receipt = await stage.reply_with(INES, root, "Changed 1 of 2 tasks.")
    await stage.settled()

    assert "“Marketplace” is “MX” now" in whole_text(receipt)
    assert (await values(stage, others[1]))["Marketplace"] == 2
    assert (await values(stage, others[0]))["Marketplace"] == 3
    assert await sets(stage) == sent + 1


async def test_a_second_change_leaves_the_fields_of_the_waiting_card_on_it(acting: Acting) -> None:
    stage = await acting(
        asking("the UK, for 1250", {"Marketplace": "UK", "Budget": 1250}),
        asking("rather Mexico, and urgent", {"Marketplace": "MX"}, priority="urgent"),
    )
    root = await stage.say(INES, "the UK, for 1250")
    first = await offer(stage, INES, root, "Change task")
    assert "empty → UK" in whole_text(first)

    await stage.say(INES, "rather Mexico, and urgent", thread=root)
    await stage.reply_with(INES, root, "empty → MX")
    card = await offer(stage, INES, root, "Change task")
    assert "empty → 1250 USD" in whole_text(card)
    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "Changed the task")
    assert await values(stage) == {"Marketplace": 3, "Budget": "1250"}
