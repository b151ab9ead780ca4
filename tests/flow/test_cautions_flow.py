"""What speaks against a task stands on its card before anybody presses."""

from __future__ import annotations

from typing import Any

import pytest
from acting import INES, SARA_L, Acting, create, offer, on, text, turn
from stage import Stage, dm, whole_text
from test_commands_flow import typed

ANOTHER = "another 20% one for B0CF7GARL1"
COUPON = "Spring coupon for the garlic press"
OTHERS = "B0TS5TILE1"
ASK = "make the 20% coupon task for B0CF7GARL1"
LATER = "make it due on 2099-01-02, for B0CF7GARL1"
VOUCHERS = {
    "title": "Garlic press: vouchers for May",
    "procedure": {"title": "Coupons Promotion SOP"},
}
BOTH = f"make the 20% coupon task for B0CF7GARL1 and {OTHERS}"


def coupon(say: str = ASK, **more: object) -> dict[str, Any]:
    asked = {
        "client": "Brightkettle Group",
        "brand": "Copperleaf",
        "title": COUPON,
        "objective": "a 20% coupon on the garlic press for the spring campaign",
        "product_identifiers": ["B0CF7GARL1"],
    }
    return turn(say, create(**{**asked, **more}), text("It is on the card."))


async def card_of(stage: Stage, user: str, say: str = ASK) -> str:
    root = await stage.say(user, say)
    return whole_text(await offer(stage, user, root))


async def test_a_card_says_who_else_has_the_same_task_waiting(acting: Acting) -> None:
    stage = await acting(coupon())
    assert "Please look at this first" not in await card_of(stage, INES)

    second = await card_of(stage, SARA_L)

    assert "The same task waits on a card, asked for by Ines Varga" in second


@pytest.mark.parametrize(
    ("task", "proposal", "said"),
    [
        ("failed", "confirmed", "waits on a card"),
        ("unclear", "unclear", "may have been created"),
    ],
)
async def test_a_task_that_clickup_did_not_confirm_was_not_created(
    acting: Acting, task: str, proposal: str, said: str
) -> None:
    stage = await acting(coupon())
    root = await stage.say(INES, ASK)
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.created(COUPON)
    await stage.settled()
    await stage.db.pool.execute("update agent_tasks set status = $1, clickup_url = null", task)
    await stage.db.pool.execute("update proposals set state = $1", proposal)

    assert f"The same task {said}, asked for by Ines" in await card_of(stage, SARA_L)


async def test_a_card_names_a_task_of_the_same_procedure_and_products(acting: Acting) -> None:
    stage = await acting(coupon(), coupon(ANOTHER, **VOUCHERS))
    root = await stage.say(INES, ASK)
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.created(COUPON)

    again = await card_of(stage, INES, ANOTHER)

    assert "A task for the same procedure and products was created, asked for by Ines" in again


async def test_a_card_shows_the_clients_note_that_fits_and_no_other(acting: Acting) -> None:
    stage = await acting(coupon())
    for note in ("never a coupon in spring", "invoices go to Lena"):
        await typed(stage, INES, f"remember Brightkettle Group: {note}", dm(INES))

    card = await card_of(stage, INES)

    assert "Ines Varga noted: “never a coupon in spring”" in card
    assert "Lena" not in card


async def test_a_card_names_a_product_of_another_brand(acting: Acting) -> None:
    stage = await acting(coupon(BOTH, product_identifiers=["B0CF7GARL1", OTHERS]))
    card = await card_of(stage, INES, BOTH)

    assert "B0TS5TILE1 is in the catalog for Tessera, not for this brand" in card
    assert "B0CF7GARL1 is in the catalog" not in card


