"""What a card and the situation say of a yes by words is what the judge of words would say."""

from __future__ import annotations

from acting import (
    ASKED,
    CLAW,
    INES,
    OPS,
    Acting,
    ScriptedModel,
    calls,
    creating,
    minded,
    offer,
    offer_in,
)
from stage import Stage, buttons, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

FIRST = {"client": "Glintly Inc", "title": "Storefront banner", "objective": ASKED}
SECOND = {**FIRST, "title": "Order the spring samples"}
BY_WORDS, BY_PRESS = "a yes or no right below it", "only a press confirms it"
ON_CARD = "or by answering"


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
        assert BY_WORDS in mind.heard()
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
