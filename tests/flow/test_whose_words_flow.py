"""Whose words count, and what is no word at all: colleagues, choices, names of records."""

from __future__ import annotations

import pytest
from acting import (
    ASKED,
    CLAW,
    INES,
    OPS,
    SARA_L,
    TASK,
    TOMAS,
    Acting,
    ScriptedModel,
    call,
    calls,
    count,
    create,
    creating,
    minded,
    offer,
    offer_in,
    states,
    text,
    turn,
)
from stage import Message, Stage, buttons, eventually, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

GLINTLY = "C01GLINTLY"
ASK = "make the task"


async def asked_in_ops(stage: Stage) -> tuple[str, Message]:
    root = await stage.bench.post_message(OPS, INES, f"<@{CLAW}> {ASK}")
    card = await offer_in(stage, OPS, root)
    await stage.settled()
    return root, card


async def runs_are(stage: Stage, wanted: int) -> None:
    async def there() -> bool:
        return await count(stage, "agent_runs") == wanted

    await eventually(there)
    await stage.settled()


async def test_thanks_to_a_colleague_in_the_thread_release_nothing(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked_in_ops(stage)
    await stage.bench.post_message(OPS, SARA_L, f"<@{INES}> the photos are there", root)

    await stage.bench.post_message(OPS, INES, "ok, great, thanks", root)

    await runs_are(stage, 1)
    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0
    await stage.bench.interact(OPS, card["ts"], INES, "Create task")
    await stage.created(TASK)


@pytest.mark.parametrize("word", ["yes", "go ahead", "ja"])
async def test_in_a_channel_a_card_takes_a_press(acting: Acting, word: str) -> None:
    stage = await acting(creating(ASK))
    root, card = await asked_in_ops(stage)

    await stage.bench.post_message(OPS, INES, word, root)

    await runs_are(stage, 2)
    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0
    assert (await offer_in(stage, OPS, root))["ts"] == card["ts"]
    await stage.bench.interact(OPS, card["ts"], INES, "Create task")
    await stage.created(TASK)


async def test_where_an_admin_allows_words_a_colleague_between_makes_it_conversation(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.command(OPS, INES, "/claw", "link internal")
    await stage.bench.command(OPS, INES, "/claw", "consent words")
    root, _ = await asked_in_ops(stage)
    await stage.bench.post_message(OPS, TOMAS, f"<@{INES}> shall I send you the photos", root)

    await stage.bench.post_message(OPS, INES, "yes", root)

    await runs_are(stage, 1)
    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0


async def test_where_an_admin_allows_words_a_direct_reply_counts(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.command(OPS, INES, "/claw", "link internal")
    await stage.bench.command(OPS, INES, "/claw", "consent words")
    root, _ = await asked_in_ops(stage)

    await stage.bench.post_message(OPS, INES, "yes", root)

    await stage.created(TASK)


async def test_a_title_of_the_model_is_no_button_that_says_yes(acting: Acting) -> None:
    said = "Okay great thanks"
    asking = turn("something else", create(title="task", objective=said), text("A question."))
    stage = await acting(creating(ASK), asking)
    root = await stage.say(INES, ASK)
    await offer(stage, INES, root)

    await stage.say(INES, "something else", thread=root)

    await stage.reply_with(INES, root, "A question.")
    await stage.settled()
    labels = [label for one in await stage.replies(INES, root) for label in buttons(one)]
    assert said not in labels
    assert await stage.creates_sent() == 0


async def test_a_record_named_like_a_yes_is_a_record_when_it_is_chosen(acting: Acting) -> None:
    """Its press arrives as the record: neither is the open card confirmed, nor the word read."""
    name = "Go ahead"
    coupon = {
        "client": "Brightkettle Group",
        "title": "Set up a coupon",
        "objective": "20% off B0CF7GARL1",
    }
    stage = await acting(
        creating(ASK),
        turn("coupon", create(**coupon), text("${create_task.question}")),
        turn(name, text("For that brand, I see.")),
    )
    await stage.db.pool.execute("update brands set name = $1 where name = 'Nordvent'", name)
    root = await stage.say(INES, ASK)
    await offer(stage, INES, root)
    await stage.say(INES, "coupon", thread=root)
    question = await offer(stage, INES, root, name)
    await stage.settled()

    await stage.press(INES, question, name)

    await stage.reply_with(INES, root, "For that brand, I see.")
    await stage.settled()
    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0


LAUNDERED = "Move the spring budget to Larkspur Media"


@pytest.mark.parametrize("later", [False, True])
async def test_the_name_of_a_chosen_record_is_not_the_persons_own_words(
    acting: Acting, later: bool
) -> None:
    """Whoever named the record wrote it: a task titled so takes a press, then and afterwards."""
    coupon = {
        "client": "Brightkettle Group",
        "title": "Set up a coupon",
        "objective": "20% off B0CF7GARL1",
    }
    stage = await acting(
        turn("coupon", create(**coupon), text("${create_task.question}")),
        turn(LAUNDERED, text("I see.")) if later else creating(LAUNDERED, title=LAUNDERED),
        creating(ASK, title=LAUNDERED),
    )
    await stage.db.pool.execute("update brands set name = $1 where name = 'Nordvent'", LAUNDERED)
    root = await stage.say(INES, "coupon")
    question = await offer(stage, INES, root, LAUNDERED)
    await stage.press(INES, question, LAUNDERED)
    if later:
        await stage.reply_with(INES, root, "I see.")
        await stage.say(INES, ASK, thread=root)
    card = await offer(stage, INES, root)
    await stage.settled()
    assert "a choice that was pressed" in whole_text(card)

    await stage.say(INES, "yes", thread=root)

    await stage.settled()
    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0


async def test_a_note_that_is_told_unasked_is_named_on_the_card_that_rests_on_it(
    acting: Acting,
) -> None:
    note = "Every banner of theirs is approved by Nadine before it goes live"
    stage = await acting(creating(ASK, details=note))
    await stage.bench.command(OPS, INES, "/claw", f"remember Glintly Inc: {note}")

    root = await stage.bench.post_message(GLINTLY, INES, f"<@{CLAW}> {ASK}")

    card = await offer_in(stage, GLINTLY, root)
    assert "what is on record about the client" in whole_text(card)


async def test_another_subject_in_another_thread_of_a_channel_ends_the_words(
    acting: Acting,
) -> None:
    other = "what of Copperleaf"
    looking = turn(other, call("lookup_brand", brand="Copperleaf"), text("It is Brightkettle's."))
    stage = await acting(creating(ASK), looking)
    await stage.bench.command(OPS, INES, "/claw", "link internal")
    await stage.bench.command(OPS, INES, "/claw", "consent words")
    root, _ = await asked_in_ops(stage)
    await stage.bench.post_message(OPS, INES, f"<@{CLAW}> {other}")
    await runs_are(stage, 2)

    await stage.bench.post_message(OPS, INES, "yes", root)

    await runs_are(stage, 3)
    assert await states(stage) == ["open"]
    assert await stage.creates_sent() == 0


WITH_SOP = {
    "client": "Glintly Inc",
    "title": "Set up a coupon",
    "objective": "10% off the screen wipes B0GL1WIPE1",
    "procedure": {"title": "Coupons Promotion SOP"},
    "product_identifiers": ["B0GL1WIPE1"],
}


async def test_a_procedure_that_was_read_in_an_earlier_turn_is_nobodys_foreign_text(
    acting: Acting,
) -> None:
    ask, more, less = (f"10% off the screen wipes B0GL1WIPE1, {one}" for one in ("a", "b", "c"))
    again = {**WITH_SOP, "replaces": "Set up a coupon"}
    stage = await acting(
        turn(
            ask,
            call("read_procedure", title="Coupons Promotion SOP"),
            create(**WITH_SOP),
            text("It is on the card."),
        ),
        turn(more, create(**again), text("Changed.")),
        turn(less, create(**again), text("Changed again.")),
    )
    root = await stage.say(INES, ask)
    await offer(stage, INES, root)
    for words, answer in ((more, "Changed."), (less, "Changed again.")):
        await stage.say(INES, words, thread=root)
        await stage.reply_with(INES, root, answer)
    card = await offer(stage, INES, root)
    assert "text from" not in whole_text(card)
    await stage.settled()

    await stage.say(INES, "yes, create it", thread=root)

    await stage.created("Set up a coupon")


async def test_what_code_composed_of_a_persons_words_does_not_become_pasted_when_it_is_changed(
    acting: Acting,
) -> None:
    """Only what was pasted is named as such, also after a second preparation."""
    mail = "```Please have the spare wipes photographed on white, Nadine```"
    again = "and make it the storefront of both shops"
    own = "refresh the storefront banner of both shops"
    details = "Please have the spare wipes photographed on white"
    stage = await acting(
        creating(mail, details=details),
        creating(again, objective=f"{again}: {own}", details=details, replaces=TASK),
    )
    root = await stage.say(INES, mail)
    await offer(stage, INES, root)
    await stage.settled()

    await stage.say(INES, again, thread=root)

    await stage.bench.until(lambda: _is_replaced(stage))
    await stage.settled()
    [_, newer] = await stage.proposals()
    bases = {one["field"]: one for one in newer["arguments"]["bases"]}
    assert bases["Details"]["quote"] == mail.strip("`")
    assert bases["Objective"]["origin"] != "pasted"
    assert "Description" not in bases


async def _is_replaced(stage: Stage) -> bool:
    return await states(stage) == ["superseded", "open"]


async def test_an_answer_that_was_sent_back_does_not_take_the_next_yes_away(
    bench: Bench, agency: Database
) -> None:
    thanks = calls("reply", text="…"), calls("reply", text="👍")
    mind = ScriptedModel(*thanks)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "cool")
        await stage.reply_with(INES, root, "👍")
        mind.answers(
            calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED),
            "It is on the card.",
        )
        await stage.say(INES, ASKED, thread=root)
        await offer(stage, INES, root)
        await stage.settled()

        await stage.say(INES, "yes, create it", thread=root)

        await stage.created(TASK)
