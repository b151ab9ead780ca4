"""What is said, shown, edited or posted between a card and an act, or just outside."""

from __future__ import annotations

from dataclasses import replace

from tests.consent.scene import COLLEAGUE, HERE, JUST, OTHER_APP, OWNER, WORDS, Scene
from tests.consent.transcript import OUR_APP, Button, Change, Kind, State
from tests.consent.twist import a_thread, edit_card, one, post_again, press_the_last, twist
from tests.consent.words import Reading

YES, NO = Reading.YES, Reading.NO


@twist(20, act=one(YES, YES, YES, NO), where=one("thread", "top"))
def a_message_near(scene: Scene) -> None:
    """Somebody says something, just before or after card or word, early or late in arriving."""
    authors = [OWNER, OTHER_APP] if scene.usual.place == "dm" else [OWNER, OTHER_APP, COLLEAGUE]
    author = scene.rng.choice(authors)
    text = scene.rng.choice(("Look at this", "thanks", scene.rng.choice(WORDS[YES])))
    at, late = scene.around(), scene.rng.choice((0.3, 0.3, 30.0, None))
    said = scene.line(at, author, text=text, thread=a_thread(scene), late=late)
    if scene.chance(0.25):
        gone = scene.ts(scene.usual.at + 0.1)
        scene.changes.append(Change(HERE, said.ts, gone, None, scene.time(scene.usual.at + 0.2)))


@twist(
    20,
    act=one(YES, YES, YES, NO),
    place=one("dm", "words", "words"),
    where=one("thread", "thread", "top"),
)
def our_line_near(scene: Scene) -> None:
    """Our app says or redraws something, or shows it to one person."""
    heard = (Kind.ANSWER, Kind.NOTICE, Kind.RECEIPT, Kind.EPHEMERAL)
    silent = (Kind.STATUS, Kind.REACTION, Kind.REDRAW, Kind.EPHEMERAL, Kind.EPHEMERAL)
    kinds = scene.rng.choice((heard, silent))
    kind = scene.rng.choice(kinds)
    reader = None
    if kind is Kind.EPHEMERAL:
        alone = kinds is heard or scene.usual.place == "dm"
        reader = OWNER if alone else COLLEAGUE
    about = None
    if kind is Kind.RECEIPT:
        about = "p9"
        scene.proposals[about] = replace(scene.proposal(about), state=State.DONE)
    at = scene.around()
    thread = a_thread(scene)
    scene.line(at, OUR_APP, kind, "Done", thread=thread, seen_by=reader, proposal=about)


@twist(9, act=one(YES, YES, YES, NO), where=one("thread", "top"))
def a_stream_near(scene: Scene) -> None:
    """A stream spans the card, the word, both, or neither."""
    at, end = scene.usual.at, scene.judged - 0.05
    spans = [
        (-5, -JUST),
        (-5, JUST),
        (-5, end),
        (at - 3, at - JUST),
        (at - 3, end),
        (at + JUST, end),
    ]
    start, stop = scene.rng.choice([*spans, (-5, None)])
    thread = a_thread(scene)
    ended = None if stop is None else scene.ts(stop)
    scene.line(start, OUR_APP, Kind.STREAM, "The report", thread=thread, stop=ended)


@twist(6, act=one(YES, YES, NO), where=one("thread", "top"))
def an_older_message_edited(scene: Scene) -> None:
    """A person or another app edits, or takes back, what stood there before the card."""
    author = scene.rng.choice((OWNER, OTHER_APP, OUR_APP))
    old = scene.line(-20, author, thread=a_thread(scene))
    text = scene.rng.choice(("No, the other brand", None))
    at = scene.rng.choice((-2, scene.before_act(), scene.usual.at + JUST))
    scene.changes.append(Change(HERE, old.ts, scene.ts(at), text, scene.time(at + 0.2)))


@twist(
    7,
    act=one(YES, YES, YES, NO),
    at=one(20.0, -0.5, -JUST, JUST),
    late=one(0.4, 3.0),
    where=one("thread", "top"),
)
def an_early_word(scene: Scene) -> None:
    """The word is from just before the card, or comes in long after its moment."""


@twist(10, act=one(YES, YES, NO, Button.CONFIRM, Button.CONFIRM, Button.CANCEL))
def the_card_edited(scene: Scene) -> None:
    """The requester's own form changes the card; something was said before or after that."""
    at = scene.usual.at
    edit_card(scene, scene.rng.choice((at / 2, at - JUST, at + JUST)))
    if scene.chance(0.6):
        scene.line(at * scene.rng.choice((0.25, 0.75)), OWNER, thread=scene.thread)


@twist(
    19,
    act=one(YES, YES, YES, NO, Button.CONFIRM, Button.CONFIRM, Button.CONFIRM),
    late=one(0.4, 12.0),
    where=one("thread", "thread", "top"),
)
def the_card_posted_again(scene: Scene) -> None:
    """The same proposal has an older posting; the act may lie between the two."""
    at = scene.usual.at
    if at < 15:
        return
    if scene.chance(0.7):
        scene.line(at - 12, OWNER, text="thanks", thread=scene.thread)
    post_again(scene, scene.rng.choice((at - 8, at - 8, at + JUST)))
    if scene.chance(0.25):
        press_the_last(scene)
    if scene.usual.root and scene.word and scene.word.thread:
        thread = scene.rng.choice((scene.card.ts, scene.card.ts, scene.thread))
        scene.word = replace(scene.word, thread=thread)


@twist(6, act=one(YES, YES, NO), where=one("thread", "thread", "top"))
def a_newer_card(scene: Scene) -> None:
    """After the card another one: a colleague's, or one of theirs that ended or waits."""
    other = scene.another("q3", scene.before_act(), scene.thread)
    states = (State.CANCELLED, State.DONE, State.OPEN)
    other = replace(other, state=scene.rng.choice(states))
    if scene.usual.place != "dm" and scene.chance(0.7):
        other = replace(other, owner=COLLEAGUE)
    scene.proposals["q3"] = other
