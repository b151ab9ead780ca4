"""Several proposals, revision, choices, weight, bases, ticks."""

from __future__ import annotations

from dataclasses import replace

from tests.consent.scene import (
    APPROVED,
    CHOSEN,
    COLLEAGUE,
    ELSEWHERE,
    HERE,
    MAIN,
    OWNER,
    TYPED,
    Scene,
)
from tests.consent.transcript import (
    OUR_APP,
    Button,
    Effect,
    Field,
    Kind,
    Question,
    Source,
    State,
    Suspension,
    TurnEnd,
)
from tests.consent.twist import one, post_again, press_the_last, twist
from tests.consent.words import Reading

YES, NO = Reading.YES, Reading.NO


@twist(19, act=one(YES, YES, NO, Button.CONFIRM), where=one("thread", "thread", "top"))
def another_one_open(scene: Scene) -> None:
    """A second proposal: here or elsewhere, theirs or a colleague's, open, over or ended."""
    channel = ELSEWHERE if scene.chance(0.3) else HERE
    root = scene.line(-310, OWNER, channel=channel).ts
    other = scene.another("q1", -300, root if scene.chance(0.8) else scene.thread, channel)
    match scene.rng.randrange(4):
        case 0:
            state = scene.rng.choice((State.CANCELLED, State.DONE, State.REPLACED))
            scene.proposals["q1"] = replace(other, state=state)
        case 1 if scene.usual.place != "dm":
            scene.proposals["q1"] = replace(other, owner=COLLEAGUE)
        case _:
            pass


@twist(
    12,
    act=one(YES, YES, NO, Button.CONFIRM, Button.SELECTED, Button.CREATE_ALL),
    shown=one(1, 2, 3),
)
def several_on_the_card(scene: Scene) -> None:
    """The card shows more than one."""
    if scene.press and scene.usual.act is Button.CONFIRM and scene.chance(0.5):
        scene.press = replace(scene.press, proposals=frozenset({MAIN}))


def suspend(scene: Scene, since: float, closed: float | None, question: Question | None) -> None:
    """Mark the proposal as under revision."""
    how = TurnEnd.ANSWERED if question else scene.rng.choice(list(TurnEnd))
    end, how = (None, None) if closed is None else (scene.time(closed), how)
    mark = Suspension(scene.time(since), end, how, question)
    scene.main = replace(scene.main, suspensions=(mark,))


REVISED = (YES, YES, Button.CONFIRM, Button.CONFIRM, Button.CREATE_AS_SHOWN, Button.DROP_IT)


@twist(14, act=one(*REVISED, NO), at=one(20.0, 100.0), judged=one(0.5, 5.0))
def under_revision(scene: Scene) -> None:
    """A turn, asked for in another thread, names the proposal; it runs, or was closed."""
    since = scene.rng.choice((1.0, scene.stored - 0.1, scene.stored + 0.1))
    closed = scene.rng.choice((None, None, since + 0.05, scene.usual.at - 0.1, scene.judged - 0.1))
    scene.line(since - 0.5, OWNER, text="Change that task")
    suspend(scene, since, closed if closed is None or closed > since else None, None)


@twist(13, act=one(*REVISED), at=one(20.0, 100.0, 615.0), judged=one(0.5, 5.0))
def a_question_about_it(scene: Scene) -> None:
    """The turn that revised it asked something: open, settled, or just too old; posted again."""
    age = scene.rng.choice((601.0, 600.5, 599.5, 300.0, 30.0))
    asked = max(scene.stored - age, 6.0)
    settled = scene.rng.choice((None, None, scene.usual.at - 0.4))
    told = None if settled is None or settled < asked else scene.time(settled)
    root = scene.line(asked - 5.5, OWNER, text="Change that task").ts
    scene.line(asked, OUR_APP, Kind.ANSWER, "Which list?", thread=root, turn="turn-9")
    suspend(scene, asked - 5, asked + 0.1, Question(scene.time(asked), told))
    if told or scene.stored - asked > 600.4:
        post_again(scene, scene.usual.at - 0.1)
        press_the_last(scene)


# Rules 4, 5, 6 and 7.


@twist(7, act=YES, where=one("thread", "top"))
def a_choice(scene: Scene) -> None:
    """The press on an option whose label reads as a yes; or the same, typed."""
    assert scene.word
    if scene.chance(0.8):
        scene.word = replace(scene.word, kind=Kind.CHOICE)


@twist(11, act=one(YES, YES, Button.CONFIRM))
def an_effect_of_weight(scene: Scene) -> None:
    """Rights, roles, targets, procedures, deletions; or a task or comment."""
    scene.main = replace(scene.main, effect=scene.rng.choice(list(Effect)))


@twist(23, act=one(YES, YES, YES, Button.CONFIRM))
def a_basis(scene: Scene) -> None:
    """A field rests on something else, on a message just too long, or on a bad quote."""
    quote, long = "check the spring listings", "check the spring listings"
    bases = [Field("text", source, quote, long) for source in Source]
    sized = [Field("text", Source.TYPED, quote, long.ljust(size, ".")) for size in (599, 600, 601)]
    cut = [Field("text", Source.TYPED, "a" * size, "a" * 300) for size in (199, 200, 201)]
    bad = [replace(TYPED, quote=text) for text in ("", "check the summer listings")]
    fields = [*bases, *bases, *sized, sized[-1], *cut, *bad, *bad, CHOSEN, APPROVED]
    scene.main = replace(scene.main, fields=(TYPED, scene.rng.choice(fields)))


@twist(7, act=one(YES, YES, YES, Button.CONFIRM), place=one("dm", "words"))
def set_by_an_admin(scene: Scene) -> None:
    """Press-only for a client, a channel, everything; or for another client."""
    match scene.rng.randrange(4):
        case 0:
            scene.press_only_clients = frozenset({"client-a"})
        case 1:
            scene.press_only_clients = frozenset({"client-b"})
        case 2:
            scene.channel = replace(scene.channel, press_only=True)
        case _:
            scene.press_only_everything = scene.chance(0.5)


@twist(24, act=one(Button.SELECTED, Button.CREATE_ALL), shown=one(2, 3))
def ticked_and_listed(scene: Scene) -> None:
    """Some, none or all are ticked; the dialog lists them, fewer, or did not open."""
    assert scene.press
    shown = list(scene.card.proposals)
    if scene.press.button is Button.SELECTED:
        some = frozenset(scene.rng.sample(shown, scene.rng.randrange(len(shown))))
        scene.press = replace(scene.press, proposals=some)
    else:
        listed = scene.rng.choice((frozenset(shown), frozenset(shown[1:]), frozenset[str]()))
        scene.press = replace(scene.press, listed=listed)


@twist(6, act=one(YES, YES, Button.CONFIRM))
def folded(scene: Scene) -> None:
    """Something of what will be written is out of sight."""
    scene.card = replace(scene.card, folded=scene.chance(0.7))
