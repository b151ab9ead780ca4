"""Many tasks are changed by one press, and each of them ends in its own way."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
from acting import INES, YUKI, Acting, call, offer, text, turn
from stage import Stage, eventually, whole_text

from agencyclaw.store.jobs import defer, queue_of
from workbench.fixture import Bench

SARA_O_IN_CLICKUP, MIGUEL_IN_CLICKUP, TOMAS_IN_CLICKUP = 100004, 100005, 100002
CHANGE = "Change tasks"
TOMORROW: dict[str, Any] = {
    "day": {"kind": "in", "count": 1, "unit": "days"},
    "quote": "to tomorrow",
}
MOVE = "move everything due today to tomorrow"
HAND_OVER = "give Miguel's tasks to Tomas"


def asking(say: str, **arguments: Any) -> dict[str, Any]:
    find = call("search_tools", queries=["change many tasks"])
    return turn(say, find, call("change_tasks", **arguments), text("See the card."))


def moving() -> dict[str, Any]:
    today = str(date.today())
    return asking(MOVE, window="dates", first=today, last=today, due=TOMORROW)


def handing_over(**more: Any) -> dict[str, Any]:
    return asking(HAND_OVER, assignee="Miguel", new_assignee="Tomas Reed", **more)


async def in_clickup(bench: Bench, task_id: str, body: dict[str, Any]) -> dict[str, Any]:
    """Somebody else's hand in ClickUp."""
    async with httpx.AsyncClient(headers={"Authorization": "pk_workbench"}) as http:
        url = f"{bench.clickup_api_url}/task/{task_id}"
        return (await http.request("PUT", url, json=body)).json()


async def puts(stage: Stage) -> int:
    return len(await stage.bench.log(target="clickup", operation="update_task"))


async def tasks_of(stage: Stage, person: int) -> list[dict[str, Any]]:
    """Return the open tasks somebody has in the lists of clients."""
    return [
        one
        for one in await stage.bench.clickup_tasks()
        if person in [who["id"] for who in one["assignees"]]
        and one["status"]["type"] not in ("closed", "done")
        and one["list"]["name"] != "Reporting Requests"
    ]


async def result(stage: Stage) -> dict[str, Any]:
    payload = await stage.db.pool.fetchval(
        "select payload from agent_skill_events where event_type = 'skill_result'"
        " and skill_id = 'change_tasks' order by created_at desc limit 1"
    )
    return payload["result"]


async def test_all_tasks_of_somebody_are_given_to_another_by_one_press_and_taken_back(
    acting: Acting, bench: Bench
) -> None:
    stage = await acting(handing_over())
    for one in (await tasks_of(stage, SARA_O_IN_CLICKUP))[:3]:
        await in_clickup(bench, one["id"], {"assignees": {"add": [MIGUEL_IN_CLICKUP], "rem": []}})
    before = await tasks_of(stage, MIGUEL_IN_CLICKUP)
    assert len(before) > 5
    sent = await puts(stage)

    root = await stage.say(INES, HAND_OVER)
    card = await offer(stage, INES, root, CHANGE)
    assert f"Change {len(before)} tasks" in whole_text(card)
    assert "Miguel Duarte → Tomas Reed" in whole_text(card)
    assert "Sara Okafor, Miguel Duarte → Sara Okafor, Tomas Reed" in whole_text(card)
    assert await puts(stage) == sent

    for _ in range(2):
        await stage.press(INES, card, CHANGE)
    receipt = await stage.reply_with(INES, root, f"Changed {len(before)} tasks.")
    await stage.settled()
    assert before[0]["url"] in str(receipt)
    assert await puts(stage) == sent + len(before)
    assert await tasks_of(stage, MIGUEL_IN_CLICKUP) == []
    assert {one["id"] for one in before} <= {
        one["id"] for one in await tasks_of(stage, TOMAS_IN_CLICKUP)
    }
    [event] = await stage.events("effect_done")
    assert len(event["payload"]["after"]) == len(before)

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    again = await tasks_of(stage, MIGUEL_IN_CLICKUP)
    assert {one["id"] for one in again} == {one["id"] for one in before}


async def test_named_tasks_stay_as_they_are_and_the_card_says_so(acting: Acting) -> None:
    staying = "Appeal the Tessera tea caddy category change"
    stage = await acting(handing_over(client="Brightkettle Group", left_out=[staying]))
    before = await tasks_of(stage, MIGUEL_IN_CLICKUP)

    root = await stage.say(INES, HAND_OVER)
    card = await offer(stage, INES, root, CHANGE)
    assert f"Left out, as asked: {staying}." in whole_text(card)
    fields = (await result(stage))["fields"]
    assert any("gallery images" in name for name in fields)
    assert not any(staying in name for name in fields)

    await stage.press(INES, card, CHANGE)
    await stage.reply_with(INES, root, "Changed 2 tasks.")
    left = {one["name"] for one in await tasks_of(stage, MIGUEL_IN_CLICKUP)}
    assert staying in left
    assert len(left) == len(before) - 2


