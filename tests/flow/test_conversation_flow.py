"""A conversation goes on: over threads, over restarts, over questions that nobody answers."""

from __future__ import annotations

from acting import (
    INES,
    TASK,
    Acting,
    ScriptedModel,
    call,
    calls,
    count,
    create,
    creating,
    minded,
    offer,
    receipts_done,
    states,
    text,
    turn,
)
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ToolCallPart
from stage import buttons, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

NEW = "new task for Brightkettle"
WHICH_WORDS = "In a few words: what is to be done for Brightkettle Group?"
PHRASE = "Spring coupon for the garlic press B0CF7GARL1"


def untitled() -> dict[str, str]:
    return {"client": "Brightkettle Group", "title": "", "objective": ""}


async def test_a_top_level_answer_to_a_question_is_understood(
    bench: Bench, agency: Database
) -> None:
    made = {"client": "Brightkettle Group", "title": PHRASE, "objective": PHRASE}
    mind = ScriptedModel(
        calls("create_task", **untitled()),
        WHICH_WORDS,
        calls("create_task", **made),
        "It is on the card.",
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, NEW))

        root = await stage.say(INES, PHRASE)

        assert "Copperleaf (found by the product)" in whole_text(await offer(stage, INES, root))
    assert NEW in mind.heard(2)
    assert WHICH_WORDS in mind.heard(2)
    assert mind.heard(2).rstrip().endswith(PHRASE)


async def test_an_impatient_answer_gets_further_and_names_no_task(acting: Acting) -> None:
    impatient = {
        "client": "Brightkettle Group",
        "title": "",
        "objective": "",
    }
    placeholder = "To be specified for Brightkettle Group"
    stage = await acting(
        turn(NEW, create(**untitled()), text("${create_task.question}")),
        turn("jsut create it", create(**impatient), text("${create_task.question}")),
        turn(
            placeholder,
            create(
                client="Brightkettle Group", title=placeholder, objective="", create_anyway=True
            ),
            text("It is on the card."),
        ),
    )
    root = await stage.say(INES, NEW)
    first = await stage.reply_with(INES, root, "what is to be done")

    await stage.say(INES, "jsut create it", thread=root)

    second = await stage.reply(INES, root, index=1)
    await stage.settled()
    assert (await offer(stage, INES, root, placeholder))["ts"] == second["ts"] != first["ts"]
    assert await stage.proposals() == []
    await stage.press(INES, second, placeholder)
    card = await offer(stage, INES, root)
    assert placeholder in whole_text(card)


async def test_a_suggested_title_is_taken_by_saying_it_and_is_no_button(acting: Acting) -> None:
    said = (
        "please create a task for Glintly Inc: reshoot the lens cleaner photos in daylight. Three "
        "square pictures per bottle, made by the studio next door"
    )
    idea = "Reshoot the lens cleaner photos in daylight"
    asked = {"client": "Glintly Inc", "title": "", "objective": idea, "details": said}
    stage = await acting(
        turn(said, create(**asked), text("${create_task.question}")),
        turn(idea, create(**{**asked, "title": idea}), text("It is on the card.")),
    )
    root = await stage.say(INES, said)
    question = await stage.reply_with(INES, root, "I suggest")
    assert buttons(question) == []

    await stage.say(INES, idea, thread=root)

    assert idea in whole_text(await offer(stage, INES, root))


async def test_a_question_survives_a_restart(bench: Bench, agency: Database) -> None:
    asking = ScriptedModel(calls("create_task", **untitled()), WHICH_WORDS)
    async with minded(bench, agency, asking) as stage:
        root = await stage.say(INES, NEW)
        await stage.reply_with(INES, root, "In a few words")
    knowing = ScriptedModel("Thank you, that is the title.")

    async with minded(bench, agency, knowing) as stage:
        await stage.say(INES, PHRASE, thread=root)
        await stage.reply_with(INES, root, "that is the title")

    assert WHICH_WORDS in knowing.heard(0)


