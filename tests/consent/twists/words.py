"""Who answers where, with what sort of message; and what undoes or forestalls it."""

from __future__ import annotations

from dataclasses import replace

from tests.consent.scene import ADMIN, BOSS, COLLEAGUE, GUEST, HERE, MAIN, OWNER, TURN, WORDS, Scene
from tests.consent.transcript import OUR_APP, Button, Carried, Change, Delivery, Kind, State, Turn
from tests.consent.twist import one, post_again, twist
from tests.consent.words import Reading

YES, NO = Reading.YES, Reading.NO


@twist(9, act=one(YES, YES, NO), place=one("words", "words", "group dm", "channel", "shared"))
def somewhere_else(scene: Scene) -> None:
    """Not in a DM."""
    if scene.chance(0.2):
        scene.press_only_clients = frozenset({scene.rng.choice(("client-a", "client-b"))})


@twist(
    21,
    act=one(YES, YES, NO, Button.CONFIRM, Button.CONFIRM, Button.CONFIRM, Button.CANCEL),
    place="words",
)
def by_somebody_else(scene: Scene) -> None:
    """A colleague, an admin or a guest answers or presses."""
    who = scene.rng.choice((COLLEAGUE, ADMIN, BOSS, GUEST))
    if scene.word:
        scene.word = replace(scene.word, author=who)
    if scene.press:
        scene.press = replace(scene.press, person=who)


@twist(9, act=one(YES, YES, YES, NO), where=one("thread", "top"))
def a_word_that_carries_something(scene: Scene) -> None:
    """With a file, a forward, a quote or a code block."""
    assert scene.word
    if scene.chance(0.8):
        carries = frozenset({scene.rng.choice(list(Carried))})
        scene.word = replace(scene.word, carries=carries)


@twist(7, act=one(YES, YES, NO))
def in_another_thread(scene: Scene) -> None:
    """A word in another thread of the same conversation, or at a channel's top level."""
    assert scene.word
    root = scene.line(-50, OWNER, text="Another matter")
    if scene.chance(0.5):
        scene.line(scene.usual.at - 4, OUR_APP, Kind.ANSWER, "Done", thread=root.ts)
    scene.word = replace(scene.word, thread=scene.rng.choice((root.ts, None)))


@twist(14, act=YES)
def the_turn_asked_more(scene: Scene) -> None:
    """A typed question, or a question mark, in this turn or in another one."""
    if scene.usual.at > 12 and scene.chance(0.3):
        post_again(scene, scene.usual.at / 2)
    turn = scene.rng.choice((TURN, TURN, scene.card.turn, "turn-0"))
    if scene.chance(0.45):
        scene.turns[turn] = Turn(turn, scene.rng.choice(("Which brand", "Which brand", "")))
    else:
        mark = scene.rng.choice(("?", "？", "؟", "\u037e", "՞", "⁇", "❓", "!", ".", ";"))
        at = -2.0 if turn != "turn-2" else scene.usual.at / 2 - 1
        text = f"And the next week{mark}"
        scene.line(at, OUR_APP, Kind.ANSWER, text, thread=scene.thread, turn=turn)


@twist(18, act=one(YES, YES, YES, NO), judged=one(0.5, 30.0), where=one("thread", "top"))
def delivery_uncertain(scene: Scene) -> None:
    """Nobody knows whether the card is there, for some time or still; it is, or is not."""
    if scene.usual.at > 12 and scene.chance(0.3):
        post_again(scene, scene.usual.at / 2)
    at = scene.judged + scene.rng.choice((-0.1, -0.1, 0.1, 5))
    looked_up = None if scene.chance(0.2) else scene.time(at)
    scene.card = replace(scene.card, delivery=Delivery(looked_up))
    if scene.chance(0.2) and not scene.usual.root:
        scene.messages = [m for m in scene.messages if m.ts != scene.card.ts]
        scene.card = replace(scene.card, ts=None)


@twist(6, act=NO, judged=one(0.5, 10.0), where=one("thread", "thread", "top"))
def own_words_before_a_no(scene: Scene) -> None:
    """A yes or thanks of theirs, or somebody's word, between card and no."""
    assert scene.word
    text = scene.rng.choice((*[scene.rng.choice(WORDS[YES])] * 3, "thanks", "wait"))
    author = OWNER if scene.usual.place == "dm" else scene.rng.choice((OWNER, OWNER, COLLEAGUE))
    scene.line(scene.before_act(), author, text=text, thread=scene.word.thread)


@twist(9, act=one(YES, YES, NO), judged=30.0, where=one("thread", "top"))
def withdrawn(scene: Scene) -> None:
    """The word is edited or deleted, or another line is, or a no comes after it."""
    assert scene.word
    at = scene.stored + scene.rng.uniform(0.1, 29)
    late = scene.rng.choice((0.2, 60.0))
    if scene.chance(0.6):
        own = scene.word if scene.chance(0.8) else scene.messages[0]
        text = scene.rng.choice((None, scene.rng.choice(WORDS[YES]), "yes but tomorrow"))
        change = Change(HERE, own.ts, scene.ts(at), text, scene.time(at + late))
        scene.changes.append(change)
        return
    if scene.chance(0.3):
        scene.line(at - 0.05, OWNER, text="Hm", thread=scene.word.thread)
    text = scene.rng.choice((*[scene.rng.choice(WORDS[NO])] * 3, "not now"))
    scene.line(at, OWNER, text=text, thread=scene.word.thread, late=late)


@twist(12, act=one(YES, NO, Button.CONFIRM, Button.CANCEL), where=one("thread", "top"))
def it_ended(scene: Scene) -> None:
    """Carried out, cancelled or replaced; the last thing said is the card, a receipt, or more."""
    state = scene.rng.choice((State.INTENT_WRITTEN, State.DONE, State.CANCELLED, State.REPLACED))
    scene.main = replace(scene.main, state=state)
    if scene.chance(0.4):
        at = scene.before_act()
        scene.line(at, OUR_APP, Kind.RECEIPT, "Created.", thread=scene.thread, proposal=MAIN)
    if scene.chance(0.3):
        scene.another("q2", -200, scene.line(-210, OWNER).ts)
