"""The last line of an answer, written by code: what changed, or that nothing did."""

from __future__ import annotations

from acting import INES, TASK, Acting, call, creating, offer, text, turn
from stage import whole_text

UNCHANGED = "Nothing was changed"


async def test_small_talk_carries_no_word_about_changes(acting: Acting) -> None:
    stage = await acting(
        turn("hi", text("Hello Ines! Always here for clients, brands and tasks.")),
        turn("what can you do?", text("I can look up tasks and prepare ClickUp work for you.")),
        turn("thanks", text("You're welcome. The next task is only a word away.")),
    )

    for words in ("hi", "what can you do?", "thanks"):
        root = await stage.say(INES, words)
        said = whole_text(await stage.reply(INES, root))
        assert UNCHANGED not in said, said


async def test_plain_information_carries_no_word_about_changes(acting: Acting) -> None:
    done = "The banner task was created by Maya; it is live and all tasks are closed."
    stage = await acting(turn("is it done?", text(done)))

    root = await stage.say(INES, "is it done?")

    assert UNCHANGED not in whole_text(await stage.reply(INES, root))


async def test_a_change_that_was_wanted_and_not_made_is_said_so_by_code(acting: Acting) -> None:
    stage = await acting(
        turn("add the banner", text("That needs a list.", changes="wanted_not_done"))
    )

    root = await stage.say(INES, "add the banner")

    assert f"{UNCHANGED}." in whole_text(await stage.reply(INES, root))


async def test_a_change_that_an_answer_speaks_of_is_told_from_the_rows(acting: Acting) -> None:
    again = turn("is it there?", text("Yes, it was created.", changes="earlier", earlier="e1"))
    stage = await acting(creating("make the task"), again)
    root = await stage.say(INES, "make the task")
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.created(TASK)
    await stage.reply_with(INES, root, "Created “")

    await stage.say(INES, "is it there?", thread=root)

    said = whole_text(await stage.reply_with(INES, root, "Yes, it was created."))
    assert f"On record: “{TASK}”, created, " in said
    assert UNCHANGED not in said


async def test_a_card_says_what_waits_for_the_yes_in_its_own_word(acting: Acting) -> None:
    found = call("search_tools", queries=["update_brand"])
    renaming = call("update_brand", brand="Glintly", client="Glintly Inc", new_name="Glintly Home")
    stage = await acting(turn("rename it", found, renaming, text("It is on the card.")))

    root = await stage.say(INES, "rename it")

    said = whole_text(await stage.reply_with(INES, root, "It is on the card."))
    assert "Nothing on this card is carried out until you confirm." in said
