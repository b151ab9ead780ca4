"""The facts of today, the words of languages, ends, repeats, subjects, pauses."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.consent.scene import ADMIN, BOSS, ELSEWHERE, HERE, JUST, MAIN, OWNER, WORDS, Scene
from tests.consent.transcript import Button, Membership, PauseSwitch, State, SubjectSwitch, Task
from tests.consent.twist import edit_card, near, one, post_again, press_the_last, twist
from tests.consent.words import ACKNOWLEDGEMENTS, Reading

YES, NO = Reading.YES, Reading.NO


@twist(17, act=one(YES, Button.CONFIRM, Button.CREATE_ALL))
def todays_facts(scene: Scene) -> None:
    """Not a full member any more, or not allowed by tier, assignment, mapping or switches."""
    if scene.chance(0.5):
        scene.forbidden = frozenset({scene.rng.choice((*[MAIN] * 4, "p9"))})
    else:
        membership = scene.rng.choice((*[Membership.GUEST] * 4, Membership.FULL))
        scene.people[OWNER] = replace(scene.people[OWNER], membership=membership)


@twist(
    39,
    act=one(YES, Button.CONFIRM, Button.CONFIRM, NO),
    judged=one(0.5, 599.0, 599.9, 600.1, 601.0, 700.0),
)
def slack_cannot_be_asked(scene: Scene) -> None:
    """Nobody knows whether they are a full member, for a moment or for ten minutes."""
    scene.people[OWNER] = replace(scene.people[OWNER], membership=Membership.UNKNOWN)


@twist(9, act=one(YES, YES, NO), where=one("thread", "top"))
def other_words(scene: Scene) -> None:
    """An acknowledgement, more than a plain word, or a plain word of another language."""
    assert scene.word
    plain = scene.rng.choice(WORDS[scene.rng.choice((YES, NO))])
    more = (f"{plain}?", f"{plain} but tomorrow", f"{plain} {plain}", f"{plain}...", f"ok {plain}")
    text = scene.rng.choice((*[scene.rng.choice(ACKNOWLEDGEMENTS)] * 3, *more, plain, plain))
    scene.word = replace(scene.word, text=text)


@twist(
    26,
    act=one(YES, YES, YES, NO),
    at=near(600),
    late=one(0.3, 0.6, 290.0),
    where=one("thread", "top"),
)
def ten_minutes(scene: Scene) -> None:
    """A word about ten minutes after the card, posted once or twice."""
    if scene.chance(0.3):
        post_again(scene, scene.rng.choice((100, 300)))
    elif scene.chance(0.3):
        edit_card(scene, 300)


CREATED, LATE = 0.5, 0.4  # seconds: of a proposal before its card, of its storing after an act
HALF_A_DAY = 12 * 3600 - CREATED - LATE


@twist(14, act=one(YES, NO, Button.CONFIRM, Button.CONFIRM, Button.CANCEL), at=near(HALF_A_DAY))
def twelve_hours(scene: Scene) -> None:
    """A press, or a word, about twelve hours after the proposal; maybe posted again since."""
    if scene.chance(0.3):
        post_again(scene, scene.usual.at - scene.rng.choice((300, 3600)))
        press_the_last(scene)


A_DAY = 24 * 3600 - CREATED - LATE


@twist(9, act=one(Button.CONFIRM, Button.CONFIRM, YES), at=one(20.0, 50_000.0, near(A_DAY)))
def of_a_schedule(scene: Scene) -> None:
    """Until the next firing, at most a day."""
    firing = scene.stored + scene.rng.choice((-5, -0.01, 0.01, 5, 40_000))
    created = scene.main.created
    ends = min(scene.time(firing), created + timedelta(days=1))
    scene.main = replace(
        scene.main, scheduled=True, next_firing=scene.time(firing), expires_at=ends
    )


@twist(34, act=one(YES, Button.CONFIRM))
def a_task_like_it(scene: Scene) -> None:
    """Equal, like it, or equal but for another brand, client or list; named on the card or not."""
    work = scene.main.work
    other = {"title": "Another title"}
    changes: list[dict[str, Any]] = [
        *[{}] * 3,
        {**other, "client": "client-b"},
        other,
        {"procedure": None},
        {**other, "products": frozenset({"y", "z"})},
        {**other, "products": frozenset({"z"})},
        {**other, "procedure": "images"},
        {"brand": "brand-b"},
        {"client": "client-b", "procedure": None},
        {"list": "list-2", "products": frozenset({"z"})},
    ]
    scene.tasks.append(Task("t1", replace(work, **scene.rng.choice(changes))))
    if scene.chance(0.3):
        scene.card = replace(scene.card, likenesses=frozenset({"t1"}))


@twist(31, act=YES)
def the_subject_left(scene: Scene) -> None:
    """In another place of the same conversation they took up another brand, or the same one."""
    channel = scene.rng.choice((*[HERE] * 6, ELSEWHERE))
    at = scene.rng.choice((-5.0, *[scene.before_act()] * 7, scene.usual.at + JUST))
    said = scene.line(at, OWNER, text="And the other brand", channel=channel)
    brand = scene.rng.choice((*["brand-b"] * 6, "brand-a"))
    scene.switches.append(SubjectSwitch(channel, OWNER, said.ts, brand))


@twist(28, act=one(YES, YES, Button.CONFIRM, Button.CONFIRM, NO), judged=5.0)
def paused(scene: Scene) -> None:
    """A super admin, or somebody else, pauses before or after the act, and maybe ends it."""
    by = scene.rng.choice((*[BOSS] * 5, ADMIN))
    at = scene.rng.choice((-100.0, scene.stored - 0.1, scene.stored + 0.1, scene.judged - 0.1))
    scene.pauses.append(PauseSwitch(by, scene.time(at), on=True))
    if scene.chance(0.3):
        ends = scene.rng.choice((at + 0.05, scene.judged - 0.05))
        scene.pauses.append(PauseSwitch(BOSS, scene.time(ends), on=False))


@twist(3, act=one(YES, NO), where=one("thread", "top"))
def replaced(scene: Scene) -> None:
    """A card that took the place of an older one, which is still in sight."""
    old = scene.another("q0", -60, scene.thread)
    state = scene.rng.choice((State.REPLACED, State.REPLACED, State.OPEN))
    scene.proposals["q0"] = replace(old, state=state)
