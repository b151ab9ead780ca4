"""The buttons of a question: gone once it is answered, by a press or by words."""

from __future__ import annotations

import json

import pytest
from acting import INES, Acting, Turn, create, offer, text, turn, whispered
from stage import Message, Stage, buttons, dm, whole_text

from agencyclaw.store.choices import Choices

ASK = "make the task for B0NEWITEM1, a 10% coupon"
WHICH = "Which brand of Brightkettle Group is it for?"
BRAND = "Copperleaf"
COUPON = {
    "client": "Brightkettle Group",
    "title": "Set up the coupon",
    "objective": "set up a 10% coupon for B0NEWITEM1 from Monday until Friday",
    "product_identifiers": ["B0NEWITEM1"],
}


def questioning() -> tuple[Turn, Turn, Turn]:
    """A question with brands on buttons, and what follows its answers."""
    return (
        turn(ASK, create(**COUPON), text("${create_task.question}")),
        turn([BRAND, "copperleaf"], create(**COUPON, brand=BRAND), text("It is on the card.")),
        turn("what can you do?", text("I look things up.")),
    )


async def asked(acting: Acting) -> tuple[Stage, str, Message]:
    stage = await acting(*questioning())
    root = await stage.say(INES, ASK)
    return stage, root, await stage.reply_with(INES, root, WHICH)


async def now(stage: Stage, message: Message) -> Message:
    messages = await stage.bench.messages(dm(INES))
    return next(one for one in messages if one["ts"] == message["ts"])


async def without_buttons(stage: Stage, message: Message) -> Message:
    async def there() -> Message | None:
        shown = await now(stage, message)
        return None if buttons(shown) else shown

    return await stage.bench.until(there)


async def test_a_question_that_a_later_version_asked_can_be_answered(acting: Acting) -> None:
    stage, root, question = await asked(acting)
    await stage.settled()
    await stage.db.pool.execute(
        """
        update outbox set body = jsonb_set(body, '{choices}', (
          select jsonb_agg(one || '{"added_later": 1}') from jsonb_array_elements(body -> 'choices')
            as one))
        where body -> 'choices' <> '[]'
        """
    )

    await stage.press(INES, question, BRAND)

    assert COUPON["title"] in whole_text(await offer(stage, INES, root))
    await without_buttons(stage, question)


async def test_a_press_leaves_what_was_chosen_instead_of_the_buttons(acting: Acting) -> None:
    stage, root, question = await asked(acting)
    old = next(
        {**element, "block_id": block["block_id"]}
        for block in question["blocks"]
        if block["type"] == "actions"
        for element in block["elements"]
        if element["text"]["text"] != BRAND
    )

    await stage.press(INES, question, BRAND)

    shown = whole_text(await without_buttons(stage, question))
    assert WHICH in shown
    assert f"✓ {BRAND}" in shown
    assert COUPON["title"] in whole_text(await offer(stage, INES, root))

    await stage.bench.interact(dm(INES), question["ts"], INES, old)
    await whispered(stage, INES, "That question is answered already")
    await stage.settled()
    [event] = await stage.events("press_refused")
    assert event["reason"] == "choice_not_offered"
    assert event["slack_user_id"] == INES
    assert len(await stage.proposals()) == 1


