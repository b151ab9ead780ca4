"""Resolves names in tools: what decides, and what has to be asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar
from uuid import UUID

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import OPTION_LIMIT, Choice, ChoiceKind, choice
from agencyclaw.domain.field_sources import QUOTE_LIMIT, FieldSource, Origin
from agencyclaw.domain.names import Match, Nameable, distinct_names, match_names
from agencyclaw.domain.text import cut, folded, one_line
from agencyclaw.tools.catalogue import TOOLS


class Identified(Nameable, Protocol):
    """A record with names."""

    @property
    def id(self) -> UUID | str | int:
        """The id it is stored by."""
        ...


T = TypeVar("T", bound=Identified)

# Texts of ours, of tools and of the agency: a name in them was singled out by nobody here.
_NOT_PEOPLES = (Origin.RECORD, Origin.DOCUMENT, Origin.PROCEDURE, Origin.ASSISTANT, Origin.OFFERED)


def find_named(deps: Deps, hint: str, things: Sequence[T]) -> Match[T]:
    """Return what a name may mean; a choice just pressed means exactly its record."""
    pressed = deps.choice
    if pressed and folded(pressed.label) == folded(hint):
        chosen = tuple(one for one in things if str(one.id) == pressed.id)
        if chosen:
            return Match(chosen, is_sure=True, is_exact=True)
    return match_names(hint, things)


def decide(deps: Deps, match: Match[T]) -> T | None:
    """Return the one record a name decides on; a similar name decides only if nothing changes."""
    is_enough = match.decides or not would_change(deps)
    return match.things[0] if len(match.things) == 1 and is_enough else None


def spoken_in(deps: Deps) -> tuple[str, ...]:
    """Return what people wrote or pressed in this thread, newest first.

    What they singled out in another thread is not meant in this one.
    """
    return (deps.request, *reversed(deps.thread_texts))


def written_in(deps: Deps) -> tuple[str, ...]:
    """Return the same, then what people quoted, forwarded or wrote elsewhere in the thread."""
    own = (one for one in deps.materials if not one.is_elsewhere)
    return (*spoken_in(deps), *(one.text for one in own if one.origin not in _NOT_PEOPLES))


def was_offered(deps: Deps, kind: ChoiceKind, thing: Identified, *, just_now: bool) -> bool:
    """Whether a question that was shown to this person offered a record; `just_now`, the last one.

    It is in the choices as code stored them: what a model says that it asked counts for nothing.
    """
    shown = deps.offered[:1] if just_now else deps.offered
    return any(one.kind == kind and one.id == str(thing.id) for choices in shown for one in choices)


def pick(deps: Deps, field: str, label: str, *, just_now: bool = True) -> None:
    """Note for the card that a record was offered, and taken from an answer that names it not.

    Unless it was `just_now`, the message is the answer to another question.
    """
    deps.picked.append(
        FieldSource(
            field=field,
            origin=Origin.OFFERED,
            whose=one_line(deps.request, 80) if just_now else "",
            quote=one_line(label, QUOTE_LIMIT),
            needs_press=True,
        )
    )


def as_choices(kind: ChoiceKind, things: Sequence[Identified]) -> Iterator[Choice]:
    """Return records as choices; those of equal names are distinguished."""
    named = zip(things, distinct_names(things), strict=True)
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
