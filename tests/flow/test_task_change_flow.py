"""A task that exists is changed by a click, and only as the person saw it."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from typing import Any

import httpx
from acting import INES, SARA_L, YUKI, Acting, call, offer, on, text, turn
from stage import Stage, whole_text

from agencyclaw.store.restored import put_aside
from workbench.fixture import Bench

TASK = "Ask the client for the new Glintly brand guide"
# Due days of the agency's tasks are fewer days ahead.
NEXT = date.today() + timedelta(days=45)
SPOKEN_NEXT = f"{NEXT:%a} {NEXT.day} {NEXT:%b %Y}"


def asking(say: str, **arguments: Any) -> dict[str, Any]:
    """A turn that finds the tool first, as rarely needed ones must be, and then calls it."""
    whole = {"task": TASK, "client": "Glintly Inc", **arguments}
    find = call("search_tools", queries=["update task"])
    return turn(say, find, call("clickup_task_update", **whole), text("See the card."))


async def result(stage: Stage) -> dict[str, Any]:
    payload = await stage.db.pool.fetchval(
        "select payload from agent_skill_events where event_type = 'skill_result'"
        " and skill_id = 'clickup_task_update' order by created_at desc limit 1"
    )
    return payload["result"]


async def task(stage: Stage) -> dict[str, Any]:
    [found] = await stage.tasks_named(TASK)
    return await in_clickup(stage, "GET", found["id"])


async def in_clickup(
    stage: Stage, method: str, task_id: str, body: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Somebody else's hand in ClickUp."""
    async with httpx.AsyncClient(headers={"Authorization": "pk_workbench"}) as http:
        url = f"{stage.bench.clickup_api_url}/task/{task_id}"
        return (await http.request(method, url, json=body)).json()


async def puts(stage: Stage) -> int:
    return len(await stage.bench.log(target="clickup", operation="update_task"))


async def test_a_task_is_changed_once_as_shown_and_undo_gives_it_back(acting: Acting) -> None:
    stage = await acting(
        asking(f"push it to {NEXT}", due=on(str(NEXT), str(NEXT)), assignee="Miguel")
    )
    before = await task(stage)
    root = await stage.say(INES, f"push it to {NEXT}")
    card = await offer(stage, INES, root, "Change task")

    assert f"→ {SPOKEN_NEXT}" in whole_text(card)
    assert "Sara Lindqvist → Miguel Duarte" in whole_text(card)
    assert await task(stage) == before

    await asyncio.gather(*(stage.press(INES, card, "Change task") for _ in range(3)))
    await stage.reply_with(INES, root, f"Changed the task “{TASK}”.")
    await stage.settled()
    after = await task(stage)
    assert await puts(stage) == 1
    assert [one["username"] for one in after["assignees"]] == ["Miguel Duarte"]
    assert after["due_date"] != before["due_date"]
    assert (after["name"], after["status"]) == (before["name"], before["status"])
    [event] = await stage.events("effect_done")
    assert event["payload"]["after"]["assignees"] == "Miguel Duarte"

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    again = await task(stage)
    assert (again["due_date"], again["assignees"]) == (before["due_date"], before["assignees"])


async def test_a_task_is_given_to_nobody_who_was_archived_since_the_card(acting: Acting) -> None:
    stage = await acting(asking("give it to Miguel", assignee="Miguel"))
    root = await stage.say(INES, "give it to Miguel")
    card = await offer(stage, INES, root, "Change task")
    await stage.db.pool.execute(
        "update profiles set employment_status = 'inactive' where full_name = 'Miguel Duarte'"
    )

    await stage.press(INES, card, "Change task")

    await stage.reply_with(INES, root, "Miguel Duarte is archived by now")
    await stage.settled()
    assert await puts(stage) == 0


async def test_a_change_that_was_being_looked_for_is_asked_about_after_a_restore_and_not_sent(
    acting: Acting,
) -> None:
    stage = await acting(asking("nobody", clear_assignees=True))
    root = await stage.say(INES, "nobody")
    await offer(stage, INES, root, "Change task")
    await stage.settled()
    await stage.db.pool.execute(
        "update proposals set state = 'unclear', reason = 'looking',"
        " confirmed_by = actor_profile_id, confirming_receipt_id = receipt_id"
    )

    # The stage's own worker goes on: what it says of itself meanwhile doesn't count.
    aside = await put_aside(stage.db, silence_s=-600.0)
    await stage.settled()
    assert (aside.undecided, aside.looked_for, await puts(stage)) == (1, 0, 0)


