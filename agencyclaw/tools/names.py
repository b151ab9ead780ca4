"""Resolves names in tools: what decides, and what has to be asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar
from uuid import UUID

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import OPTION_LIMIT, Choice, ChoiceKind, choice
from agencyclaw.domain.names import Match, Nameable, calling_names, match_names
from agencyclaw.domain.text import cut, folded
from agencyclaw.tools.catalogue import TOOLS


class Identified(Nameable, Protocol):
    """A record with names."""

    @property
    def id(self) -> UUID | str:
        """The id it is stored by."""
        ...


T = TypeVar("T", bound=Identified)


def find_named(deps: Deps, hint: str, things: Sequence[T]) -> Match[T]:
    """Return what a name may mean; a choice just pressed means exactly its record."""
    pressed = deps.choice
    if pressed and folded(pressed.label) == folded(hint):
        chosen = tuple(one for one in things if str(one.id) == pressed.id)
        if chosen:
            return Match(chosen, is_sure=True, is_exact=True)
    return match_names(hint, things)


def decided(deps: Deps, match: Match[T]) -> T | None:
    """Return the one record a name decides on; a similar name decides only if nothing changes."""
    is_enough = match.is_sure or not would_change(deps)
    return match.things[0] if len(match.things) == 1 and is_enough else None


def as_choices(kind: ChoiceKind, things: Sequence[Identified]) -> Iterator[Choice]:
    """Return records as choices; those of equal names are distinguished."""
    named = zip(things, calling_names(things), strict=True)
    return (choice(kind, one.id, _fitting(one, label)) for one, label in named)


def _fitting(thing: Identified, label: str) -> str:
    """Cut a name that is too long for a button, but not what distinguishes it."""
    name = thing.names[0]
    apart = label.removeprefix(name)
    if len(label) <= OPTION_LIMIT or not label.startswith(name) or len(apart) > OPTION_LIMIT // 2:
        return label
    return cut(name, OPTION_LIMIT - len(apart)) + apart


def would_change(deps: Deps) -> bool:
    """Whether the present tool prepares a change."""
    spec = TOOLS.get(deps.calling)
    return spec is not None and spec.rule.changes