async def test_a_blank_message_is_not_an_answer(acting: Acting) -> None:
    stage = await acting(turn(NEW, create(**untitled()), text("${create_task.question}")))
    root = await stage.say(INES, NEW)
    await stage.reply_with(INES, root, "In a few words")

    await stage.say(INES, "\u200b \u2060 ", thread=root)

    await stage.say(INES, "help", thread=root)
    await stage.reply_with(INES, root, "You can ask me about")
    assert await count(stage, "agent_runs") == 1
    assert len(await stage.replies(INES, root)) == 2


async def test_a_title_that_was_given_is_kept_as_typed_and_not_asked_for(
    acting: Acting,
) -> None:
    title = "FIX the iPhone-Case banner (v2)"
    stage = await acting(creating("make it", title=title))
    root = await stage.say(INES, "make it")

    await stage.press(INES, await offer(stage, INES, root), "Create task")

    assert len(await stage.created(title)) == 1


async def test_what_was_stored_and_cannot_be_read_stops_nobody(acting: Acting) -> None:
    stage = await acting(creating("make the task"), turn("hello", text("Hello!")))
    root = await stage.say(INES, "make the task")
    card = await offer(stage, INES, root)
    await stage.settled()
    await stage.db.pool.execute(
        'update agent_messages set content = \'{"kind": "poem"}\';'
        'update proposals set arguments = \'{"kind": "create_task", "title": 7}\''
    )

    await stage.say(INES, "hello", thread=root)
    await stage.reply_with(INES, root, "Hello!")
    await stage.press(INES, card, "Create task")
    await stage.say(INES, "make the task", thread=root)

    fresh = await offer(stage, INES, root)
    await stage.bench.until(lambda: _has_two(stage))
    await stage.settled()
    fresh = await offer(stage, INES, root)
    await stage.press(INES, fresh, "Create task")
    await stage.created(TASK)
    await stage.settled()
    assert await stage.creates_sent() == 1
    assert await receipts_done(stage)


async def _has_two(stage: object) -> bool:
    return len(await states(stage)) == 2  # pyright: ignore[reportArgumentType]


async def test_another_request_leaves_the_question_and_a_later_yes_creates_nothing(
    acting: Acting,
) -> None:
    coupon = {"client": "Brightkettle Group", "brand": "Copperleaf", "title": "Set up a coupon"}
    stage = await acting(
        turn("coupon", create(**coupon, objective="a coupon"), text("${create_task.question}")),
        turn(
            "what is due for Glintly",
            call("list_tasks", client="Glintly"),
            text("${list_tasks.total} are due."),
        ),
        turn("yes", text("Yes to what?")),
    )
    root = await stage.say(INES, "coupon")
    await stage.reply_with(INES, root, "Which products is it about?")

    await stage.say(INES, "what is due for Glintly", thread=root)
    await stage.reply_with(INES, root, "are due.")
    await stage.say(INES, "yes", thread=root)

    await stage.reply_with(INES, root, "Yes to what?")
    assert await stage.proposals() == []


async def test_what_code_said_is_known_to_the_next_turn(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel("Hello!")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "help"))

        await stage.reply(INES, await stage.say(INES, "what did you say?"))

        rows = await agency.pool.fetch("select role from agent_messages order by id")
        assert [row["role"] for row in rows] == ["user", "assistant"]
    assert "I look things up and prepare work; you decide." in mind.heard(0)


async def test_what_failed_is_known_to_whoever_says_try_again(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        ModelHTTPError(401, "down"), calls("lookup_client"), TimeoutError(), "You have 5."
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "which clients do we have")
        await stage.reply_with(INES, root, "refuses me")
        await stage.say(INES, "try again", thread=root)
        await stage.reply_with(INES, root, "took too long")

        await stage.say(INES, "and once more", thread=root)

        await stage.reply_with(INES, root, "You have 5.")
    heard = mind.heard()
    assert "which clients do we have" in heard
    assert "refuses me" in heard
    assert heard.index("try again") < heard.index("took too long") < heard.index("and once more")
    unanswered = [
        part
        for message in mind.told[-1]
        for part in message.parts
        if isinstance(part, ToolCallPart)
    ]
    assert unanswered == []


async def test_new_starts_afresh(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel("The magpie brief.", "Hello!")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "which brief"))

        await stage.reply_with(INES, await stage.say(INES, "new"), "Fresh start")
        await stage.reply(INES, await stage.say(INES, "hello"))

    assert "magpie" not in mind.heard()
