"""The promise in one breath: from a sentence to a confirmed ClickUp task, once."""

from __future__ import annotations

from stage import Stage, buttons, whole_text

INES = "U01INES"
COUPON = "create a coupon task for Copperleaf: 20% off the garlic press B0CF7GARL1, starting Monday"
TITLE = "Set up 20% coupon for the garlic press"


async def test_a_sentence_becomes_a_card_a_click_becomes_one_task(stage: Stage) -> None:
    root = await stage.say(INES, COUPON)
    card = await stage.card(INES, root)
    assert await stage.tasks_named(TITLE) == []

    await stage.press(INES, card, "Create task")

    [task] = await stage.created(TITLE)
    assert "B0CF7GARL1" in task["description"]
    assert "Coupons Promotion SOP" in task["description"]
    assert "agencyclaw run=" in task["description"]
    receipt = await stage.reply_with(INES, root, "Created “")
    assert task["url"] in whole_text(receipt)
    await stage.settled()
    assert await stage.creates_sent() == 1


async def test_words_work_like_the_button_and_a_second_yes_creates_nothing(stage: Stage) -> None:
    root = await stage.say(INES, COUPON)
    await stage.card(INES, root)

    await stage.say(INES, "yes, create it", thread=root)
    await stage.created(TITLE)
    await stage.settled()
    await stage.say(INES, "yes, create it", thread=root)

    await stage.reply_with(INES, root, "already created")
    await stage.settled()
    assert len(await stage.tasks_named(TITLE)) == 1
    assert await stage.creates_sent() == 1


async def test_after_the_end_the_card_can_be_undone_and_read_and_nothing_else(stage: Stage) -> None:
    root = await stage.say(INES, COUPON)
    card = await stage.card(INES, root)

    await stage.press(INES, card, "Create task")
    await stage.reply_with(INES, root, "Created “")
    await stage.settled()

    [after] = [m for m in await stage.replies(INES, root) if m["ts"] == card["ts"]]
    assert buttons(after) == ["Undo", "Show the full text"]


async def test_a_yes_outside_the_thread_is_understood_and_answered_where_it_was_said(
    stage: Stage,
) -> None:
    root = await stage.say(INES, COUPON)
    await stage.card(INES, root)

    elsewhere = await stage.say(INES, "yes, create it")

    await stage.reply_with(INES, elsewhere, "Created “")
    await stage.settled()
    assert len(await stage.tasks_named(TITLE)) == 1
