"""Where a task goes: the brand's own list, or a question, or a refusal. Never a guess."""

from __future__ import annotations

import pytest
from acting import INES, TASK, Acting, create, offer, states, text, turn, whispered
from stage import Stage, buttons, whole_text

from agencyclaw.store.demo_agency import brand_id

ASK = "make the task for B0NEWITEM1, a 20% coupon"
QUESTION = text("${create_task.question}")
REFUSED = text("${create_task.message}")
CARD = text("It is on the card.")
NORTHWATER = {"client": "Northwater", "title": "Write the launch plan"}
HEARTHLANE = {"client": "Hearthlane", "brand": "Hearthlane", "title": "Refresh the store banner"}
COUPON = {
    "title": "Set up the summer coupon",
    "objective": "20% coupon for B0NEWITEM1 in June",
    "product_identifiers": ["B0NEWITEM1"],
}


async def nothing_happened(stage: Stage) -> None:
    await stage.settled()
    assert await stage.proposals() == []
    assert await stage.creates_sent() == 0


async def test_an_unmapped_client_is_refused_and_clickup_is_not_asked(acting: Acting) -> None:
    stage = await acting(turn(ASK, create(**NORTHWATER), REFUSED))

    root = await stage.say(INES, ASK)

    await stage.reply_with(INES, root, "You can link it, as an admin")
    await nothing_happened(stage)
    assert await stage.bench.log(target="clickup") == []


async def test_what_was_asked_of_an_unmapped_client_is_shown_and_kept_whatever_is_answered(
    acting: Acting,
) -> None:
    said = "Northwater: write the launch plan, due Friday"
    due = {"day": {"kind": "weekday", "weekday": "friday"}, "quote": "due Friday"}
    invented = [{"about": "budget", "value": "500 USD", "quote": "500 USD"}]
    asked = create(**NORTHWATER, objective="Write it", due=due, facts=invented)
    stage = await acting(turn(said, asked, text("That can't be done.")))

    root = await stage.say(INES, said)

    reply = whole_text(await stage.reply_with(INES, root, "Kept in this thread"))
    assert "You, as an admin, can link one" in reply
    assert "Title: Write the launch plan" in reply
    assert "Due: Fri" in reply
    assert "Not stated by anyone: 500 USD (Budget)" in reply
    await nothing_happened(stage)


async def test_of_two_clients_without_a_place_each_request_of_one_title_is_kept(
    acting: Acting,
) -> None:
    said = "Northwater and Roderick's Rodric Home: write the launch plan"
    other = {"client": "Roderick Ltd", "brand": "Rodric Home", "title": NORTHWATER["title"]}
    asked = (create(**NORTHWATER, objective="For May"), create(**other, objective="For June"))
    stage = await acting(turn(said, *asked, text("That can't be done.")))
    await stage.db.pool.execute(
        "update brands set clickup_space_id = null where name = 'Rodric Home'"
    )

    root = await stage.say(INES, said)

    reply = whole_text(await stage.reply_with(INES, root, "Kept in this thread"))
    assert "For May" in reply
    assert "For June" in reply


async def test_a_card_of_another_client_with_a_longer_title_takes_no_kept_request_away(
    acting: Acting,
) -> None:
    said = "Northwater: write the launch plan. Roderick Ltd: write the launch plan for Rodric"
    other = create(client="Roderick Ltd", title="Write the launch plan for Rodric")
    stage = await acting(turn(said, create(**NORTHWATER, objective="For May"), other, CARD))
    await stage.db.pool.execute(
        "update brands set clickup_space_id = null where name = 'Rodric Home'"
    )

    root = await stage.say(INES, said)

    await offer(stage, INES, root)
    shown = [whole_text(one) for one in await stage.replies(INES, root)]
    assert any("Kept in this thread" in one for one in shown)


async def test_what_is_on_a_card_after_all_is_not_shown_as_kept(acting: Acting) -> None:
    unmapped = create(client="Roderick Ltd", brand="Rodric Home", title=NORTHWATER["title"])
    again = create(client="Roderick Ltd", title=NORTHWATER["title"])
    stage = await acting(turn(ASK, unmapped, again, CARD))
    await stage.db.pool.execute(
        "update brands set clickup_space_id = null where name = 'Rodric Home'"
    )
    root = await stage.say(INES, ASK)

    await offer(stage, INES, root)
    assert not any(
        "Kept in this thread" in whole_text(one) for one in await stage.replies(INES, root)
    )


async def test_the_one_mapped_brand_is_used(acting: Acting) -> None:
    stage = await acting(turn(ASK, create(client="Roderick Ltd"), CARD))
    await stage.db.pool.execute(
        "update brands set clickup_space_id = null where name = 'Rodric Home'"
    )

    card = await offer(stage, INES, await stage.say(INES, ASK))

    assert "Roderick / Rodric" in whole_text(card)


async def test_a_space_alone_leads_to_its_own_inbox(acting: Acting) -> None:
    stage = await acting(turn(ASK, create(**HEARTHLANE), CARD))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)

    await stage.press(INES, card, "Create task")

    [task] = await stage.created("Refresh the store banner")
    assert task["list"]["id"] == "901005000042"


async def test_a_space_without_lists_is_refused(acting: Acting) -> None:
    stage = await acting(turn(ASK, create(**HEARTHLANE), REFUSED))
    await stage.db.pool.execute(
        "update brands set clickup_space_id = '90100500010' where name = 'Hearthlane';"
        "update clickup_space_registry set active = true"
    )

    root = await stage.say(INES, ASK)

    await stage.reply_with(INES, root, "without a clear list for new tasks")
    await nothing_happened(stage)