async def test_everything_due_today_goes_to_tomorrow_and_who_else_has_it_keeps_it(
    acting: Acting, bench: Bench
) -> None:
    stage = await acting(moving())
    mine = (await tasks_of(stage, SARA_O_IN_CLICKUP))[:3]
    noon = int(datetime.now(ZoneInfo("Europe/Lisbon")).replace(hour=12).timestamp() * 1000)
    for one in mine:
        await in_clickup(bench, one["id"], {"due_date": noon, "due_date_time": False})

    root = await stage.say(INES, MOVE)
    card = await offer(stage, INES, root, CHANGE)
    tomorrow = date.today() + timedelta(days=1)
    assert whole_text(card).count(f"→ {tomorrow:%a} {tomorrow.day} {tomorrow:%b %Y}") >= len(mine)

    await stage.press(INES, card, CHANGE)
    await stage.reply_with(INES, root, f"{mine[0]['name']}: Due")
    after = {one["id"]: one for one in await stage.bench.clickup_tasks()}
    for one in mine:
        assert int(after[one["id"]]["due_date"]) > noon
        assert after[one["id"]]["assignees"] == one["assignees"]


async def test_what_somebody_changed_since_is_said_and_offered_again_and_the_rest_is_done(
    acting: Acting, bench: Bench
) -> None:
    stage = await acting(handing_over(client="Brightkettle Group"))
    root = await stage.say(INES, HAND_OVER)
    card = await offer(stage, INES, root, CHANGE)
    ours = [
        one
        for one in await tasks_of(stage, MIGUEL_IN_CLICKUP)
        if one["list"]["name"] == "Brightkettle Backlog"
    ]
    taken = ours[0]
    await in_clickup(bench, taken["id"], {"assignees": {"add": [SARA_O_IN_CLICKUP], "rem": []}})
    sent = await puts(stage)

    await stage.press(INES, card, CHANGE)
    receipt = await stage.reply_with(INES, root, f"Changed {len(ours) - 1} of {len(ours)} tasks.")
    assert f"“{taken['name']}” was not changed" in whole_text(receipt)
    assert await puts(stage) == sent + len(ours) - 1

    fresh = await offer(stage, INES, root, CHANGE)
    assert f"Change the task “{taken['name']}”" in whole_text(fresh)
    await stage.press(INES, fresh, CHANGE)
    await stage.reply_with(INES, root, "Changed 1 task.")
    [now] = [one for one in await stage.bench.clickup_tasks() if one["id"] == taken["id"]]
    assert {one["id"] for one in now["assignees"]} == {SARA_O_IN_CLICKUP, TOMAS_IN_CLICKUP}
    assert await puts(stage) == sent + len(ours)


async def test_answers_that_get_lost_in_the_middle_double_nothing(
    acting: Acting, brisk: None
) -> None:
    stage = await acting(handing_over(), clickup_look_delays=(0.2,))
    before = await tasks_of(stage, MIGUEL_IN_CLICKUP)
    root = await stage.say(INES, HAND_OVER)
    card = await offer(stage, INES, root, CHANGE)
    await stage.bench.set_fault("clickup", "error_after", method="update_task", times=9)

    await stage.press(INES, card, CHANGE)
    await stage.reply_with(INES, root, f"Changed {len(before)} tasks.")
    await stage.settled()

    assert await tasks_of(stage, MIGUEL_IN_CLICKUP) == []
    assert [one["state"] for one in await stage.proposals()] == ["done"]


def given_to_tomas(one: dict[str, Any]) -> bool:
    return [who["id"] for who in one["assignees"]] == [TOMAS_IN_CLICKUP]


