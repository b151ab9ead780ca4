"""Turns in a language that is made up; `test_languages.py` runs this with the plugin for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from acting import ASKED, INES, OPS, TASK, TOMAS, Acting, call, create, offer_in, text, turn
from stage import Message, Stage, buttons, dm

from tests.marked_catalogue import CLOSING, OPENING

MARKED = re.compile(rf"{OPENING}[^{OPENING}{CLOSING}]*{CLOSING}")
WORDS = re.compile(r"[A-Za-z]{2,}")
COMMANDS = ("", "where", "schedules", "tasks", "nonsense", "forget everything", "pause")
ANSWERS = ("Prepared so.", "Looked.", "Not possible.")
PREFERENCE = "Prefers concise task titles"
PEOPLE = ("Ines Varga", "Sara Lindqvist")
DATA = (TASK, ASKED, "Glintly Inc", "Glintly / Glintly Backlog", "Glintly", PREFERENCE, *PEOPLE)
# Addresses, emoji, and commands as they are typed.
NO_WORDS = re.compile(r"<https?://[^|>]*\|?>|:[a-z_]+:|`/claw [^`]*`")


def outside(written: str) -> Iterator[str]:
    """Yield what a text says besides the catalogue's sentences, names and the model's words."""
    for known in (*DATA, *ANSWERS):
        written = written.replace(known, "")
    while MARKED.search(written):
        written = MARKED.sub("", written)
    written = NO_WORDS.sub("", written)
    yield from (line for line in written.splitlines() if WORDS.search(line))


def texts_of(node: Any) -> Iterator[str]:
    """Yield what people read of a message or view: what stands under "text", at any depth."""
    if isinstance(node, list):
        for one in node:
            yield from texts_of(one)
    elif isinstance(node, dict):
        for name, value in node.items():
            if name == "text" and isinstance(value, str):
                yield value
            else:
                yield from texts_of(value)


async def posted(stage: Stage, channel: str) -> list[str]:
    messages: list[Message] = await stage.bench.messages(channel)
    return [text for one in messages if one.get("bot_id") for text in texts_of(one)]


async def test_every_sentence_that_code_writes_is_the_catalogues(acting: Acting) -> None:
    stage = await acting(
        turn("make the task", create(), text(ANSWERS[0], changes="prepared")),
        turn("look", call("list_tasks", client="Nowhere"), text("${list_tasks.message}")),
        turn("link it", text(ANSWERS[2], changes="wanted_not_done")),
    )
    root = await stage.bench.post_message(OPS, INES, "<@U01CLAW> make the task")
    card = await offer_in(stage, OPS, root, f"{OPENING}Create task{CLOSING}")
    label = buttons(card)[0]
    await stage.bench.interact(OPS, card["ts"], TOMAS, label)
    await stage.bench.interact(OPS, card["ts"], INES, label)
    await stage.created(TASK)
    await stage.settled()
    for said in ("look", "link it"):
        await stage.reply(INES, await stage.say(INES, said))
    await stage.settled()

    in_channel, in_dm = await posted(stage, OPS), await posted(stage, dm(INES))
    whispers = list(texts_of(await stage.bench.ephemerals(TOMAS)))
    commands = [
        text
        for words in COMMANDS
        for text in texts_of(await stage.bench.command(dm(INES), INES, "/claw", words))
    ]
    await stage.bench.open_home(INES)
    home = list(texts_of(await stage.bench.until(lambda: stage.bench.home(INES))))

    kinds = [list(texts_of(card)), in_channel, in_dm, whispers, commands, home]
    assert all(any(OPENING in text for text in texts) for texts in kinds)
    assert sorted({line for texts in kinds for text in texts for line in outside(text)}) == []
