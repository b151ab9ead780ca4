"""Whose words a task contains after a person edited it in its form."""

from __future__ import annotations

from agencyclaw.domain.field_sources import (
    COMPOSED,
    QUOTE_LIMIT,
    FieldSource,
    Origin,
    UnsupportedFact,
)
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.text import cut, folded
from agencyclaw.knowledge.field_sources import borrows


def settled_after_edit(before: CreateTask, after: CreateTask) -> CreateTask:
    """Return the edited task with its sources: what was typed is the editor's."""
    was, now = before.prose() | before.quoted_facts(), after.prose() | after.quoted_facts()
    return after.model_copy(
        update={
            "field_sources": _bases(before.field_sources, was, now),
            "unsupported_facts": tuple(
                one for one in before.unsupported_facts if _is_left_alone(one, was, now)
            ),
        }
    )


def _bases(
    bases: tuple[FieldSource, ...], was: dict[str, str], now: dict[str, str]
) -> tuple[FieldSource, ...]:
    kept = [one for one in bases if _still_rests(one, was.get(one.field, ""), now.get(one.field))]
    named = {one.field for one in kept}
    typed = [
        FieldSource(field=name, origin=Origin.TYPED, whose="", quote=cut(text, QUOTE_LIMIT))
        for name, text in now.items()
        if name not in named and text != was.get(name) and name != COMPOSED
    ]
    return (*kept, *typed)


def _still_rests(source: FieldSource, was: str, now: str | None) -> bool:
    """Whether a field still has the words of a source.

    Words of others remain theirs in other capitals, or with a few of them changed.
    """
    if now is None:
        # Which record was meant is in no text of the form.
        return source.origin is Origin.OFFERED
    if now == was or (source.quote and source.quote in now):
        return True
    is_same = folded(now) == folded(was)
    is_quoted = bool(source.quote) and folded(source.quote) in folded(now)
    return source.needs_press and (is_same or is_quoted or borrows(now, was))


def _is_left_alone(one: UnsupportedFact, was: dict[str, str], now: dict[str, str]) -> bool:
    """Whether the field of an unstated figure is unchanged."""
    return was.get(one.field) == now.get(one.field)