async def test_a_change_of_nothing_is_refused_and_f23_assignees_can_be_cleared(
    acting: Acting,
) -> None:
    stage = await acting(
        asking("change nothing", new_title=TASK), asking("nobody", clear_assignees=True)
    )
    root = await stage.say(INES, "change nothing")
    await stage.reply(INES, root)
    refused = await result(stage)
    assert (refused["kind"], refused["reason"]) == ("refusal", "no_changes")
    assert await stage.proposals() == []

    root = await stage.say(INES, "nobody")
    card = await offer(stage, INES, root, "Change task")
    assert "Sara Lindqvist → nobody" in whole_text(card)
    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "Changed the task")
    assert (await task(stage))["assignees"] == []


async def test_what_somebody_changed_since_is_not_overwritten_and_is_told(acting: Acting) -> None:
    stage = await acting(asking("rename it", new_title="Get the brand guide"))
    root = await stage.say(INES, "rename it")
    card = await offer(stage, INES, root, "Change task")
    [found] = await stage.tasks_named(TASK)
    await in_clickup(stage, "PUT", found["id"], {"name": "Brand guide, urgent"})
    sent = await puts(stage)

    await stage.press(INES, card, "Change task")
    told = await stage.reply_with(INES, root, "changed since")

    assert "“Title” is “Brand guide, urgent” now" in whole_text(told)
    assert await puts(stage) == sent
    assert await stage.tasks_named("Get the brand guide") == []
    fresh = await offer(stage, INES, root, "Change task")
    assert "Brand guide, urgent → Get the brand guide" in whole_text(fresh)
    await stage.press(INES, fresh, "Change task")
    await stage.reply_with(INES, root, "Changed the task “Brand guide, urgent”")
    assert len(await stage.tasks_named("Get the brand guide")) == 1


async def test_an_answer_that_gets_lost_is_looked_for_and_not_doubted(
    acting: Acting, brisk: None
) -> None:
    stage = await acting(asking("rename it", new_title="Get the brand guide"))
    root = await stage.say(INES, "rename it")
    card = await offer(stage, INES, root, "Change task")
    await stage.bench.set_fault("clickup", "error_after", method="update_task", times=3)

    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "Changed the task")

    assert len(await stage.tasks_named("Get the brand guide")) == 1
    assert [one["state"] for one in await stage.proposals()] == ["done"]


async def test_a_task_outside_of_the_linked_lists_cannot_be_reached_by_its_link(
    acting: Acting, bench: Bench
) -> None:
    every = await bench.clickup_tasks()
    links = {one["list"]["id"]: one["url"] for one in every}
    stage = await acting(
        asking("rename that", task=links["901005000081"], new_title="Mine", client=""),
        asking("rename this", task=links["901005000021"], new_title="Ours", client=""),
    )

    root = await stage.say(INES, "rename that")
    await stage.reply(INES, root)
    assert (await result(stage))["reason"] == "not_allowed"
    assert await stage.proposals() == []

    root = await stage.say(INES, "rename this")
    await offer(stage, INES, root, "Change task")


async def test_a_change_that_may_be_there_is_not_called_unchanged_while_nobody_can_look(
    acting: Acting, brisk: None
) -> None:
    stage = await acting(
        asking("rename it", new_title="Get the brand guide"), clickup_look_delays=(1.0, 1.0)
    )
    root = await stage.say(INES, "rename it")
    card = await offer(stage, INES, root, "Change task")
    await stage.bench.set_fault("clickup", "error_after", method="update_task", times=3)

    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "ClickUp didn't say whether")
    await stage.bench.set_fault("clickup", "error_before", method="get_task", times=3)

    await stage.reply_with(INES, root, "Changed the task")
    assert await stage.events("effect_failed") == []


async def test_how_long_a_change_is_looked_for_counts_from_when_it_became_unclear(
    acting: Acting, brisk: None
) -> None:
    stage = await acting(
        asking("rename it", new_title="Get the brand guide"), clickup_look_delays=(0.2,)
    )
    root = await stage.say(INES, "rename it")
    card = await offer(stage, INES, root, "Change task")
    await stage.db.pool.execute("update proposals set created_at = created_at - interval '1 hour'")
    await stage.bench.set_fault("clickup", "error_after", method="update_task", times=3)

    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, "ClickUp didn't say whether")
    await stage.bench.set_fault("clickup", "error_before", method="get_task", times=300)
    aged = (
        "update proposals set settled_at = settled_at - interval '16 minutes' returning settled_at"
    )
    since = await stage.db.pool.fetchval(aged)
    await stage.reply_with(INES, root, "I could not find out")

    assert await stage.db.pool.fetchval("select settled_at from proposals") == since


async def test_a_member_marks_a_task_of_their_client_done_and_takes_it_back(
    acting: Acting,
) -> None:
    stage = await acting(asking("that one is done", status="done", priority="high"))
    before = await task(stage)
    root = await stage.say(SARA_L, "that one is done")
    card = await offer(stage, SARA_L, root, "Change task")
    assert "to do → complete" in whole_text(card)

    await stage.press(SARA_L, card, "Change task")
    await stage.reply_with(SARA_L, root, f"Changed the task “{TASK}”.")
    after = await task(stage)
    assert after["status"]["type"] == "closed"
    assert after["priority"]["priority"] == "high"

    await stage.press(SARA_L, await offer(stage, SARA_L, root, "Undo"), "Undo")
    await stage.reply_with(SARA_L, root, "Undone.")
    again = await task(stage)
    assert (again["status"], again["priority"]) == (before["status"], before["priority"])


