"""What can lie around a card and an act: the list of twists, and what several of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

from tests.consent.scene import OWNER, TEN_MINUTES, Scene
from tests.consent.transcript import Ts, Turn, instant

Play: TypeAlias = Callable[[Scene], None]


@dataclass(frozen=True, slots=True)
class Twist:
    """A change of a scene, and what the scene has to begin with: values, or makers of them."""

    name: str
    weight: int
    given: Mapping[str, Any]
    play: Play


TWISTS: list[Twist] = []


def twist(weight: int, **given: Any) -> Callable[[Play], Play]:
    """Enter a twist into the list. Each has sides on which it matters, and on which not."""

    def enter(play: Play) -> Play:
        TWISTS.append(Twist(play.__name__, weight, given, play))
        return play

    return enter


def one(*values: Any) -> Callable[[Random], Any]:
    """Return a maker of one of the values."""
    return lambda rng: rng.choice(values)


def near(edge: float, by: float = 1.0) -> Callable[[Random], float]:
    """Return a maker of moments close to an edge, on either side."""
    return lambda rng: edge + rng.choice((-by, by)) * rng.choice((1.0, 0.5, 0.01))


def a_thread(scene: Scene) -> Ts | None:
    """Return the card's thread, another one, or the top level."""
    other = scene.line(-100, OWNER, text="Something else").ts
    return scene.rng.choice((*[scene.thread] * 4, other, None))


def post_again(scene: Scene, at: float) -> None:
    """Post the card again; the old one becomes a line."""
    again, turn = scene.ts(at), "turn-2"
    if again < max((scene.card.ts or again, *scene.card.edited)):
        return
    scene.turns.setdefault(turn, Turn(turn))
    scene.messages.append(replace(scene.card_line(again, scene.card.thread), turn=turn))
    scene.cards.append(replace(scene.card, ts=again, turn=turn, edited=()))
    for name in scene.card.proposals:
        until = instant(again) + TEN_MINUTES
        scene.proposals[name] = replace(scene.proposals[name], words_until=until)


def edit_card(scene: Scene, at: float) -> None:
    """Let the requester's own form change the card."""
    edited = scene.ts(at)
    if scene.card.ts and scene.card.ts < edited:
        scene.card = replace(scene.card, edited=(*scene.card.edited, edited))


def press_the_last(scene: Scene) -> None:
    """Let the press be one on the last posting."""
    if scene.press and scene.card.ts:
        scene.press = replace(scene.press, card=scene.card.ts)
