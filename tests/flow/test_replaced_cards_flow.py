"""A card that a new one takes the place of: what the model is told is what happens to the rows."""

from __future__ import annotations

from typing import Any

import pytest
from acting import ASKED, INES, ScriptedModel, calls, minded, offer, on, states
from stage import Stage, buttons, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

TITLE = "Straße banner İzmir"
CARD, NEW_CARD = "It is on the card.", "It is on the new card."


@pytest.mark.parametrize(
    ("replaces", "is_withdrawn"),
    [
        (TITLE, True),
        ("STRASSE BANNER İZMIR", True),
        ("Ｓｔｒａße  banner “İzmir”".replace("“", "").replace("”", ""), True),
        ("Straße banner İzmir.", True),
        ("Strase banner İzmir", False),
        ("Straße banner", False),
        ("", False),
    ],
)
async def test_what_is_said_to_be_withdrawn_is_what_the_rows_have(
    bench: Bench, agency: Database, replaces: str, is_withdrawn: bool
) -> None:
    made = {"client": "Glintly Inc", "objective": ASKED}
    mind = ScriptedModel(
        calls("create_task", **made, title=TITLE),
        CARD,
        calls("create_task", **made, title="Another banner", replaces=replaces),
        NEW_CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner task")
        await stage.reply_with(INES, root, CARD)
        await stage.say(INES, "no, the other one", thread=root)
        await stage.reply_with(INES, root, NEW_CARD)
        await stage.settled()

        assert ("superseded" in await states(stage)) is is_withdrawn
    assert ("is withdrawn when this one is shown" in mind.heard()) is is_withdrawn


FRIDAY = on("2099-01-02", "by 2099-01-02")
MADE = {"title": TITLE, "objective": ASKED}
GLINTLY, PAWTRAIL = (
    {**MADE, "client": "Glintly Inc"},
    {**MADE, "client": "Pawtrail", "brand": "Pawtrail"},
)
WHOSE = "Glintly, Glintly Inc"
HEARTHLANE = {**MADE, "client": "Hearthlane", "brand": "Hearthlane"}
INSTEAD = {**PAWTRAIL, "replaces": TITLE}


async def waiting(stage: Stage) -> list[tuple[str, str]]:
    """Every proposal's client and state, oldest first."""
    rows = await stage.proposals()
    return [(row["arguments"]["client"]["name"], row["state"]) for row in rows]


async def test_a_change_of_mind_about_the_client_replaces_the_card(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("create_task", **GLINTLY), CARD, calls("create_task", **INSTEAD), NEW_CARD
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner task")
        old = await offer(stage, INES, root)
        await stage.say(INES, "make it for Pawtrail instead", thread=root)
        await stage.reply_with(INES, root, NEW_CARD)
        await stage.settled()
        assert await waiting(stage) == [("Glintly Inc", "superseded"), ("Pawtrail", "open")]

        # The old card can't be confirmed any more, and the word belongs to the new one.
        await stage.press(INES, old, "Create task")
        await stage.settled()
        assert await stage.bench.log(target="clickup", operation="create_task") == []
        assert f"“{TITLE}” for {WHOSE} is withdrawn when this one is shown" in mind.heard()


async def test_a_yes_after_the_client_was_changed_creates_the_new_task_alone(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("create_task", **GLINTLY), CARD, calls("create_task", **INSTEAD), NEW_CARD
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner task")
        await stage.reply_with(INES, root, CARD)
        await stage.say(INES, "make it for Pawtrail instead", thread=root)
        await stage.reply_with(INES, root, NEW_CARD)
        await stage.settled()
        await stage.say(INES, "yes", thread=root)
        await stage.reply_with(INES, root, "Created “")
        assert await waiting(stage) == [("Glintly Inc", "superseded"), ("Pawtrail", "done")]


async def test_the_card_of_the_same_client_is_replaced_before_one_of_another(
    bench: Bench, agency: Database
) -> None:
    renamed = {**PAWTRAIL, "title": "Another banner", "replaces": TITLE}
    mind = ScriptedModel(
        calls("create_task", **GLINTLY),
        calls("create_task", **PAWTRAIL),
        CARD,
        calls("create_task", **renamed),
        NEW_CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner tasks")
        await stage.reply_with(INES, root, CARD)
        await stage.say(INES, "call the one of Pawtrail another banner", thread=root)
        await stage.reply_with(INES, root, NEW_CARD)
        await stage.settled()
        assert await waiting(stage) == [
            ("Glintly Inc", "open"),
            ("Pawtrail", "superseded"),
            ("Pawtrail", "open"),
        ]


async def test_where_several_cards_of_that_title_wait_it_asks_which_is_replaced(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("create_task", **GLINTLY),
        calls("create_task", **HEARTHLANE),
        CARD,
        calls("create_task", **INSTEAD),
        "Which one?",
        calls("create_task", **INSTEAD, replaces_of="Hearthlane"),
        NEW_CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner tasks")
        await stage.reply_with(INES, root, CARD)
        await stage.say(INES, "make it for Pawtrail instead", thread=root)
        question = await stage.reply_with(INES, root, "Which one?")
        assert await waiting(stage) == [("Glintly Inc", "open"), ("Hearthlane", "open")]
        assert buttons(question) == [WHOSE, "Hearthlane"]

        await stage.press(INES, question, "Hearthlane")
        await stage.reply_with(INES, root, NEW_CARD)
        await stage.settled()
        assert await waiting(stage) == [
            ("Glintly Inc", "open"),
            ("Hearthlane", "superseded"),
            ("Pawtrail", "open"),
        ]


async def test_a_card_in_another_thread_is_replaced_only_where_its_client_is_named(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("create_task", **GLINTLY),
        CARD,
        calls("create_task", **INSTEAD),
        NEW_CARD,
        calls("create_task", **INSTEAD, replaces_of="Glintly"),
        "It is on the newest card.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner task")
        await stage.reply_with(INES, root, CARD)
        elsewhere = await stage.say(INES, "make it for Pawtrail instead")
        await stage.reply_with(INES, elsewhere, NEW_CARD)
        await stage.settled()
        assert await waiting(stage) == [("Glintly Inc", "open"), ("Pawtrail", "open")]
        assert f"There is “{TITLE}” for {WHOSE}: to replace it," in mind.heard()

        await stage.say(INES, "I mean instead of the one for Glintly", thread=elsewhere)
        await stage.reply_with(INES, elsewhere, "It is on the newest card.")
        await stage.settled()
        states = [state for _, state in await waiting(stage)]
        assert states == ["superseded", "superseded", "open"]


async def test_a_task_corrected_in_one_answer_is_one_card(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(
        calls("create_task", **GLINTLY),
        calls("create_task", **{**GLINTLY, "objective": ASKED, "replaces": TITLE, "due": FRIDAY}),
        CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner task by 2099-01-02")
        card = await offer(stage, INES, root)

        assert await waiting(stage) == [("Glintly Inc", "open")]
        assert "Create task" in buttons(card)
    assert "of this answer is dropped" in mind.heard()


async def test_two_tasks_of_one_title_in_one_answer_are_two(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(
        calls("create_task", **GLINTLY),
        calls("create_task", **GLINTLY, due=FRIDAY, create_anyway=True),
        CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "two banner tasks, one of them by 2099-01-02")
        await stage.reply_with(INES, root, CARD)
        await stage.settled()

        assert await waiting(stage) == [("Glintly Inc", "open")] * 2


BOTH = "two banner tasks, by 2099-01-02 and by 2099-01-09, priority urgent"
URGENT = {"facts": [{"about": "priority", "value": "urgent", "quote": "priority urgent"}]}
NEXT_FRIDAY = on("2099-01-09", "by 2099-01-09")
LATER = {"client": "", "title": TITLE, "objective": "", "due": on("2099-01-16", "by 2099-01-16")}


async def dues(stage: Stage) -> list[tuple[str, str]]:
    """Every proposal's due day and state, oldest first."""
    rows = await stage.proposals()
    return [(row["arguments"]["due"], row["state"]) for row in rows]


async def moved_to_later(stage: Stage) -> str:
    """What Ines wants is on a card, and she wants it later; returns the thread."""
    root = await stage.say(INES, BOTH)
    await stage.reply_with(INES, root, CARD)
    await stage.say(INES, "make it by 2099-01-16", thread=root)
    return root


async def test_of_two_cards_of_one_title_it_asks_which_and_keeps_what_stands_on_that_one(
    bench: Bench, agency: Database
) -> None:
    again = {**LATER, "replaces": TITLE}
    mind = ScriptedModel(
        calls("create_task", **GLINTLY, due=FRIDAY),
        calls("create_task", **GLINTLY, due=NEXT_FRIDAY, **URGENT, create_anyway=True),
        CARD,
        calls("create_task", **again),
        "Which one?",
        calls("create_task", **again),
        NEW_CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await moved_to_later(stage)
        question = await stage.reply_with(INES, root, "Which one?")
        assert buttons(question) == [
            "Due Fri 2 Jan 2099, Priority none",
            "Due Fri 9 Jan 2099, Priority urgent",
        ]

        await stage.press(INES, question, "Due Fri 9 Jan 2099, Priority urgent")
        await stage.reply_with(INES, root, NEW_CARD)
        await stage.settled()
        assert await dues(stage) == [
            ("2099-01-02", "open"),
            ("2099-01-09", "superseded"),
            ("2099-01-16", "open"),
        ]
        new = (await stage.proposals())[-1]["arguments"]
        assert [one["value"] for one in new["facts"]] == ["urgent"]


async def test_what_a_card_of_the_same_task_loses_is_said_though_it_was_not_named(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("create_task", **GLINTLY, due=FRIDAY, **URGENT),
        CARD,
        calls("create_task", **GLINTLY, due=on("2099-01-16", "by 2099-01-16")),
        NEW_CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await moved_to_later(stage)
        await stage.reply_with(INES, root, NEW_CARD)
        await stage.settled()
        new = (await stage.proposals())[-1]["arguments"]
    said = "No longer in it, but on the card it replaces: Priority: urgent."
    assert said in new["remarks"]
    assert said in mind.heard()


async def test_a_task_prepared_again_in_one_answer_is_said_to_be_a_second_one_or_replaces_it(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("create_task", **GLINTLY, due=FRIDAY, **URGENT),
        calls("create_task", **GLINTLY, due=NEXT_FRIDAY),
        calls("create_task", **{**LATER, "due": NEXT_FRIDAY}, replaces=TITLE),
        CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, BOTH)
        await stage.reply_with(INES, root, CARD)
        await stage.settled()
        [made] = await stage.proposals()
        assert (made["state"], made["arguments"]["due"]) == ("open", "2099-01-09")
        assert [one["value"] for one in made["arguments"]["facts"]] == ["urgent"]
    assert f"“{TITLE}” is prepared in this answer already." in mind.heard()


async def test_a_revision_that_is_corrected_in_one_answer_still_replaces_the_card(
    bench: Bench, agency: Database
) -> None:
    revised = {**GLINTLY, "title": "Banner, revised"}
    mind = ScriptedModel(
        calls("create_task", **GLINTLY),
        CARD,
        calls("create_task", **{**revised, "replaces": TITLE}),
        calls("create_task", **{**revised, "title": "Banner", "replaces": "Banner, revised"}),
        NEW_CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner task")
        await offer(stage, INES, root)
        await stage.say(INES, "call it something else", thread=root)
        await stage.reply_with(INES, root, NEW_CARD)
        await stage.settled()

        rows = await stage.proposals()
        assert [(row["arguments"]["title"], row["state"]) for row in rows] == [
            (TITLE, "superseded"),
            ("Banner", "open"),
        ]


async def test_a_task_of_another_brand_corrects_nothing(bench: Bench, agency: Database) -> None:
    copperleaf = {**MADE, "client": "Brightkettle Group", "brand": "Copperleaf", "replaces": TITLE}
    mind = ScriptedModel(
        calls("create_task", **copperleaf),
        calls("create_task", **{**copperleaf, "brand": "Nordvent"}),
        CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "the banner task again, one each for Copperleaf and Nordvent")
        await stage.reply_with(INES, root, CARD)
        await stage.settled()

        assert await waiting(stage) == [("Brightkettle Group", "open")] * 2


DRAFTED, OTHER_DAY = {**GLINTLY, "due": FRIDAY}, on("2099-01-09", "by 2099-01-09")
ASSIGNED = {"client": "Glintly Inc", "role": "CSL", "person": "Miguel Duarte"}


@pytest.mark.parametrize(
    ("again", "cards"),
    [
        ({**DRAFTED, "objective": f"{ASKED}."}, 1),
        ({**DRAFTED, "replaces": TITLE}, 1),
        ({**DRAFTED, "replaces": "Some card that is long gone"}, 1),
        ({**DRAFTED, "due": OTHER_DAY}, 1),
        ({**DRAFTED, "due": OTHER_DAY, "create_anyway": True}, 2),
    ],
)
async def test_the_same_task_prepared_twice_in_one_turn_is_one_card(
    bench: Bench, agency: Database, again: dict[str, object], cards: int
) -> None:
    mind = ScriptedModel(calls("create_task", **DRAFTED), calls("create_task", **again), CARD)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "the banner task, by 2099-01-02 and by 2099-01-09")
        await stage.reply_with(INES, root, CARD)
        await stage.settled()

        assert len(await states(stage)) == cards


async def test_a_change_of_a_record_prepared_twice_in_one_turn_is_one_card(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("search_tools", queries=["give a person a role"]),
        calls("assign_person", **ASSIGNED),
        calls("assign_person", **ASSIGNED, brand=""),
        CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "Miguel is CSL of Glintly Inc")
        await stage.reply_with(INES, root, CARD)
        await stage.settled()

        assert await states(stage) == ["open"]


async def test_the_budget_that_is_to_be_forgotten_is_off_the_new_card(
    bench: Bench, agency: Database
) -> None:
    asked = "a 20% coupon for Pawtrail, budget 500 USD, from Black Friday on"
    coupon: dict[str, Any] = {
        **PAWTRAIL,
        "title": "Coupon for the collars",
        "objective": "A 20% coupon for the collars.",
        "promotion": {
            "type": "coupon",
            "discount": {"value": "20%", "quote": "20% coupon"},
            "budget": {"value": "500 USD", "quote": "budget 500 USD"},
            "starts": {"quote": "from Black Friday on"},
        },
        "identifiers_pending": True,
    }
    without = {**PAWTRAIL, "title": coupon["title"], "objective": "", "clears": ["budget"]}
    mind = ScriptedModel(
        calls("create_task", **coupon),
        CARD,
        calls("create_task", **without, replaces=coupon["title"]),
        NEW_CARD,
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, asked)
        old = whole_text(await offer(stage, INES, root))
        await stage.say(INES, "forget the budget", thread=root)
        await stage.reply_with(INES, root, NEW_CARD)
        await stage.settled()
        new = whole_text(await offer(stage, INES, root))

    assert "500 USD" in old
    assert "from Black Friday on" in old
    assert "from Black Friday on" in new
    [gone] = [line for line in new.splitlines() if "500 USD" in line]
    assert "No longer in it" in gone