async def test_a_brand_is_exact_unique_or_asked(acting: Acting) -> None:
    stage = await acting(
        turn("exact", create(client="Pawtrail", brand="PAWTRAIL"), CARD),
        turn("unique", create(client="Pawtrail", brand="lite"), QUESTION),
        turn("two", create(client="Hearthlane", brand="hearth"), QUESTION),
        turn("none", create(client="Pawtrail", brand="Ultra"), QUESTION),
    )

    exact = await offer(stage, INES, await stage.say(INES, "exact"))
    unique = await stage.reply(INES, await stage.say(INES, "unique"))
    two = await stage.reply(INES, await stage.say(INES, "two"))
    none = await stage.reply(INES, await stage.say(INES, "none"))

    assert "*Brand*\nPawtrail\n" in whole_text(exact)
    assert "Do you mean this brand of Pawtrail?" in whole_text(unique)
    assert buttons(unique) == ["Pawtrail Lite"]
    assert buttons(two) == ["Hearthlane", "Hearthlane Kids"]
    assert buttons(none) == ["Pawtrail", "Pawtrail Lite", "Pawtrail Pro"]
    assert "no brand called “Ultra”" in whole_text(none)


async def test_product_work_asks_which_brand_and_the_button_goes_on(
    acting: Acting,
) -> None:
    stage = await acting(
        turn(ASK, create(client="Brightkettle Group", **COUPON), QUESTION),
        turn("Copperleaf", create(client="Brightkettle Group", brand="Copperleaf", **COUPON), CARD),
    )
    root = await stage.say(INES, ASK)
    question = await stage.reply_with(INES, root, "Which brand of Brightkettle Group is it for?")
    assert buttons(question) == ["Copperleaf", "Nordvent", "Tessera"]

    await stage.press(INES, question, "Copperleaf")

    card = await offer(stage, INES, root)
    await stage.reply_with(INES, root, "It is on the card.")
    card = await offer(stage, INES, root)
    assert "for Copperleaf" in whole_text(card)


async def test_different_lists_are_a_question(acting: Acting) -> None:
    stage = await acting(turn(ASK, create(client="Pawtrail"), QUESTION))
    await stage.db.pool.execute(
        "update brands set clickup_list_id = '901005000061' where name = 'Pawtrail Pro'"
    )

    root = await stage.say(INES, ASK)

    question = await stage.reply_with(INES, root, "different ClickUp lists")
    assert len(buttons(question)) == 3
    await nothing_happened(stage)


async def test_the_brand_touched_last_is_not_chosen(acting: Acting) -> None:
    stage = await acting(turn(ASK, create(client="Brightkettle Group", **COUPON), QUESTION))
    asked: list[list[str]] = []
    for touched in ("Copperleaf", "Tessera"):
        await stage.db.pool.execute(
            "update brands set updated_at = now() + interval '1 day' where id = $1",
            brand_id("Brightkettle Group", touched),
        )

        asked.append(buttons(await stage.reply(INES, await stage.say(INES, ASK))))

    assert asked[0] == asked[1]
    await nothing_happened(stage)


async def test_a_list_that_was_changed_since_is_not_written_to(acting: Acting) -> None:
    stage = await acting(turn(ASK, create(), CARD))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    await stage.db.pool.execute(
        "update brands set clickup_list_id = '901005000031' where name = 'Glintly'"
    )

    await stage.press(INES, card, "Create task")

    said = whole_text(await stage.reply_with(INES, root, "was changed since"))
    assert "Here is the new proposal" in said
    await stage.settled()
    assert await states(stage) == ["cancelled", "open"]
    assert buttons(await _again(stage, root, card["ts"])) == []
    assert await stage.creates_sent() == 0
    fresh = await offer(stage, INES, root)
    assert fresh["ts"] != card["ts"]
    await stage.press(INES, fresh, "Create task")
    [task] = await stage.created(TASK)
    assert task["list"]["id"] == "901005000031"


@pytest.mark.usefixtures("brisk")
async def test_the_list_that_it_was_changed_to_is_waited_for_while_clickup_is_away(
    acting: Acting,
) -> None:
    stage = await acting(turn(ASK, create(), CARD))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    await stage.db.pool.execute(
        "update brands set clickup_list_id = '901005000031' where name = 'Glintly'"
    )
    await stage.bench.set_fault("clickup", "error_before", times=1_000)

    await stage.press(INES, card, "Create task")

    await whispered(stage, INES, "waiting for ClickUp")
    await stage.bench.clear_faults()
    await stage.reply_with(INES, root, "Here is the new proposal")


async def test_a_list_that_is_in_doubt_since_gets_no_new_proposal(acting: Acting) -> None:
    stage = await acting(turn(ASK, create(), CARD))
    root = await stage.say(INES, ASK)
    card = await offer(stage, INES, root)
    await stage.db.pool.execute(
        "update brands set clickup_list_id = null, clickup_space_id = null where name = 'Glintly'"
    )

    await stage.press(INES, card, "Create task")

    await stage.reply_with(INES, root, "changed since; ask me again")
    await stage.settled()
    assert await states(stage) == ["cancelled"]
    assert await stage.creates_sent() == 0


async def _again(stage: Stage, root: str, ts: str) -> dict[str, object]:
    [message] = [m for m in await stage.replies(INES, root) if m["ts"] == ts]
    return message
