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


async def test_what_sounds_like_a_report_is_followed_by_the_truth(acting: Acting) -> None:
    stage = await acting(turn("add the banner", text("The banner lives in the backlog.")))

    root = await stage.say(INES, "add the banner")

    assert f"{UNCHANGED}." in whole_text(await stage.reply(INES, root))


async def test_what_did_change_a_moment_ago_is_not_denied(acting: Acting) -> None:
    thanks = turn("thanks", text("You're welcome: the banner task was created."))
    stage = await acting(creating("make the task"), thanks)
    root = await stage.say(INES, "make the task")
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    await stage.created(TASK)
    await stage.reply_with(INES, root, "Created “")

    await stage.say(INES, "thanks", thread=root)

    said = whole_text(await stage.reply_with(INES, root, "You're welcome"))
    assert f"{UNCHANGED} by this message." in said
    assert f"{UNCHANGED}." not in said


async def test_a_card_says_what_waits_for_the_yes_in_its_own_word(acting: Acting) -> None:
    found = call("search_tools", queries=["update_brand"])
    renaming = call("update_brand", brand="Glintly", client="Glintly Inc", new_name="Glintly Home")
    stage = await acting(turn("rename it", found, renaming, text("It is on the card.")))

    root = await stage.say(INES, "rename it")

    said = whole_text(await stage.reply_with(INES, root, "It is on the card."))
    assert "Nothing is changed until you confirm." in said
