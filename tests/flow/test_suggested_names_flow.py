"""Questions answered by reading suggest names for procedures; an admin's press gives them."""

from __future__ import annotations

from typing import Any

import pytest
from acting import INES, SARA_L, Acting, Step, Turn, call, offer, text, turn
from stage import Stage, whole_text

COUPONS = "Coupons Promotion SOP"
# No words of any procedure are in it.
ASKED = "how do we do clippy stickers"
NAME = "clippy stickers"
SEARCH = call("search_kb", query=ASKED)
OPEN = call("read_procedure", title=COUPONS)
CITED = text("It has the steps.", sources=[COUPONS])
LISTING = turn(
    "what is missing",
    call("search_tools", queries=["unanswered questions"]),
    call("list_unanswered_questions"),
    text("There."),
)


def naming(say: str, **arguments: Any) -> Turn:
    found = call("search_tools", queries=["another name for a procedure"])
    return turn(say, found, call("name_procedure", **arguments), text("It is on the card."))


async def listed(stage: Stage) -> dict[str, Any]:
    await stage.reply(INES, await stage.say(INES, "what is missing"))
    return await stage.result("list_unanswered_questions")


async def asked(stage: Stage, say: str = "stickers please") -> dict[str, Any]:
    await stage.reply(SARA_L, await stage.say(SARA_L, say))
    await stage.settled()
    return await stage.result("search_kb")


async def test_what_reading_found_becomes_a_name_by_an_admins_press_and_undo_takes_it_back(
    acting: Acting,
) -> None:
    stage = await acting(
        turn("stickers please", SEARCH, OPEN, CITED),
        turn("stickers?", call("search_kb", query=f"{NAME}, how?"), CITED),
        LISTING,
        naming("call it so", procedure=COUPONS, name="Clippy Stickers"),
    )
    assert not (await asked(stage))["found"]
    await asked(stage)
    before = await listed(stage)
    [suggested] = before["suggested_names"]
    assert (suggested["procedure"], suggested["question"]) == (COUPONS, ASKED)
    assert (suggested["asked_by"], suggested["times"]) == ("Sara Lindqvist", 2)
    assert "questions" not in before

    root = await stage.say(INES, "call it so")
    card = await offer(stage, INES, root, "Add name")
    assert f"“{NAME}” for “{COUPONS}”" in whole_text(card)
    assert "whoever searches the procedures" in whole_text(card)
    assert not (await asked(stage))["found"]

    await stage.press(INES, card, "Add name")
    await stage.reply_with(INES, root, f"“{COUPONS}” is found as “{NAME}”")
    [best] = (await asked(stage, "stickers?"))["procedures"][:1]
    assert (best["title"], best["match"]) == (COUPONS, "alias")
    assert "suggested_names" not in await listed(stage)

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, f"no longer found as “{NAME}”")
    assert not (await asked(stage, "stickers?"))["found"]


@pytest.mark.parametrize(
    "steps",
    [
        (SEARCH, OPEN, text(f"Not in the {COUPONS}.", sources=[])),
        (SEARCH, call("search_kb", query="who paints our signs"), OPEN, CITED),
        (SEARCH, OPEN, call("read_procedure", title="Price Discounts Promotion SOP"), text(
            "Either.", sources=[COUPONS, "Price Discounts Promotion SOP"])),
    ],
    ids=["opened, but not named as the source", "two questions", "two procedures"],
)  # fmt: skip
async def test_what_was_not_chosen_for_one_question_suggests_nothing(
    acting: Acting, steps: tuple[Step, ...]
) -> None:
    stage = await acting(turn("stickers please", *steps), LISTING)
    await asked(stage)
    assert "suggested_names" not in await listed(stage)


async def test_a_task_that_rests_on_a_procedure_suggests_a_name_for_it(acting: Acting) -> None:
    rests = call(
        "create_task",
        client="Glintly Inc",
        title="Clippy stickers",
        objective="Put clippy stickers on the best sellers.",
        procedure={"title": COUPONS},
    )
    stage = await acting(turn("stickers please", SEARCH, rests, text("On the card.")), LISTING)
    await asked(stage)
    [suggested] = (await listed(stage))["suggested_names"]
    assert suggested["procedure"] == COUPONS


async def test_a_name_that_is_turned_down_by_a_press_is_not_suggested_again(
    acting: Acting,
) -> None:
    stage = await acting(
        turn("stickers please", SEARCH, OPEN, CITED),
        LISTING,
        naming("call it so", procedure=COUPONS, name=NAME),
    )
    await asked(stage)
    assert "suggested_names" in await listed(stage)

    root = await stage.say(INES, "call it so")
    await stage.press(INES, await offer(stage, INES, root, "Not this name"), "Not this name")
    await stage.settled()

    assert "suggested_names" not in await listed(stage)
    await asked(stage)
    assert "suggested_names" not in await listed(stage)


