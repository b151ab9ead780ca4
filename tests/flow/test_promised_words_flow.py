"""What a card and the situation say of a yes by words is what the judge of words would say."""

from __future__ import annotations

from acting import (
    ASKED,
    CLAW,
    INES,
    OPS,
    Acting,
    ScriptedModel,
    call,
    calls,
    create,
    creating,
    minded,
    offer,
    offer_in,
    text,
    turn,
)
from stage import Stage, buttons, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

FIRST = {"client": "Glintly Inc", "title": "Storefront banner", "objective": ASKED}
SECOND = {**FIRST, "title": "Order the spring samples"}
BY_WORDS, BY_PRESS = "a yes or no right below it", "only a press confirms it"
ON_CARD = "or within 10 minutes by answering"


async def two_cards(stage: Stage) -> tuple[str, str]:
    """Two cards of one person wait in two threads of a DM; returns both roots."""
    first = await stage.say(INES, "make the banner task")
    await offer(stage, INES, first)
    await stage.settled()
    second = await stage.say(INES, "and one to order the samples")
    await offer(stage, INES, second)
    await stage.settled()
    return first, second


def minding(*more: str) -> ScriptedModel:
    return ScriptedModel(
        *(calls("create_task", **FIRST), "It is on the card."),
        *(calls("create_task", **SECOND), "It is on the card."),
        *more,
    )


async def test_a_card_beside_another_one_promises_no_words(bench: Bench, agency: Database) -> None:
    mind = minding("They wait.")
    async with minded(bench, agency, mind) as stage:
        first, second = await two_cards(stage)
        assert ON_CARD in whole_text(await offer(stage, INES, first))
        assert ON_CARD not in whole_text(await offer(stage, INES, second))

        await stage.say(INES, "what waits?", thread=second)
        await stage.reply_with(INES, second, "They wait.")
        assert mind.heard().count(BY_PRESS) == 2
        assert BY_WORDS not in mind.heard()


async def test_a_card_that_promised_words_takes_them_when_it_is_left_alone(
    bench: Bench, agency: Database
) -> None:
    mind = minding("One waits.")
    async with minded(bench, agency, mind) as stage:
        first, second = await two_cards(stage)
        await stage.press(INES, await offer(stage, INES, second), "Cancel")
        await stage.settled()

        await stage.say(INES, "what waits?", thread=first)
        await stage.reply_with(INES, first, "One waits.")
        assert "so a yes or no in words counts only once it is shown again" in mind.heard()
        assert BY_PRESS not in mind.heard()


async def test_a_card_that_wanted_a_press_wants_it_when_it_is_left_alone(
    bench: Bench, agency: Database
) -> None:
    mind = minding("Please press the button.")
    async with minded(bench, agency, mind) as stage:
        first, second = await two_cards(stage)
        await stage.press(INES, await offer(stage, INES, first), "Cancel")
        await stage.settled()

        await stage.say(INES, "yes, create it", thread=second)
        await stage.reply_with(INES, second, "Please press the button.")
        assert [row["state"] for row in await stage.proposals()] == ["cancelled", "open"]


async def test_a_card_in_a_channel_promises_no_words(acting: Acting) -> None:
    stage = await acting(creating("make the task"))
    root = await stage.bench.post_message(OPS, INES, f"<@{CLAW}> make the task")
    card = await offer_in(stage, OPS, root)

    assert ON_CARD not in whole_text(card)
    assert "Create task" in buttons(card)


async def test_a_proposal_whose_time_is_over_is_told_as_expired(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("create_task", **FIRST), "It is on the card.", "It has expired.", "So it has."
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner task")
        await offer(stage, INES, root)
        await stage.settled()
        # Before the job that ends it has run.
        await stage.db.pool.execute(
            "update proposals set expires_at = now() - interval '1 second',"
            " words_until = now() - interval '1 hour'"
        )
        await stage.say(INES, "does it still wait?", thread=root)
        await stage.reply_with(INES, root, "It has expired.")

        assert "expired, not created" in mind.heard()
        assert "waiting for" not in mind.heard()


async def test_a_card_that_is_too_old_for_words_is_told_as_one_that_takes_a_press(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(calls("create_task", **FIRST), "It is on the card.", "Press, please.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner task")
        await offer(stage, INES, root)
        await stage.settled()
        await stage.db.pool.execute("update proposals set words_until = now()")
        await stage.say(INES, "does it still wait?", thread=root)
        await stage.reply_with(INES, root, "Press, please.")

        assert f"{BY_PRESS}: it is too late for a yes in words" in mind.heard()
        assert BY_WORDS not in mind.heard()


BY_WORD = "A yes in words doesn't count here: "


async def test_a_card_and_the_situation_say_why_only_a_press_counts(
    bench: Bench, agency: Database
) -> None:
    mind = minding("They wait.")
    async with minded(bench, agency, mind) as stage:
        first, second = await two_cards(stage)
        on_card = "it could be meant for another of your cards"
        assert BY_WORD + on_card in whole_text(await offer(stage, INES, second))

        await stage.say(INES, "why can't I just say yes?", thread=second)
        await stage.reply_with(INES, second, "They wait.")
        # In what the model reads "you" would be the model.
        told = "only a press confirms it (it could be meant for another of their cards)"
        assert mind.heard().count(told) == 2
        assert first


async def test_a_card_in_a_channel_says_why_only_a_press_counts(acting: Acting) -> None:
    stage = await acting(creating("make the task"))
    root = await stage.bench.post_message(OPS, INES, f"<@{CLAW}> make the task")
    card = await offer_in(stage, OPS, root)

    why = "in a channel it could be meant for somebody else"
    assert BY_WORD + why in whole_text(card)


async def test_a_card_beside_a_question_says_why_only_a_press_counts(acting: Acting) -> None:
    asking = turn("make the task", create(), text("It is on the card. Shall I add a due date?"))
    stage = await acting(asking)
    root = await stage.say(INES, "make the task")
    card = await offer(stage, INES, root)

    assert BY_WORD + "it could be meant for something else that was said" in whole_text(card)


async def test_a_card_of_words_that_were_pasted_says_why_only_a_press_counts(
    bench: Bench, agency: Database
) -> None:
    said = f"make a task of this mail: {ASKED} " + "and tell the photographer. " * 30
    made = {"client": "Glintly Inc", "title": "Order the samples", "objective": ASKED}
    mind = ScriptedModel(calls("create_task", **made), "It is on the card.", "Press, please.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, said)
        card = await offer(stage, INES, root)
        assert BY_WORD + "it holds words that you didn't type yourself" in whole_text(card)
        assert "(it holds words that they didn't type themselves)" in mind.heard()

        await stage.say(INES, "why can't I just say yes?", thread=root)
        await stage.reply_with(INES, root, "Press, please.")

    assert "(it holds words that they didn't type themselves: Objective)" in mind.heard()


async def test_a_change_of_a_weighty_kind_says_why_only_a_press_counts(acting: Acting) -> None:
    slot = {"person": "Yuki", "role": "csl", "client": "Glintly Inc"}
    search = call("search_tools", queries=["assign_person"])
    stage = await acting(
        turn("Yuki takes over", search, call("assign_person", **slot), text("See the card."))
    )
    root = await stage.say(INES, "Yuki takes over")
    card = await stage.card(INES, root)

    assert BY_WORD + "this kind of change always takes a press" in whole_text(card)
