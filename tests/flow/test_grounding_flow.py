"""What a task rests on: the procedure reaches ClickUp, and without one nothing is invented."""

from __future__ import annotations

from acting import INES, Acting, call, create, offer, text, turn
from stage import Stage, buttons, whole_text

ASK = "make the task for B0CF7GARL1"
COUPON = {
    "client": "Brightkettle Group",
    "brand": "Copperleaf",
    "title": "Set up the coupon for the garlic press",
    "objective": "coupon for the garlic press B0CF7GARL1",
    "product_identifiers": ["B0CF7GARL1"],
}
LATER = "10% off, later. I don't have the ASINs yet"
BARE = {"title": "Fix landing page", "objective": "Fix landing page"}


async def body_of(stage: Stage, title: str) -> str:
    """The Markdown with which ClickUp was asked to create a task."""
    await stage.created(title)
    sent = await stage.bench.log(target="clickup", operation="create_task")
    [body] = [one["body"] for one in sent if one["body"]["name"] == title]
    return str(body["markdown_content"])


async def test_the_procedure_reaches_the_task_in_clickup(acting: Acting) -> None:
    looking = call("search_kb", query="coupons")
    said = text("“${search_kb.procedures.0.title}” (${search_kb.procedures.0.confidence})")
    stage = await acting(turn(ASK, looking, create(**COUPON), said))
    root = await stage.say(INES, ASK)
    await stage.reply_with(INES, root, "“Coupons Promotion SOP” (high)")
    card = await offer(stage, INES, root)
    assert "SOP “Coupons Promotion SOP”" in whole_text(card)

    await stage.press(INES, card, "Create task")

    body = await body_of(stage, COUPON["title"])
    assert "Coupons Promotion SOP" in body
    steps = [line.strip() for line in body.splitlines() if "[ ]" in line]
    assert len(steps) >= 6
    assert len(set(steps)) == len(steps)


async def test_without_a_procedure_it_asks_and_invents_no_steps(acting: Acting) -> None:
    asked = text("${search_kb.note}\n\n${create_task.question}")
    stage = await acting(
        turn(ASK, call("search_kb", query="qqqq zzzz"), create(**BARE), asked),
        turn("Create it anyway", create(**BARE, create_anyway=True), text("It is on the card.")),
    )
    root = await stage.say(INES, ASK)
    question = await stage.reply_with(INES, root, "No procedure was found")
    assert buttons(question) == ["Create it anyway"]
    assert await stage.proposals() == []

    await stage.press(INES, question, "Create it anyway")

    await stage.reply_with(INES, root, "It is on the card.")
    card = whole_text(await offer(stage, INES, root, "Create task"))
    assert "SOP “" not in card
    assert "[ ]" not in card
    assert card.count("No SOP was found") == 1
    assert "SOP Reference" not in card


async def test_an_earlier_task_is_mentioned_and_asked_about(acting: Acting) -> None:
    stage = await acting(
        turn("the first", create(title="Fix landing page"), text("It is on the card.")),
        turn(
            "the next",
            create(**{**BARE, "title": "Fix the landing page again"}),
            text("${create_task.question}"),
        ),
    )
    root = await stage.say(INES, "the first")
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.reply_with(INES, root, "Created “")

    root = await stage.say(INES, "the next")

    await stage.reply_with(INES, root, "earlier task “Fix landing page”")


async def test_identifiers_come_in_and_their_deferral_does_not(acting: Acting) -> None:
    given = {
        **COUPON,
        "objective": "coupon for the garlic press",
        "product_identifiers": ["b08xyz1234"],
    }
    later = {
        **COUPON,
        "title": "Set up the coupon for the desk fans",
        "brand": "Nordvent",
        "objective": "coupon for the desk fans, 10% off in June",
        "product_identifiers": [],
    }
    card = text("It is on the card.")
    stage = await acting(
        turn("given b08xyz1234", create(**given), card),
        turn(LATER, create(**later, identifiers_pending=True), card),
    )
    for said in ("given b08xyz1234", LATER):
        root = await stage.say(INES, said)
        await stage.press(INES, await offer(stage, INES, root), "Create task")
        await stage.reply_with(INES, root, "Created “")

    assert "B08XYZ1234" in await body_of(stage, given["title"])
    body = await body_of(stage, later["title"])
    assert "I don't have" not in body
    assert "pending" in body.lower()


async def test_vague_products_are_asked_for_and_other_work_is_not(acting: Acting) -> None:
    vague = {**COUPON, "product_identifiers": ["garlic press"]}
    stage = await acting(
        turn("vague", create(**vague), text("${create_task.question}")),
        turn("other", create(), text("It is on the card.")),
    )

    vague_root = await stage.say(INES, "vague")
    other_root = await stage.say(INES, "other")

    question = await stage.reply_with(INES, vague_root, "Which products is it about?")
    assert buttons(question) == [
        "B0CF7GARL1 Garlic Press, black",
        "B0CF7GARL2 Garlic Press, silver",
        "Create it with the identifiers pending",
    ]
    await offer(stage, INES, other_root)
    assert len(await stage.proposals()) == 1
