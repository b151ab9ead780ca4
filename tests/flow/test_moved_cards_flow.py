"""A card comes to where its person speaks; where it can't, a link leads to it."""

from __future__ import annotations

from typing import Any

import pytest
from acting import (
    CLAW,
    INES,
    OPS,
    TASK,
    Acting,
    Turn,
    call,
    create,
    creating,
    offer,
    offer_in,
    text,
    turn,
)
from stage import Stage, buttons, dm, whole_text

MOVED = "moved to"
BANNER = {"client": "Brightkettle Group", "brand": "Copperleaf"}
ELSEWHERE = "is in another thread: open it"


async def test_a_yes_in_another_thread_brings_the_card_there_and_counts_below_it(
    acting: Acting,
) -> None:
    stage = await acting(
        creating("make the task"),
        turn("how is Pawtrail", text("All is well.")),
        turn("yes", text("Here it is once more.")),
    )
    old_root = await stage.say(INES, "make the task")
    old = await offer(stage, INES, old_root)
    await stage.settled()
    other = await stage.say(INES, "how is Pawtrail")
    await stage.reply_with(INES, other, "All is well.")
    await stage.settled()

    root = await stage.say(INES, "yes")
    await stage.reply_with(INES, root, "Here it is once more.")
    card = await stage.card(INES, root)
    await stage.settled()

    assert "Create task" in buttons(card)
    [left] = [one for one in await stage.replies(INES, old_root) if one["ts"] == old["ts"]]
    assert buttons(left) == []
    assert MOVED in whole_text(left)
    address = f"/archives/{dm(INES)}/p{card['ts'].replace('.', '')}"
    assert address in whole_text(left)

    await stage.say(INES, "yes", thread=root)
    await stage.created(TASK)
    await stage.reply_with(INES, root, "Created “")


async def test_a_card_that_moved_is_confirmed_by_one_press_where_it_is_now(
    acting: Acting,
) -> None:
    stage = await acting(
        creating("make the task"),
        turn("looks good", text("Press it.", changes="waiting")),
    )
    old_root = await stage.say(INES, "make the task")
    await offer(stage, INES, old_root)
    await stage.settled()
    root = await stage.say(INES, "looks good")
    card = await stage.card(INES, root)

    await stage.press(INES, card, "Create task")

    await stage.created(TASK)
    await stage.reply_with(INES, root, "Created “")
    assert await stage.creates_sent() == 1


async def test_a_yes_in_another_thread_of_a_channel_is_led_to_the_card_by_a_link(
    acting: Acting,
) -> None:
    stage = await acting(creating("make the task"), turn("yes", text("It waits.")))
    old_root = await stage.bench.post_message(OPS, INES, f"<@{CLAW}> make the task")
    card = await offer_in(stage, OPS, old_root)
    await stage.settled()

    root = await stage.bench.post_message(OPS, INES, f"<@{CLAW}> yes")
    answer = await stage.reply_in(OPS, root)
    await stage.settled()

    said = whole_text(answer)
    assert ELSEWHERE in said
    assert f"/archives/{OPS}/p{card['ts'].replace('.', '')}" in said
    [row] = await stage.proposals()
    assert row["state"] == "open"
    await stage.bench.interact(OPS, card["ts"], INES, "Create task")
    await stage.created(TASK)


@pytest.mark.parametrize("is_called", [True, False], ids=["answered", "in silence"])
async def test_a_yes_below_a_card_that_takes_a_press_is_pointed_to_it_and_posts_it_no_more(
    acting: Acting, is_called: bool
) -> None:
    reply = text("A press decides it.") if is_called else call("not_for_me")
    stage = await acting(creating("make the task"), turn("yes", reply))
    root = await stage.bench.post_message(OPS, INES, f"<@{CLAW}> make the task")
    card = await offer_in(stage, OPS, root)
    await stage.settled()
    before = len(await stage.replies_in(OPS, root))

    await stage.bench.post_message(OPS, INES, f"<@{CLAW}> yes" if is_called else "yes", root)
    pointing = await stage.reply_in(OPS, root, index=before)
    await stage.settled()

    said = whole_text(pointing)
    assert f"“{TASK}” waits on its card: open it" in said
    assert f"/archives/{OPS}/p{card['ts'].replace('.', '')}" in said
    assert ("A press decides it." if is_called else "still waits for a press") in said
    shown = [
        one["ts"] for one in await stage.replies_in(OPS, root) if "Create task" in buttons(one)
    ]
    assert shown == [card["ts"]]


async def test_a_late_yes_at_the_top_level_links_the_card_it_speaks_of(acting: Acting) -> None:
    stage = await acting(creating("make the task"))
    old_root = await stage.say(INES, "make the task")
    card = await offer(stage, INES, old_root)
    await stage.settled()
    await stage.db.pool.execute("update proposals set words_until = now() - interval '1 second'")

    root = await stage.say(INES, "yes")

    said = whole_text(await stage.reply(INES, root))
    assert "Press if it is still right." in said
    assert f"/archives/{dm(INES)}/p{card['ts'].replace('.', '')}" in said


