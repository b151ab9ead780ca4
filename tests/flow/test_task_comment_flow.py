"""A comment on a task: in the name of whoever asked, after their own act, and once."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from acting import CLAW, INES, OPS, SARA_L, YUKI, Acting, call, offer, offer_in, text, turn
from stage import Stage, eventually, whole_text

from agencyclaw.store.demo_agency import brand_id

TASK = "Ask the client for the new Glintly brand guide"
SAID = "tell them on it that the invoice is with the client since Monday"
WORDS = "the invoice is with the client since Monday"


def asking() -> dict[str, Any]:
    find = call("search_tools", queries=["comment on a task"])
    comment = call("comment_on_task", task=TASK, client="Glintly Inc", text=WORDS)
    return turn(SAID, find, comment, text("It is on the card."))


async def comments(stage: Stage) -> list[str]:
    [found] = await stage.tasks_named(TASK)
    async with httpx.AsyncClient(headers={"Authorization": "pk_workbench"}) as http:
        answer = await http.get(f"{stage.bench.clickup_api_url}/task/{found['id']}/comment")
    return [one["comment_text"] for one in answer.json()["comments"]]


async def test_a_comment_is_posted_once_in_its_writers_name(acting: Acting) -> None:
    stage = await acting(asking())
    root = await stage.say(SARA_L, SAID)
    card = await offer(stage, SARA_L, root, "Comment")
    assert WORDS in whole_text(card)
    assert "Sara Lindqvist" in whole_text(card)
    assert await comments(stage) == []

    await asyncio.gather(*(stage.press(SARA_L, card, "Comment") for _ in range(3)))
    await stage.reply_with(SARA_L, root, f"Commented on the task “{TASK}”.")
    await stage.settled()

    [posted] = await comments(stage)
    assert posted.startswith(f"Sara Lindqvist: {WORDS}\n\nagencyclaw run=")


async def test_a_comment_prepared_for_a_colleague_is_in_their_name_and_their_time(
    acting: Acting,
) -> None:
    stage = await acting(asking())
    await stage.db.pool.execute(
        "update profiles set timezone = 'Asia/Tokyo' where slack_user_id = $1", INES
    )
    root = await stage.bench.post_message(OPS, SARA_L, f"<@{CLAW}> {SAID}")
    card = await offer_in(stage, OPS, root, "Comment")

    await stage.bench.interact(OPS, card["ts"], INES, "Prepare it for me")
    await eventually(lambda: _waits(stage, 2))
    own = await offer_in(stage, OPS, root, "Comment")
    assert "Only Ines Varga can confirm this" in whole_text(own)
    assert "(Tokyo)" in whole_text(own)
    await stage.bench.interact(OPS, own["ts"], INES, "Comment")
    await eventually(lambda: _is_posted(stage))

    [posted] = await comments(stage)
    assert posted.startswith(f"Ines Varga: {WORDS}\n\nagencyclaw run=")


async def _waits(stage: Stage, count: int) -> bool:
    await stage.settled()
    return [one["state"] for one in await stage.proposals()].count("open") == count


async def _is_posted(stage: Stage) -> bool:
    return bool(await comments(stage))


async def test_a_comment_whose_answer_got_lost_is_found_and_not_posted_again(
    acting: Acting, brisk: None
) -> None:
    stage = await acting(asking(), clickup_look_delays=(0.1,), clickup_list_lag_s=0.1)
    root = await stage.say(INES, SAID)
    card = await offer(stage, INES, root, "Comment")
    await stage.bench.set_fault("clickup", "error_after", method="create_comment", times=1)

    await stage.press(INES, card, "Comment")
    await stage.reply_with(INES, root, "Commented on the task")

    assert len(await comments(stage)) == 1
    assert [one["state"] for one in await stage.proposals()] == ["done"]


async def test_a_comment_that_is_not_found_is_left_to_a_person(acting: Acting, brisk: None) -> None:
    stage = await acting(asking(), clickup_look_delays=(0.1,), clickup_list_lag_s=0.1)
    root = await stage.say(INES, SAID)
    card = await offer(stage, INES, root, "Comment")
    await stage.bench.set_fault("clickup", "error_before", method="create_comment", times=1)

    await stage.press(INES, card, "Comment")
    await stage.reply_with(INES, root, "I could not find out whether this was commented on")

    assert await comments(stage) == []
    assert len(await stage.bench.log(target="clickup", operation="create_comment")) == 1


async def test_nobody_comments_on_a_task_of_a_client_that_is_not_theirs(acting: Acting) -> None:
    stage = await acting(asking())
    await stage.reply(YUKI, await stage.say(YUKI, SAID))

    assert await stage.proposals() == []
    assert await comments(stage) == []


async def test_no_comment_goes_to_a_task_whose_list_is_another_clients_meanwhile(
    acting: Acting,
) -> None:
    stage = await acting(asking())
    root = await stage.say(SARA_L, SAID)
    card = await offer(stage, SARA_L, root, "Comment")
    await stage.db.pool.execute(
        "update brands set clickup_list_id = '901005000031' where id = $1",
        brand_id("Glintly Inc", "Glintly"),
    )

    await stage.press(SARA_L, card, "Comment")
    await stage.reply_with(SARA_L, root, "its list is not that of Glintly Inc alone any more")
    await stage.settled()
    assert await comments(stage) == []