async def test_a_text_is_added_below_what_is_in_a_task(acting: Acting) -> None:
    said = "add to it: the logo **must** stay"
    stage = await acting(asking(said, add_text="The logo **must** stay"))
    [found] = await stage.tasks_named(TASK)
    await in_clickup(
        stage, "PUT", found["id"], {"markdown_content": "See [the page](https://a.example)."}
    )
    root = await stage.say(INES, said)
    card = await offer(stage, INES, root, "Change task")
    assert "this is added below it" in whole_text(card)
    assert "The logo must stay" in whole_text(card).replace("*", "")

    await stage.press(INES, card, "Change task")
    told = await stage.reply_with(INES, root, "Changed the task")

    assert "did not accept" not in whole_text(told)
    assert "See the page." in (await task(stage))["description"]
    assert "The logo must stay" in (await task(stage))["description"]


async def test_a_second_change_of_a_task_corrects_the_card_that_waits_for_the_first(
    acting: Acting,
) -> None:
    """In another message as within one answer: one card waits, and has both."""
    find = call("search_tools", queries=["update task"])
    whole = {"task": TASK, "client": "Glintly Inc"}
    said = {
        f"push it to {NEXT}": [{"due": on(str(NEXT), str(NEXT))}],
        "and Miguel has it": [{"assignee": "Miguel"}],
        "and it is done, and urgent": [{"status": "done"}, {"priority": "urgent"}],
    }
    stage = await acting(
        *(
            turn(
                say,
                find,
                *(call("clickup_task_update", **whole, **one) for one in changes),
                text(say),
            )
            for say, changes in said.items()
        )
    )
    root = None
    for say in said:
        ts = await stage.say(INES, say, thread=root)
        root = root or ts
        await stage.reply_with(INES, root, say)
        await stage.settled()
    assert root
    states = [one["state"] for one in await stage.proposals()]
    assert states.count("open") == 1, states
    card = await offer(stage, INES, root, "Change task")

    shown = whole_text(card)
    assert f"→ {SPOKEN_NEXT}" in shown
    assert "Sara Lindqvist → Miguel Duarte" in shown
    assert "to do → complete" in shown
    assert "none → urgent" in shown
    await stage.press(INES, card, "Change task")
    await stage.reply_with(INES, root, f"Changed the task “{TASK}”.")
    assert await puts(stage) == 1


async def test_nobody_changes_a_task_of_a_client_that_is_not_theirs(acting: Acting) -> None:
    stage = await acting(asking("rename it", new_title="Mine"))
    await stage.reply(YUKI, await stage.say(YUKI, "rename it"))

    assert await stage.proposals() == []
    assert await stage.tasks_named("Mine") == []


GLINTLY_TASKS = (
    "Harvest search terms for Glintly US",
    "Raise the daily budget of Glintly Screen Wipes before the weekend",
    TASK,
)


async def test_several_tasks_are_handed_over_on_one_card_each_with_its_own_end(
    acting: Acting,
) -> None:
    """One is changed by somebody meanwhile: it is offered again, and the others are done."""
    said = "give these three to Tomas"
    changes = [
        one
        for name in GLINTLY_TASKS
        for one in call(
            "clickup_task_update", task=name, client="Glintly Inc", assignee="Tomas Reed"
        )["calls"]
    ]
    find = call("search_tools", queries=["update task"])
    stage = await acting(turn(said, find, {"calls": changes}, text("See the card.")))
    root = await stage.say(INES, said)
    card = await offer(stage, INES, root, "Change all 3")
    assert whole_text(card).count("→ Tomas Reed") == len(GLINTLY_TASKS)
    [meddled] = await stage.tasks_named(TASK)
    await in_clickup(stage, "PUT", meddled["id"], {"assignees": {"add": [100005], "rem": []}})
    sent = await puts(stage)

    await stage.press(INES, card, "Change all 3")
    await stage.reply_with(INES, root, "changed since")
    await stage.settled()

    assert await puts(stage) == sent + 2
    for name in GLINTLY_TASKS[:2]:
        [found] = await stage.tasks_named(name)
        assert [one["username"] for one in found["assignees"]] == ["Tomas Reed"]
    fresh = await offer(stage, INES, root, "Change task")
    await stage.press(INES, fresh, "Change task")
    await stage.reply_with(INES, root, f"Changed the task “{TASK}”")
    await stage.settled()
    assert await puts(stage) == sent + 3