async def test_what_was_chosen_is_shown_though_the_turn_came_before_its_record(
    acting: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, root, question = await asked(acting)

    async def lost(*_: object) -> None:
        """Do nothing, as if the process had died here."""

    monkeypatch.setattr(Choices, "pressed", lost)
    await stage.press(INES, question, BRAND)

    assert f"✓ {BRAND}" in whole_text(await without_buttons(stage, question))
    assert COUPON["title"] in whole_text(await offer(stage, INES, root))


async def test_an_answer_by_words_takes_the_buttons_too(acting: Acting) -> None:
    stage, root, question = await asked(acting)

    await stage.say(INES, BRAND, thread=root)

    shown = await without_buttons(stage, question)
    assert WHICH in whole_text(shown)
    assert "✓" not in json.dumps(shown, ensure_ascii=False)


async def test_the_words_of_a_choice_count_anywhere_in_the_direct_message(acting: Acting) -> None:
    stage, _, question = await asked(acting)

    await stage.say(INES, "copperleaf")

    await without_buttons(stage, question)


async def test_another_message_elsewhere_leaves_the_question_open(acting: Acting) -> None:
    stage, _, question = await asked(acting)

    await stage.reply_with(INES, await stage.say(INES, "what can you do?"), "look things up")
    await stage.settled()

    assert BRAND in buttons(await now(stage, question))


async def test_so_do_those_of_a_choice_that_ends_in_brackets(acting: Acting) -> None:
    stage = await acting(*questioning())
    renamed = f"{BRAND} (US)"
    await stage.db.pool.execute("update brands set name = $2 where name = $1", BRAND, renamed)
    root = await stage.say(INES, ASK)
    question = await stage.reply_with(INES, root, WHICH)
    assert renamed in buttons(question)

    await stage.say(INES, renamed)

    await without_buttons(stage, question)


_WAITING = """
insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
  thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)
select 'waits', event_source, event_type, team_id, channel_id, thread_ts, slack_ts, is_direct,
  slack_user_id, lane, payload from slack_event_receipts limit 1
"""


async def test_a_choice_that_a_full_lane_declines_can_be_pressed_again(acting: Acting) -> None:
    stage = await acting(*questioning(), agencyclaw_lane_limit=1)
    root = await stage.say(INES, ASK)
    question = await stage.reply_with(INES, root, WHICH)
    await stage.settled()
    await stage.db.pool.execute(_WAITING)

    await stage.press(INES, question, BRAND)
    await stage.reply_with(INES, root, "please send this again")
    await stage.db.pool.execute("delete from slack_event_receipts where event_key = 'waits'")
    await stage.settled()

    assert BRAND in buttons(await now(stage, question))
    await stage.press(INES, question, BRAND)
    assert COUPON["title"] in whole_text(await offer(stage, INES, root))


async def test_a_press_waits_until_slack_has_confirmed_the_question(acting: Acting) -> None:
    stage, root, question = await asked(acting)
    await stage.settled()
    posted = "update outbox set sent_ts = $2 where run_id is not null and body ->> 'text' like $1"
    await stage.db.pool.execute(posted, f"%{WHICH}%", None)

    # Acknowledged all the same: Slack would say that nobody took it.
    assert (await stage.press(INES, question, BRAND))["ok"]
    await stage.db.pool.execute(posted, f"%{WHICH}%", question["ts"])

    assert COUPON["title"] in whole_text(await offer(stage, INES, root))
    assert await stage.whispers(INES) == []


async def test_two_questions_at_once_have_their_buttons_and_one_press_answers_one(
    acting: Acting,
) -> None:
    both, images = f"{ASK}, and one for new images", {"title": "New images"}
    stage = await acting(
        turn(
            both,
            create(**COUPON),
            create(**COUPON | images | {"client": "Pawtrail"}),
            text("Which brand is each for?"),
        ),
        turn(BRAND, create(**COUPON, brand=BRAND), text("The coupon is on the card.")),
    )
    root = await stage.say(INES, both)
    question = await stage.reply_with(INES, root, "Which brand is each for?")
    assert {BRAND, "Pawtrail Lite"} <= set(buttons(question))

    await stage.press(INES, question, BRAND)

    assert COUPON["title"] in whole_text(await offer(stage, INES, root))


SPRAY = "B0GL1SPRA1"
PRICE = {
    "client": "Glintly Inc",
    "title": "Coupon for the spray",
    "objective": "set up a coupon for the lens spray, as agreed with Dana in the last call",
    "about_products": True,
}


async def test_what_a_question_offered_and_words_confirmed_is_on_the_card_with_a_mark(
    acting: Acting,
) -> None:
    first, ask = "a coupon for the lens spray of Glintly Inc", text("${create_task.question}")
    stage = await acting(
        turn(first, create(**PRICE, product_identifiers=["spray"]), ask),
        turn("yes, that one", create(**PRICE, product_identifiers=[SPRAY]), text("See the card.")),
    )
    root = await stage.say(INES, first)
    question = await stage.reply_with(INES, root, "Is “spray” this product?")
    assert any(SPRAY in label for label in buttons(question))

    await stage.say(INES, "yes, that one", thread=root)

    card = whole_text(await offer(stage, INES, root))
    assert "offered in my question, and taken from your answer “yes, that one”" in card
    [row] = await stage.proposals()
    assert row["arguments"]["identifiers"] == [SPRAY]
