"""Carrying it out: one task, one receipt, and an honest sentence when ClickUp will not."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from acting import (
    INES,
    SARA_L,
    SARA_O,
    TASK,
    Acting,
    count,
    create,
    creating,
    offer,
    states,
    text,
    turn,
)
from stage import Stage, buttons, whole_text

from agencyclaw.proposals import execute

ASK = "make the task"
_OLDER = "update agent_tasks set dispatched_at = dispatched_at - $1::interval"


pytestmark = pytest.mark.usefixtures("brisk")


async def confirmed(stage: Stage, user: str = INES) -> str:
    """Ask for the task and press the button; returns the thread."""
    root = await stage.say(user, ASK)
    await stage.press(user, await offer(stage, user, root), "Create task")
    return root


async def row_of(stage: Stage) -> dict[str, object]:
    return dict(await stage.db.pool.fetchrow("select * from agent_tasks"))


async def test_one_task_with_link_brand_trace_and_record(acting: Acting) -> None:
    stage = await acting(creating(ASK, brand="Glintly"))

    root = await confirmed(stage)

    [task] = await stage.created(TASK)
    receipt = whole_text(await stage.reply_with(INES, root, "Created “"))
    assert task["url"] in receipt
    assert TASK in receipt
    assert "for Glintly" in whole_text(await _card_of(stage, root))
    await stage.settled()
    assert await stage.creates_sent() == 1
    row = await row_of(stage)
    assert row["marker"] in task["description"]
    assert re.search(r"agencyclaw run=[0-9a-f]{12} key=[0-9a-f]{32}", task["description"])
    assert (row["clickup_task_id"], row["status"]) == (task["id"], "created")
    assert row["client_id"]
    assert row["brand_id"]
    assert row["requested_by"]
    assert (row["source"], row["skill_invoked"]) == ("slack", "create_task")
    assert row["content_key"]


async def _card_of(stage: Stage, root: str) -> dict[str, object]:
    return next(m for m in await stage.replies(INES, root) if "Create the task" in whole_text(m))


async def test_without_the_duplicate_check_nothing_is_sent(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.db.pool.execute(_BROKEN.format(table="agent_tasks"))

    root = await confirmed(stage)

    answer = whole_text(await stage.reply_with(INES, root, "was not created"))
    assert "Try again" in answer
    await stage.settled()
    said = " ".join(whole_text(one) for one in await stage.replies(INES, root))
    assert "say whether" not in said
    assert await states(stage) == ["failed"]
    assert await stage.creates_sent() == 0


_BROKEN = """
create function broken() returns trigger language plpgsql as
$$ begin raise exception 'the disk is full'; end $$;
create trigger broken before insert on {table} execute function broken();
"""


async def test_two_refusals_and_then_one_task(acting: Acting) -> None:
    """After a 429 nothing was applied, so the request is simply made again."""
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("clickup", "rate_limited", method="create_task", times=2)

    root = await confirmed(stage)

    await stage.reply_with(INES, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1
    assert await stage.creates_sent() == 3
    assert await states(stage) == ["done"]


async def test_after_an_unclear_failure_it_looks_and_sends_once_more(acting: Acting) -> None:
    kinds = ("error_before", "html", "reset_before")
    stage = await acting(*(creating(kind, title=f"Survive {kind}") for kind in kinds))

    for sent, kind in enumerate(kinds, start=1):
        root = await stage.say(INES, kind)
        card = await offer(stage, INES, root)
        await stage.bench.set_fault("clickup", kind, method="create_task")
        await stage.press(INES, card, "Create task")
        await stage.reply_with(INES, root, "Created “")
        assert len(await stage.tasks_named(f"Survive {kind}")) == 1
        assert await stage.creates_sent() == 2 * sent

    assert await stage.bench.log(target="clickup", operation="list_tasks")


async def test_an_answer_that_got_lost_is_found_and_not_sent_again(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("clickup", "error_after", method="create_task")

    root = await confirmed(stage)

    await stage.reply_with(INES, root, "didn't say whether")
    await stage.reply_with(INES, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1
    assert await stage.creates_sent() == 1
    [orphan] = await stage.events("clickup_orphan")
    assert orphan["reason"] == "adopted"


async def test_what_slack_keeps_from_being_sent_once_more_is_looked_for_meanwhile(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ClickUp lists the task only after the last look, and Slack does not say who asked."""
    monkeypatch.setattr(execute, "_LATER_LOOK_S", 0.1)
    stage = await acting(creating(ASK), clickup_look_delays=(1.0,))
    await stage.bench.set_fault("clickup", "list_lag", method="create_task", delay_s=2)
    await stage.bench.set_fault("clickup", "error_after", method="create_task")
    root = await confirmed(stage)
    await stage.reply_with(INES, root, "didn't say whether")
    await stage.bench.set_fault("slack", "error_before", method="users.info", times=1_000)

    await stage.reply_with(INES, root, "Created “")
    await stage.settled()
    assert len(await stage.tasks_named(TASK)) == 1
    assert await stage.creates_sent() == 1


