"""Turns in a language that is made up; `test_languages.py` runs this with the plugin for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from acting import ASKED, INES, OPS, TASK, TOMAS, Acting, call, create, offer_in, text, turn
from stage import Message, Stage, buttons, dm, whole_text

from tests.marked_catalogue import CLOSING, OPENING

MARKED = re.compile(rf"{OPENING}[^{OPENING}{CLOSING}]*{CLOSING}")
# Verbs on buttons and names of fields, of two words at most, are no sentences.
WORDS = re.compile(r"(?:[A-Za-z][\w'’]*[.,:]?\s){2}[A-Za-z]")
ANSWERS = ("Prepared so.", "Looked.", "Not possible.")
DATA = (TASK, ASKED, "Glintly Inc", "Glintly / Glintly Backlog", "Ines Varga")


def outside(written: str) -> Iterator[str]:
    """Yield what a text says besides the catalogue's sentences, names and the model's words."""
    for known in (*DATA, *ANSWERS):
        written = written.replace(known, "")
    while MARKED.search(written):
        written = MARKED.sub("", written)
    yield from (line for line in written.splitlines() if WORDS.search(line))


async def posted(stage: Stage, channel: str) -> list[str]:
    messages: list[Message] = await stage.bench.messages(channel)
    return [whole_text(one) for one in messages if one.get("bot_id")]


async def test_every_sentence_that_code_writes_is_the_catalogues(acting: Acting) -> None:
    stage = await acting(
        turn("make the task", create(), text(ANSWERS[0], changes="prepared")),
        turn("look", call("list_tasks", client="Nowhere"), text("${list_tasks.message}")),
        turn("link it", text(ANSWERS[2], changes="wanted_not_done")),
    )
    root = await stage.bench.post_message(OPS, INES, "<@U01CLAW> make the task")
    card = await offer_in(stage, OPS, root)
    label = buttons(card)[0]
    await stage.bench.interact(OPS, card["ts"], TOMAS, label)
    await stage.bench.interact(OPS, card["ts"], INES, label)
    await stage.created(TASK)
    await stage.settled()
    for said in ("look", "link it"):
        await stage.reply(INES, await stage.say(INES, said))
    await stage.settled()

    in_channel, in_dm = await posted(stage, OPS), await posted(stage, dm(INES))
    whispers = await stage.whispers(TOMAS)
    texts = [whole_text(card), *in_channel, *in_dm, *whispers]
    assert all(any(OPENING in one for one in kind) for kind in (in_channel, in_dm, whispers))
    assert [line for one in texts for line in outside(one)] == []