async def test_what_is_prepared_again_is_shown_where_the_button_was_pressed(
    acting: Acting,
) -> None:
    stage = await acting(creating("make the task"))
    old_root = await stage.say(INES, "make the task")
    await offer(stage, INES, old_root)
    await stage.settled()
    await stage.db.pool.execute(
        "update proposals set expires_at = now() - interval '1 second', words_until = expires_at"
    )
    root = await stage.say(INES, "yes")
    said = await stage.card(INES, root)

    await stage.press(INES, said, "Prepare it again")

    async def prepared() -> list[dict[str, Any]]:
        return [one for one in await stage.replies(INES, root) if "Create task" in buttons(one)]

    assert await stage.bench.until(prepared)


async def test_words_that_mean_a_threads_own_card_bring_that_one_beside_another(
    acting: Acting,
) -> None:
    stage = await two_waiting(acting, turn("go on", text("Press it.", changes="waiting")))
    root = await stage.say(INES, "make the task")
    old = await offer(stage, INES, root)
    await stage.settled()
    await offer(stage, INES, await stage.say(INES, "and the samples"))
    await stage.settled()

    await stage.say(INES, "go on", thread=root)
    await stage.reply_with(INES, root, "Press it.")
    await stage.settled()

    assert (await offer(stage, INES, root))["ts"] != old["ts"]


async def test_words_that_mean_several_cards_of_other_threads_link_each_of_them(
    acting: Acting,
) -> None:
    stage = await two_waiting(acting, turn("go on", text("Press them.", changes="waiting")))
    first = await offer(stage, INES, await stage.say(INES, "make the task"))
    await stage.settled()
    second = await offer(stage, INES, await stage.say(INES, "and the samples"))
    await stage.settled()

    root = await stage.say(INES, "go on")
    said = whole_text(await stage.reply_with(INES, root, "Press them."))

    for card in (first, second):
        assert f"/archives/{dm(INES)}/p{card['ts'].replace('.', '')}" in said


async def two_waiting(acting: Acting, last: Turn) -> Stage:
    """A stage for two cards and then this."""
    more = creating("and the samples", title="Order the spring samples")
    return await acting(creating("make the task"), more, last)


async def test_an_answer_about_a_change_of_another_thread_links_the_card_that_undoes_it(
    acting: Acting,
) -> None:
    said = text("Press “Undo” on its card.", changes="earlier", earlier="e1")
    stage = await acting(creating("make the task"), turn("undo that please", said))
    old_root = await stage.say(INES, "make the task")
    await stage.press(INES, await offer(stage, INES, old_root), "Create task")
    card = await offer(stage, INES, old_root, "Undo")
    await stage.settled()

    root = await stage.say(INES, "undo that please")

    told = whole_text(await stage.reply_with(INES, root, "on its card."))
    assert f"Undo of “{TASK}” is on its card: open it" in told
    assert f"/archives/{dm(INES)}/p{card['ts'].replace('.', '')}" in told


async def test_a_card_that_undoes_nothing_any_more_is_not_linked(acting: Acting) -> None:
    said = text("It was created before.", changes="earlier", earlier="e1")
    stage = await acting(creating("make the task"), turn("undo that please", said))
    root = await stage.say(INES, "make the task")
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await offer(stage, INES, root, "Undo")
    await stage.settled()
    await stage.db.pool.execute(
        "update proposals set settled_at = settled_at - interval '11 minutes'"
    )

    told = await stage.reply_with(INES, await stage.say(INES, "undo that please"), "before.")

    assert "is on its card" not in whole_text(told)


async def test_a_link_to_a_card_stays_when_a_choice_beside_it_is_pressed(acting: Acting) -> None:
    which = "Which brand of Brightkettle Group is it for?"
    coupon = {"client": "Brightkettle Group", "title": "Set up the coupon"}
    stage = await acting(
        creating("make the task", **BANNER),
        turn("looks good", create(**coupon), text("${create_task.question}", changes="waiting")),
        turn("Copperleaf", text("Fine.")),
    )
    card = await offer(stage, INES, await stage.say(INES, "make the task"))
    await stage.settled()
    root = await stage.say(INES, "looks good")
    question = await stage.reply_with(INES, root, which)
    address = f"/archives/{dm(INES)}/p{card['ts'].replace('.', '')}"
    assert address in whole_text(question)

    await stage.press(INES, question, "Copperleaf")
    await stage.reply_with(INES, root, "Fine.")
    await stage.settled()

    [now] = [one for one in await stage.replies(INES, root) if one["ts"] == question["ts"]]
    assert "✓ Copperleaf" in whole_text(now)
    assert address in whole_text(now)
