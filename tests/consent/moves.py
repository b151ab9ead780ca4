"""Moves of the plays on the wire beside words: presses on every sort of card, streamed answers."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.consent.heard import Document
from tests.consent.transcript import Button, PauseSwitch, Press, instant
from tests.consent.wire import INES, OPS, TOMAS, Play, are_open, heard, reply, wish
from workbench.slack.workspace import WORKSPACE

LABELS = {Button.CONFIRM: "claw_confirm", Button.CANCEL: "claw_cancel"}
LONG = "The storefront banner is what most visitors see first, and it has been the same for long. "


async def cards_of(one: Play) -> list[Document]:
    """Return the messages with buttons of a card, oldest first, and note what they show."""
    await one.played.look(one.stage, one.channel)
    found = await one.stage.bench.messages(one.channel)
    return [message for message in found if message["ts"] in one.played.cards]


BUTTONS = (Button.CONFIRM, Button.CONFIRM, Button.CANCEL)


async def press(
    one: Play,
    card: Document,
    *,
    user: str = INES,
    late: timedelta = timedelta(),
) -> None:
    """Press a button as this card had it, whatever has become of it since."""
    button = one.rng.choice(BUTTONS)
    action = next(e for e in _elements(card) if e.get("action_id") == LABELS[button])
    shown = frozenset(one.played.cards[card["ts"]])
    await one.played.look(one.stage, one.channel)
    ts = one.stage.bench.app[WORKSPACE].records.new_ts()
    at = instant(ts) + late
    judged = at + timedelta(seconds=0.5)
    one.played.press = Press(user, button, one.channel, card["ts"], shown, ts, at, judged)
    await one.stage.bench.interact(one.channel, card["ts"], user, action)
    await one.stage.settled()


def _elements(card: Document) -> list[dict[str, Any]]:
    blocks = [block for block in card["blocks"] if block["type"] == "actions"]
    return [element for block in blocks for element in block["elements"]]


async def a_press(one: Play) -> None:
    """Whoever asked presses."""
    one.thread = await one.ask(one.title)
    await press(one, (await cards_of(one))[-1])


async def a_press_on_anothers_card(one: Play) -> None:
    """A colleague presses."""
    one.channel = OPS
    one.thread = await one.ask(one.title)
    await press(one, (await cards_of(one))[-1], user=TOMAS)


async def a_card_shown_again(one: Play) -> None:
    """A yes after another matter shows the card again; the old or the new one is pressed."""
    one.thread = await one.ask(one.title)
    [old] = await cards_of(one)
    await one.say("Another matter, please.", thread=one.thread)
    await one.say("yes", thread=one.thread)
    await press(one, one.rng.choice((old, (await cards_of(one))[-1])))


async def a_press_on_a_replaced_card(one: Play) -> None:
    """A newer version took the card's place, of the same client or of another."""
    one.thread = await one.ask(one.title)
    [old] = await cards_of(one)
    title = f"Order the samples number {one.number}"
    whose = one.rng.choice(
        ({"client": "Glintly Inc"}, {"client": "Hearthlane", "brand": "Hearthlane"})
    )
    wanted = {**whose, "title": title, "objective": wish(title)}
    one.mind.calls, one.mind.words = [{**wanted, "replaces": one.title}], "It is on the card."
    await one.say(f"make it instead: {wish(title)}", thread=one.thread)
    await one.stage.bench.until(lambda: are_open(one.stage.db, (title,)), 10)
    one.mind.words = ""
    await press(one, old)


async def a_press_too_late(one: Play) -> None:
    """More than twelve hours have passed."""
    one.thread = await one.ask(one.title)
    [card] = await cards_of(one)
    await one.stage.db.pool.execute(
        "update proposals set expires_at = now() - interval '1 second' where state = 'open'"
    )
    await press(one, card, late=timedelta(hours=12, seconds=1))


async def a_press_under_revision(one: Play) -> None:
    """Another version is asked about meanwhile."""
    one.thread = await one.ask(one.title)
    [card] = await cards_of(one)
    one.mind.calls = [
        {"client": "Glintly Inc", "title": "task", "objective": "", "replaces": one.title}
    ]
    one.mind.words = "What shall it be called?"
    said = "call it something else"
    await one.say(f"<@U01CLAW> {said}" if one.channel == OPS else said)
    one.mind.words = ""
    await press(one, card)


async def a_press_in_a_pause(one: Play) -> None:
    """Everything stands still."""
    one.thread = await one.ask(one.title)
    [card] = await cards_of(one)
    await one.stage.bench.command(OPS, INES, "/claw", "pause")
    await one.stage.settled()
    one.played.pauses.append(PauseSwitch(INES, datetime.now(UTC), on=True))
    await press(one, card)


async def a_streamed_answer(one: Play) -> None:
    """The words before the card grow while they are written."""
    one.thread = await _streamed(one)


async def a_word_into_a_stream(one: Play) -> None:
    """The word is said while the answer still grows, before there is a card."""
    one.thread = await _streamed(one, word="yes")
    await one.played.look(one.stage, one.channel)


async def _streamed(one: Play, word: str = "") -> str:
    mind, goes_on = one.mind, asyncio.Event()
    mind.calls = [{"client": "Glintly Inc", "title": one.title, "objective": wish(one.title)}]
    mind.words, mind.goes_on = LONG * 4 + "It is on the card.", goes_on
    said = f"make the task: {wish(one.title)}"
    said = f"<@U01CLAW> {said}" if one.channel == OPS else said
    root = await one.stage.bench.post_message(one.channel, INES, said)
    await one.stage.bench.until(one.stage.bench.streams, 10)
    if word:
        one.played.word = await one.stage.bench.post_message(one.channel, INES, word, root)
    goes_on.set()
    await one.stage.bench.until(lambda: are_open(one.stage.db, (one.title,)), 10)
    await heard(one.stage, root)
    mind.words, mind.goes_on = "", None
    return root


async def a_word_after_a_stream(one: Play) -> None:
    """A plain yes to a card whose answer grew before it."""
    one.thread = await _streamed(one)
    await reply(one, "yes", one.thread)


MOVES = (
    *(a_press, a_press_on_anothers_card, a_card_shown_again, a_press_on_a_replaced_card),
    *(a_press_too_late, a_press_under_revision, a_press_in_a_pause),
    *(a_streamed_answer, a_word_into_a_stream, a_word_after_a_stream),
)
