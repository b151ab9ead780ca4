"""What speaks against a task stands on its card before anybody presses."""

from __future__ import annotations

from acting import INES, SARA_L, Acting, create, offer, on, text, turn
from stage import Stage, dm, whole_text
from test_commands_flow import typed

ANOTHER = "another one for B0CF7GARL1"
COUPON = "Spring coupon for the garlic press"
OTHERS = "B0TS5TILE1"
ASK = "make the coupon task for B0CF7GARL1"
LATER = "make it due on 2099-01-02, for B0CF7GARL1"
BOTH = f"make the coupon task for B0CF7GARL1 and {OTHERS}"


def coupon(say: str = ASK, **more: object) -> dict[str, object]:
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

    assert "The same task waits on a card for Ines Varga" in second


async def test_a_card_names_a_task_of_the_same_procedure_and_products(acting: Acting) -> None:
    stage = await acting(coupon(), coupon(ANOTHER, title="Garlic press: vouchers for May"))
    root = await stage.say(INES, ASK)
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.created(COUPON)

    again = await card_of(stage, INES, ANOTHER)

    assert "A task for the same procedure and products was created for Ines Varga" in again


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