async def now_of(stage: Stage, tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    ids = {one["id"] for one in tasks}
    return [one for one in await stage.bench.clickup_tasks() if one["id"] in ids]


TO_TOMAS = {"assignees": {"add": [TOMAS_IN_CLICKUP], "rem": [MIGUEL_IN_CLICKUP]}}
TO_MIGUEL = {"assignees": {"add": [MIGUEL_IN_CLICKUP], "rem": [TOMAS_IN_CLICKUP]}}


async def prepared(stage: Stage) -> tuple[str, dict[str, Any], list[dict[str, Any]]]:
    """Return the thread, the card and the tasks of a handing over at one client."""
    ours = await tasks_of(stage, MIGUEL_IN_CLICKUP)
    ours = [one for one in ours if one["list"]["name"] == "Brightkettle Backlog"]
    root = await stage.say(INES, HAND_OVER)
    return root, await offer(stage, INES, root, CHANGE), ours


async def test_what_a_colleague_had_done_already_is_told_so_and_not_taken_back(
    acting: Acting, bench: Bench
) -> None:
    stage = await acting(handing_over(client="Brightkettle Group"))
    root, card, ours = await prepared(stage)
    theirs = ours[0]
    await in_clickup(bench, theirs["id"], TO_TOMAS)

    await stage.press(INES, card, CHANGE)
    receipt = await stage.reply_with(INES, root, f"Changed {len(ours) - 1} of {len(ours)} tasks.")
    assert f"“{theirs['name']}” was so already." in whole_text(receipt)
    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")

    kept = [one["id"] for one in await now_of(stage, ours) if given_to_tomas(one)]
    assert kept == [theirs["id"]]


async def test_what_is_known_to_be_changed_is_not_changed_again_when_the_rest_is_looked_for(
    acting: Acting, bench: Bench, brisk: None
) -> None:
    stage = await acting(handing_over(client="Brightkettle Group"), clickup_look_delays=(1.0,))
    root, card, ours = await prepared(stage)
    await bench.set_fault("clickup", "error_after", method="update_task", times=7)
    await stage.press(INES, card, CHANGE)
    await eventually(lambda: is_unclear(stage))
    [row] = await stage.proposals()
    known = {one["task_id"] for one in row["result"]["tasks"]}
    assert 0 < len(known) < len(ours)
    for one in ours:
        await in_clickup(bench, one["id"], TO_MIGUEL)
    await bench.clear_faults()

    await stage.reply_with(INES, root, f"Changed {len(ours)} tasks.")
    assert {one["id"] for one in await now_of(stage, ours) if not given_to_tomas(one)} == known


async def is_unclear(stage: Stage) -> bool:
    return [one["state"] for one in await stage.proposals()] == ["unclear"]


async def test_what_was_cut_off_and_may_not_go_on_says_what_is_changed(
    acting: Acting, bench: Bench
) -> None:
    stage = await acting(handing_over(client="Brightkettle Group"))
    root, _, ours = await prepared(stage)
    # As a process leaves it that is killed after the first task.
    await in_clickup(bench, ours[0]["id"], TO_TOMAS)
    await stage.db.pool.execute(
        "update proposals set state = 'executing', confirmed_by = actor_profile_id,"
        " confirming_receipt_id = receipt_id"
    )
    await stage.db.pool.execute(
        "update agency_clients set status = 'inactive' where name = 'Brightkettle Group'"
    )
    [row] = await stage.proposals()
    arguments = {"proposal_id": str(row["id"])}
    async with stage.db.transaction() as conn:
        await defer(conn, "execute", arguments, queue=queue_of(row["team_id"]))

    receipt = await stage.reply_with(INES, root, f"Changed 1 of {len(ours)} tasks.")
    assert ours[0]["url"] in str(receipt)
    changed = [one["id"] for one in await now_of(stage, ours) if given_to_tomas(one)]
    assert changed == [ours[0]["id"]]


async def test_a_name_of_two_people_is_asked_about_and_nothing_is_prepared(
    acting: Acting,
) -> None:
    stage = await acting(asking("give Sara's to Tomas", assignee="Sara", new_assignee="Tomas Reed"))
    await stage.reply(INES, await stage.say(INES, "give Sara's to Tomas"))

    asked = await result(stage)
    assert asked["kind"] == "ask"
    assert await stage.proposals() == []


async def test_more_tasks_than_one_card_takes_are_refused_with_their_number(
    acting: Acting,
) -> None:
    stage = await acting(asking("all are urgent", priority="urgent"))
    await stage.reply(INES, await stage.say(INES, "all are urgent"))

    refused = await result(stage)
    assert (refused["kind"], refused["reason"]) == ("refusal", "too_many_tasks")
    assert "one card takes 25" in refused["message"]


async def test_nobody_moves_tasks_of_clients_that_are_not_theirs(acting: Acting) -> None:
    stage = await acting(handing_over(client="Glintly Inc"))
    await stage.reply(YUKI, await stage.say(YUKI, HAND_OVER))
    assert await stage.proposals() == []


async def test_the_tasks_of_who_left_are_handed_over_and_not_those_of_their_namesake(
    acting: Acting, bench: Bench
) -> None:
    say = "give Sara Okafor's to Tomas"
    asked = {"client": "Brightkettle Group", "assignee": "Sara Okafor"}
    stage = await acting(asking(say, **asked, new_assignee="Tomas Reed"))
    await stage.db.pool.execute(
        "update profiles set employment_status = 'inactive' where full_name = 'Sara Okafor'"
    )
    [hers, *_] = await tasks_of(stage, MIGUEL_IN_CLICKUP)
    await in_clickup(bench, hers["id"], {"assignees": {"add": [SARA_O_IN_CLICKUP], "rem": []}})

    card = await offer(stage, INES, await stage.say(INES, say), CHANGE)
    assert "Sara Okafor" in whole_text(card)
    assert "Sara Lindqvist" not in whole_text(card)