async def test_a_no_that_is_not_that_buttons_turns_no_name_down(acting: Acting) -> None:
    stage = await acting(
        turn("stickers please", SEARCH, OPEN, CITED),
        LISTING,
        naming("call it so", procedure=COUPONS, name=NAME),
    )
    await asked(stage)
    root = await stage.say(INES, "call it so")
    await offer(stage, INES, root, "Add name")
    await stage.say(INES, "no", thread=root)
    await stage.reply_with(INES, root, "Cancelled")
    await stage.settled()

    assert "suggested_names" in await listed(stage)


async def test_a_name_that_stays_is_no_name_that_was_turned_down(acting: Acting) -> None:
    stage = await acting(
        turn("stickers please", SEARCH, OPEN, CITED),
        LISTING,
        naming("not so any more", procedure=COUPONS, name="stickers", remove=True),
    )
    await stage.db.pool.execute(
        "update playbook_sops set aliases = '{stickers}' where name = $1", COUPONS
    )
    root = await stage.say(INES, "not so any more")
    await stage.press(INES, await offer(stage, INES, root, "Take name away"), "Cancel")
    await stage.settled()
    await stage.db.pool.execute("update playbook_sops set aliases = '{}' where name = $1", COUPONS)

    await asked(stage)

    assert "suggested_names" in await listed(stage)


async def test_a_question_that_stays_unanswered_the_next_time_is_missing_again(
    acting: Acting,
) -> None:
    stage = await acting(
        turn("stickers please", SEARCH, OPEN, CITED),
        turn("stickers again", SEARCH, text("I found nothing.", sources=[])),
        LISTING,
    )
    await asked(stage)
    await asked(stage, "stickers again")
    found = await listed(stage)
    assert [one["question"] for one in found["questions"]] == [ASKED]
    assert "suggested_names" not in found


async def test_a_name_given_since_is_kept_beside_the_new_one(acting: Acting) -> None:
    stage = await acting(naming("call it so", procedure=COUPONS, name=NAME))
    root = await stage.say(INES, "call it so")
    card = await offer(stage, INES, root, "Add name")
    await stage.db.pool.execute(
        "update playbook_sops set aliases = '{vouchers}' where name = $1", COUPONS
    )
    await stage.press(INES, card, "Add name")
    await stage.reply_with(INES, root, "were changed since")
    again = await offer(stage, INES, root, "Add name")
    await stage.press(INES, again, "Add name")
    await stage.reply_with(INES, root, "is found as")
    kept = await stage.db.pool.fetchval(
        "select aliases from playbook_sops where name = $1", COUPONS
    )
    assert kept == ["vouchers", NAME]


async def test_a_card_says_that_a_name_has_a_clients_in_it(acting: Acting) -> None:
    stage = await acting(naming("call it so", procedure=COUPONS, name="Glintly stickers"))
    card = await offer(stage, INES, await stage.say(INES, "call it so"), "Add name")
    assert "It names Glintly" in whole_text(card)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Price discounts!", "“Price Discounts Promotion SOP” is found by that name already."),
        ("COUPONS promotion sop!", "It is found by that name already."),
        ("…", "A name needs letters or digits."),
    ],
)
async def test_a_name_that_decides_nothing_is_not_given(
    acting: Acting, name: str, why: str
) -> None:
    stage = await acting(naming("call it so", procedure=COUPONS, name=name))
    await stage.reply(INES, await stage.say(INES, "call it so"))
    assert (await stage.result("name_procedure"))["message"] == why
    assert await stage.proposals() == []


async def test_a_name_is_taken_away_again(acting: Acting) -> None:
    stage = await acting(
        naming("call it so", procedure=COUPONS, name=NAME),
        naming("not so", procedure=COUPONS, name="Clippy-Stickers", remove=True),
    )
    root = await stage.say(INES, "call it so")
    await stage.press(INES, await offer(stage, INES, root, "Add name"), "Add name")
    await stage.reply_with(INES, root, "is found as")
    root = await stage.say(INES, "not so")
    await stage.press(INES, await offer(stage, INES, root, "Take name away"), "Take name away")
    await stage.reply_with(INES, root, "no longer found")
    kept = await stage.db.pool.fetchval(
        "select aliases from playbook_sops where name = $1", COUPONS
    )
    assert NAME not in kept
