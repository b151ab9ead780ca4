"""How a class becomes runs: a play, and the axes it is played along."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.adversary.world import World

Play = Callable[..., Awaitable[None]]


@dataclass(frozen=True)
class Case:
    """One run: its class, what is special about it, and how it goes."""

    cls: str
    label: str
    play: Callable[[World], Awaitable[None]]


@dataclass(frozen=True)
class Attack:
    """A play of a class with the values it takes along each axis."""

    cls: str
    play: Play
    axes: Mapping[str, Sequence[Any]]

    def cases(self, *, full: bool) -> list[Case]:
        """Return every combination, or as many as hold every pair of values."""
        chosen = product(self.axes) if full else pairwise(self.axes)
        name = self.play.__name__
        return [
            Case(self.cls, f"{name}({_named(values)})", partial(self.play, **values))
            for values in chosen
        ]


ATTACKS: list[Attack] = []


def attack(cls: str, **axes: Sequence[Any]) -> Callable[[Play], Play]:
    """Make a function the play of a class; it is run along its axes."""

    def add(play: Play) -> Play:
        ATTACKS.append(Attack(cls, play, axes))
        return play

    return add


def product(axes: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return every combination of values."""
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]


def pairwise(axes: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """Return combinations in which every two values of different axes meet; greedy, stable."""
    everything = product(axes)
    if len(axes) < 2:
        return everything
    left = {pair for one in everything for pair in _pairs(axes, one)}
    chosen: list[dict[str, Any]] = []
    while left:
        best = max(everything, key=lambda one: len(left.intersection(_pairs(axes, one))))
        chosen.append(best)
        left -= set(_pairs(axes, best))
    return chosen


def _pairs(
    axes: Mapping[str, Sequence[Any]], values: dict[str, Any]
) -> list[tuple[tuple[str, int], tuple[str, int]]]:
    at = [(name, list(axes[name]).index(values[name])) for name in axes]
    return list(itertools.combinations(at, 2))


def _named(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}={str(value)[:40]}" for name, value in values.items())
