"""Cases for judges of consent: seeded, and dense where one detail decides."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.consent.scene import Case, Scene, Usual
from tests.consent.transcript import Button
from tests.consent.twist import TWISTS, Twist
from tests.consent.twists import between, proposals, times, words
from tests.consent.words import Reading

ACTS = (*[Reading.YES] * 7, Reading.NO, *[Button.CONFIRM] * 2)
PLACES = (*["dm"] * 6, *["words"] * 3, "channel")
SEVERAL = (Button.SELECTED, Button.CREATE_ALL)
TRIES = 8
PLAYED = (between, words, proposals, times)  # importing them fills the list of twists


def generate(count: int, seed: int = 0) -> Iterator[Case]:
    """Yield cases; the same seed yields the same ones."""
    for number in range(count):
        yield case(Random(f"{seed}/{number}"))


def case(rng: Random) -> Case:
    """Make one case: a usual one with none to three twists."""
    twists, given = choose(rng)
    scene = Scene(rng, usual(rng, given))
    for twist in twists:
        twist.play(scene)
    return scene.case(tuple(twist.name for twist in twists))


def choose(rng: Random) -> tuple[list[Twist], dict[str, Any]]:
    """Choose twists that can be played in one scene, and what it begins with."""
    number = rng.choice((0, *[1] * 14, *[2] * 10, 3))
    twists: list[Twist] = []
    given: dict[str, Any] = {}
    for twist in rng.choices(TWISTS, [twist.weight for twist in TWISTS], k=number):
        if twist not in twists and (wanted := agreed(rng, twist, given)) is not None:
            twists.append(twist)
            given |= wanted
    return twists, given


def agreed(rng: Random, twist: Twist, given: dict[str, Any]) -> dict[str, Any] | None:
    """Return values for what a twist wants that agree with what is given already."""
    for _ in range(TRIES):
        wanted = {key: want(rng) if callable(want) else want for key, want in twist.given.items()}
        wanted = {key: want(rng) if callable(want) else want for key, want in wanted.items()}
        if all(given.get(key, value) == value for key, value in wanted.items()):
            return wanted
    return None


def usual(rng: Random, given: dict[str, Any]) -> Usual:
    """Return what a scene begins with, where no twist wants anything else."""
    act = given.get("act", rng.choice(ACTS))
    place = given.get("place", rng.choice(PLACES))
    where = given.get("where", "thread")
    if place != "dm" and rng.random() < 0.9:
        where = "thread"
    values: dict[str, Any] = {
        "root": rng.random() < 0.3,
        "at": rng.uniform(15.0, 200.0),
        "shown": rng.choice((2, 3)) if act in SEVERAL else 1,
    }
    values |= {**given, "act": act, "place": place, "where": where}
    return Usual(**values)