async def test_three_refusals_wait_visibly_until_clickup_takes_it(
    acting: Acting, brisk: None
) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("clickup", "rate_limited", method="create_task", times=4)

    root = await confirmed(stage)

    await stage.reply_with(INES, root, "Created “")
    assert await stage.creates_sent() == 5
    assert len(await stage.tasks_named(TASK)) == 1
    assert (await row_of(stage))["status"] == "created"
    [note] = await stage.whispers(INES)
    assert "is waiting for ClickUp to take requests again. Nothing was changed yet" in note
    assert len(await stage.events("effect_waits")) == 1


async def test_what_waits_for_clickup_in_vain_is_given_back_with_its_buttons(
    acting: Acting, brisk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.domain.waiting.LONGEST_S", 0.5)
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("clickup", "rate_limited", method="create_task", times=100)

    root = await confirmed(stage)

    answer = whole_text(await stage.reply_with(INES, root, "was not created"))
    run = (await stage.proposals())[0]["run_id"]
    assert str(run)[:8] in answer
    assert "press again if it is still right" in answer
    await stage.settled()
    assert (await row_of(stage))["status"] == "failed"
    assert await states(stage) == ["open"]

    await stage.bench.clear_faults()
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.reply_with(INES, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1


async def test_failures_of_unknown_fate_are_sent_twice_and_then_asked(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("clickup", "error_before", method="create_task", times=2)

    root = await confirmed(stage)

    await stage.reply_with(INES, root, "could not find out whether")
    assert await stage.creates_sent() == 2
    assert (await row_of(stage))["status"] == "unclear"
    assert await stage.tasks_named(TASK) == []

    await stage.press(INES, await offer(stage, INES, root, "Try again"), "Try again")

    await stage.reply_with(INES, root, "Created “")
    assert len(await stage.tasks_named(TASK)) == 1


@pytest.mark.parametrize("kind", ["unauthorized", "gone"])
async def test_what_trying_again_cannot_cure_is_told_at_once(acting: Acting, kind: str) -> None:
    """A dead token keeps the proposal; a list that is gone ends it, with the reason."""
    stage = await acting(creating(ASK))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    if kind == "gone":
        stage.bench.storage.delete("clickup_list", "901005000021")
    else:
        await stage.bench.set_fault("clickup", kind, method="create_task", times=5)

    await stage.press(INES, card, "Create task")

    answer = whole_text(await stage.reply_with(INES, root, "was not created"))
    assert ".." not in answer
    assert answer.count("Nothing was changed") == 2  # in the text and in the block
    await stage.settled()
    assert await stage.creates_sent() == 1
    assert await states(stage) == (["cancelled"] if kind == "gone" else ["failed"])


async def test_two_people_of_one_name_are_buttons(acting: Acting) -> None:
    somewhere = {"client": "Roderick Ltd", "brand": "Rodric"}
    stage = await acting(
        turn(ASK, create(**somewhere, assignee="Sara"), text("${create_task.question}")),
        turn("Sara Okafor", create(**somewhere, assignee="Sara Okafor"), text("It is prepared.")),
    )
    root = await stage.say(INES, ASK)
    question = await stage.reply_with(INES, root, "Which Sara should do it?")
    assert buttons(question) == ["Sara Lindqvist", "Sara Okafor"]

    await stage.press(INES, question, "Sara Okafor")
    await stage.reply_with(INES, root, "It is prepared.")
    await stage.press(INES, await offer(stage, INES, root), "Create task")

    [task] = await stage.created(TASK)
    assert [who["id"] for who in task["assignees"]] == [100004]
    await stage.reply_with(INES, root, "Assigned to Sara Okafor.")


async def test_somebody_without_a_clickup_id_is_said(acting: Acting) -> None:
    stage = await acting(creating(ASK, assignee="Yuki"))

    root = await confirmed(stage)

    await stage.reply_with(INES, root, "It is unassigned: Yuki Tan has no ClickUp account linked.")


async def test_nobody_who_was_archived_since_the_card_gets_the_task(acting: Acting) -> None:
    stage = await acting(creating(ASK, assignee="Miguel"))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    await stage.db.pool.execute(
        "update profiles set employment_status = 'inactive' where full_name = 'Miguel Duarte'"
    )

    await stage.press(INES, card, "Create task")
    await stage.reply_with(INES, root, "Miguel Duarte is archived by now")
    assert await stage.creates_sent() == 0

    renewed = await offer(stage, INES, root)
    assert "Miguel" not in whole_text(renewed)
    await stage.press(INES, renewed, "Create task")
    [task] = await stage.created(TASK)
    assert task["assignees"] == []


async def test_whatever_breaks_is_one_apology_and_the_lane_goes_on(acting: Acting) -> None:
    stage = await acting(turn("hello", text("Hello!")))
    await stage.db.pool.execute(_BROKEN.format(table="agent_runs"))

    broken = await stage.say(SARA_O, "hello")
    await stage.reply_with(SARA_O, broken, "failed on this message several times")
    await stage.db.pool.execute("drop trigger broken on agent_runs")

    await stage.reply_with(SARA_O, await stage.say(SARA_O, "hello"), "Hello!")
    await stage.settled()
    assert len(await stage.replies(SARA_O, broken)) == 1


async def test_the_key_of_a_task_is_a_digest_without_the_date(acting: Acting) -> None:
    """The date is left out on purpose: with it, midnight would be a hole in the 24 hours."""
    stage = await acting(creating(ASK))
    root = await confirmed(stage)
    await stage.reply_with(INES, root, "Created “")
    key = str((await row_of(stage))["content_key"])
    await stage.db.pool.execute(_OLDER, timedelta(hours=23))

    again = await confirmed(stage)

    assert re.fullmatch(r"[0-9a-f]{64}", key)
    await stage.reply_with(INES, again, "within the last 24 hours")
    await stage.settled()
    assert await stage.creates_sent() == 1


async def test_after_a_day_the_same_task_may_be_created_again(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root = await confirmed(stage, SARA_L)
    await stage.reply_with(SARA_L, root, "Created “")
    await stage.db.pool.execute(_OLDER, timedelta(hours=25))

    again = await confirmed(stage, SARA_L)

    await stage.reply_with(SARA_L, again, "Created “")
    assert len(await stage.tasks_named(TASK)) == 2
    assert await count(stage, "agent_tasks") == 2


async def test_a_task_that_was_tried_again_is_as_old_as_that_try(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.set_fault("clickup", "unauthorized", method="create_task", times=5)
    root = await confirmed(stage)
    await stage.reply_with(INES, root, "was not created")
    await stage.bench.clear_faults()
    await stage.db.pool.execute("update agent_tasks set created_at = now() - interval '25 hours'")
    await stage.press(INES, await offer(stage, INES, root, "Try again"), "Try again")
    await stage.reply_with(INES, root, "Created “")

    again = await confirmed(stage)

    await stage.reply_with(INES, again, "within the last 24 hours")
    assert len(await stage.tasks_named(TASK)) == 1


async def test_of_a_task_that_is_not_known_to_exist_none_is_said_to_have_been_created(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    await stage.reply_with(INES, await confirmed(stage), "Created “")
    await stage.db.pool.execute("update agent_tasks set status = 'unclear', clickup_url = null")

    again = await confirmed(stage)

    await stage.reply_with(INES, again, "may have been created within the last 24 hours")


async def test_create_anyway_makes_the_second_one_on_purpose(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    first = await confirmed(stage)
    await stage.reply_with(INES, first, "Created “")
    second = await confirmed(stage)
    held = await stage.reply_with(INES, second, "within the last 24 hours")
    [task] = await stage.tasks_named(TASK)
    assert task["url"] in whole_text(held)
    await stage.settled()
    card = await offer(stage, INES, second, "Create anyway")
    assert buttons(card) == ["Create anyway"]

    await stage.press(INES, card, "Create anyway")

    await stage.created(TASK, 2)
    await stage.reply_with(INES, second, "Created “")
    await stage.press(INES, card, "Create anyway")
    await stage.settled()
    assert len(await stage.tasks_named(TASK)) == 2
