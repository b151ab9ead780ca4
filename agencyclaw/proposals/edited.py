"""Whose words a task contains after a person edited it in its form."""

from __future__ import annotations

from agencyclaw.domain.field_sources import (
    COMPOSED,
    QUOTE_LIMIT,
    FieldSource,
    Origin,
)
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.text import cut, folded
from agencyclaw.knowledge.field_sources import borrows


def with_edited_sources(before: CreateTask, after: CreateTask) -> CreateTask:
    """Return the edited task with its sources: what was typed is the editor's."""
    # A brand that was chosen in the form is not the place's by default.
    is_kept = before.brand == after.brand
    sources = tuple(
        one for one in before.field_sources if is_kept or one.origin is not Origin.PLACE
    )
    old_texts = before.prose() | before.quoted_facts()
    new_texts = after.prose() | after.quoted_facts()
    return after.model_copy(
        update={
            "field_sources": _sources(sources, old_texts, new_texts),
            "unsupported_facts": tuple(
                unstated
                for unstated in before.unsupported_facts
                if old_texts.get(unstated.field) == new_texts.get(unstated.field)
            ),
        }
    )


def _sources(
    sources: tuple[FieldSource, ...], old_texts: dict[str, str], new_texts: dict[str, str]
) -> tuple[FieldSource, ...]:
    """Return the sources that still hold, and one for every text that was typed."""
    kept = [
        source
        for source in sources
        if _still_holds(source, old_texts.get(source.field, ""), new_texts.get(source.field))
    ]
    kept_fields = {source.field for source in kept}
    typed = [
        FieldSource(field=name, origin=Origin.TYPED, whose="", quote=cut(text, QUOTE_LIMIT))
        for name, text in new_texts.items()
        if name not in kept_fields and text != old_texts.get(name) and name != COMPOSED
    ]
    return (*kept, *typed)


def _still_holds(source: FieldSource, old_text: str, new_text: str | None) -> bool:
    """Whether a field still has the words of a source.

    Words of others remain theirs in other capitals, or with a few of them changed.
    """
    if new_text is None:
        # No text of the form shows which record was meant.
        return source.origin in (Origin.OFFERED, Origin.PLACE)
    if new_text == old_text or (source.quote and source.quote in new_text):
        return True
    is_same = folded(new_text) == folded(old_text)
    is_quoted = bool(source.quote) and folded(source.quote) in folded(new_text)
    return source.needs_press and (is_same or is_quoted or borrows(new_text, old_text))