async def test_a_revision_is_no_repeat_of_what_it_replaces(acting: Acting) -> None:
    stage = await acting(coupon(), coupon(LATER, due=on("2099-01-02", "2099-01-02")))
    root = await stage.say(INES, ASK)
    await offer(stage, INES, root)

    await stage.say(INES, LATER, thread=root)

    async def revised() -> str | None:
        shown = whole_text(await offer(stage, INES, root))
        return shown if "2099" in shown else None

    assert "Please look at this first" not in await stage.bench.until(revised)


async def test_trying_again_looks_for_what_is_likely_the_same(acting: Acting) -> None:
    stage = await acting(coupon(), coupon(ANOTHER, **VOUCHERS))
    await stage.db.pool.execute(
        "alter table agent_tasks add constraint broken check (false) not valid"
    )
    root = await stage.say(INES, ASK)
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.reply_with(INES, root, "was not created")
    await stage.db.pool.execute("alter table agent_tasks drop constraint broken")
    other = await stage.say(SARA_L, ANOTHER)
    await stage.press(SARA_L, await offer(stage, SARA_L, other), "Create task")
    await stage.created("Garlic press: vouchers for May")

    await stage.press(INES, await offer(stage, INES, root, "Try again"), "Try again")

    held = whole_text(await stage.reply_with(INES, root, "for the same procedure and products"))
    assert "Garlic press: vouchers for May" in held
    assert await stage.tasks_named(COUPON) == []
    await stage.press(INES, await offer(stage, INES, root, "Create anyway"), "Create anyway")
    await stage.created(COUPON)


async def test_a_card_links_the_open_tasks_of_the_list_that_are_alike(acting: Acting) -> None:
    title = "New gallery images for the Copperleaf garlic press"
    stage = await acting(coupon(title=title))
    card = await card_of(stage, INES)

    assert "Similar open tasks in the same list" in card
    assert "Upload the new gallery images for the Copperleaf Garlic Press" in card
    assert "Prepare the Brightkettle weekly call notes" not in card


async def test_what_to_look_at_first_stands_before_the_fields(acting: Acting) -> None:
    stage = await acting(coupon())
    await card_of(stage, INES)
    card = await card_of(stage, SARA_L)

    assert card.index("Please look at this first") < card.index("*Client*")


async def test_an_edited_card_says_what_speaks_against_it_as_it_is_now(acting: Acting) -> None:
    stage = await acting(coupon(), coupon(ANOTHER, **VOUCHERS))
    await card_of(stage, SARA_L, ANOTHER)
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    assert "The same task waits" not in whole_text(card)
    await stage.press(INES, card, "Edit")
    [view] = await stage.bench.until(lambda: stage.bench.views(INES))

    await stage.bench.submit_view(INES, view["id"], {"title": "Garlic press: vouchers for May"})

    async def edited() -> str | None:
        shown = whole_text(await offer(stage, INES, root))
        return shown if "vouchers for May" in shown.splitlines()[0] else None

    shown = await stage.bench.until(edited)
    assert "The same task waits on a card, asked for by Sara Lindqvist" in shown
    assert "waits on a card, asked for by Ines" not in shown


async def test_what_one_of_two_drafts_has_is_missed_on_neither(acting: Acting) -> None:
    third = "B0CF7GARL2"
    say = f"{BOTH}, not {third}"
    first = coupon(say)["steps"][0]["calls"][0]
    tile = {"brand": "Tessera", "title": "Tile coupon", "product_identifiers": [OTHERS]}
    second = coupon(say, **tile)["steps"][0]["calls"][0]
    stage = await acting(turn(say, {"calls": [first, second]}, text("Two cards.")))
    root = await stage.say(INES, say)

    card = whole_text(await offer(stage, INES, root, "Create selected"))

    assert f"{OTHERS} stands in the message" not in card
    assert "B0CF7GARL1 stands in the message" not in card
    assert card.count(f"{third} stands in the message, not in the task.") == 2
    await stage.press(INES, await offer(stage, INES, root, "Create all 2"), "Create all 2")
    await stage.created("Tile coupon")
