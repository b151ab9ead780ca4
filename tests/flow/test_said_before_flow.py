"""What a person said in a conversation counts as said, also where no card has it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acting import INES, ScriptedModel, calls, minded, offer
from stage import buttons, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASIN = "B0CF7GARL1"
FIRST = f"a 20% coupon for Copperleaf, {ASIN}, due 3 March 2020"
THEN = "no date, and make it 15%"
CARD, QUESTION = "It is on the card.", "Which day?"
TITLE = "Coupon for the garlic press"
COUPON: dict[str, Any] = {
    "client": "Brightkettle Group",
    "brand": "Copperleaf",
    "title": TITLE,
    "objective": "A coupon for the garlic press.",
    "about_products": True,
}
GIVEN: dict[str, Any] = {**COUPON, "product_identifiers": [ASIN]}
# Its day is past, so it is asked about.
PAST = {"day": {"kind": "date", "date": "2020-03-03"}, "quote": "due 3 March 2020"}


async def forever(_: object, __: object) -> str:
    await asyncio.Event().wait()
    return ""


async def corrected(
    bench: Bench,
    agency: Database,
    *,
    said: str = FIRST,
    first: dict[str, Any],
    then: dict[str, Any],
) -> dict[str, Any]:
    """Have a task asked about, then corrected; returns what became of the correction."""
    mind = ScriptedModel(
        calls("create_task", **first, due=PAST), QUESTION, calls("create_task", **then), CARD
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, said)
        await stage.reply_with(INES, root, QUESTION)
        await stage.say(INES, THEN, thread=root)
        await stage.reply_with(INES, root, CARD)
        await stage.settled()
        return await stage.result("create_task")


@pytest.mark.parametrize(
    "then", [GIVEN, COUPON, {**COUPON, "title": "15% coupon", "replaces": TITLE}]
)
async def test_a_correction_does_not_ask_again_for_the_products_of_a_task_that_is_on_no_card(
    bench: Bench, agency: Database, then: dict[str, Any]
) -> None:
    result = await corrected(bench, agency, first=GIVEN, then=then)

    assert result["kind"] == "proposed"
    assert ASIN in result["fields"]["Products"]


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("a 20% coupon for Copperleaf, due 3 March 2020", COUPON),
        (FIRST, {**COUPON, "clears": ["products"]}),
    ],
    ids=["made up", "taken off"],
)
async def test_products_that_nobody_gave_or_that_were_taken_off_are_asked_for(
    bench: Bench, agency: Database, said: str, then: dict[str, Any]
) -> None:
    result = await corrected(bench, agency, said=said, first=GIVEN, then=then)

    assert result["kind"] == "ask"
    assert "Which products is it about?" in result["question"]


async def test_identifiers_that_are_to_follow_stay_open(bench: Bench, agency: Database) -> None:
    later = {**COUPON, "identifiers_pending": True}
    result = await corrected(bench, agency, first=GIVEN, then=later)

    assert ASIN not in str(result["fields"])


async def test_products_of_another_task_are_offered_instead_of_taken(
    bench: Bench, agency: Database
) -> None:
    other = {**COUPON, "title": "Coupon for Prime Day", "objective": "A coupon."}
    mind = ScriptedModel(
        calls("create_task", **GIVEN, due=PAST),
        QUESTION,
        calls("create_task", **other),
        "Which products is it about?",
        calls("create_task", **other, product_identifiers=[ASIN]),
        CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, FIRST)
        await stage.reply_with(INES, root, QUESTION)
        await stage.say(INES, "leave that, one for Prime Day instead", thread=root)
        question = await stage.reply_with(INES, root, "Which products is it about?")
        assert ASIN in buttons(question)
        assert (await stage.press(INES, question, ASIN))["ok"]
        card = await offer(stage, INES, root)
        await stage.settled()

    assert ASIN in whole_text(card)


async def test_the_products_of_a_card_that_was_cancelled_are_not_asked_for_again(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("create_task", **GIVEN), CARD, calls("create_task", **COUPON), "On a new card."
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, f"a 20% coupon for Copperleaf, {ASIN}")
        await stage.press(INES, await offer(stage, INES, root), "Cancel")
        await stage.settled()
        await stage.say(INES, "after all, with 15%", thread=root)
        await stage.reply_with(INES, root, "On a new card.")
        await stage.settled()
        result = await stage.result("create_task")

    assert ASIN in result["fields"]["Products"]


async def test_what_was_said_in_a_message_whose_answer_was_stopped_is_known(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(forever, calls("create_task", **GIVEN), CARD)
    said = f"a 20% coupon for Copperleaf, {ASIN}"
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, said)
        await bench.until(lambda: mind.told)
        await stage.say(INES, "stop", thread=root)
        await stage.reply_with(INES, root, "Stopped, as you asked.")
        await stage.say(INES, "make it 15%", thread=root)
        card = await offer(stage, INES, root)
        await stage.settled()

    assert said in mind.heard(1)
    assert "Stopped, as you asked." in mind.heard(1)
    assert ASIN in whole_text(card)
