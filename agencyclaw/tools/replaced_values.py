"""What a task's texts still say of values that were replaced.

Code compares digits, signs and days; which of two figures is meant is for the person.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.quotes import occurs_in
from agencyclaw.domain.task_creation import CreateTask, Outdated
from agencyclaw.domain.text import folded
from agencyclaw.knowledge.signed_figures import signed_figures


def outdated(card: CreateTask | None, task: CreateTask) -> tuple[Outdated, ...]:
    """Return values of the card that a task replaces which its texts alone still have."""
    if card is None:
        return ()
    before, after = card.quoted_facts(), task.quoted_facts()
    values = "\n".join(after.values())
    found = [
        Outdated(label=label, value=written)
        for label, old in before.items()
        if old != after.get(label)
        for text in task.wording.values()
        for written in _left_in(text, card, label, values)
    ]
    return tuple(dict.fromkeys(found))[:10]


def _left_in(text: str, card: CreateTask, label: str, values: str) -> Iterator[str]:
    """Yield what a text still has of a replaced value, as it is written there."""
    old, day = card.quoted_facts()[label], _days(card).get(label)
    if day:
        quotes = [one.quote for one in card.field_sources if one.field == label and one.quote]
        written = (one for one in (*quotes, *_forms(day)) if _has(text, one))
        yield from list(written)[:1]
    elif figures := signed_figures(old):
        found, kept = signed_figures(text), signed_figures(values)
        yield from (found[one] for one in figures if one in found and one not in kept)
    elif any(map(str.isdecimal, old)) and _has(text, old) and not _has(values, old):
        yield old


def _days(task: CreateTask) -> dict[str, date | None]:
    terms = task.promotion
    own: dict[str, date | None] = {"Start": task.start, "Due": task.due}
    return own | ({"Starts": terms.starts, "Ends": terms.ends} if terms else {})


def _forms(day: date) -> tuple[str, ...]:
    """Return how a day is written with its number: as on cards, in figures, or with its month."""
    figures = (day.isoformat(), f"{day.day}.{day.month}.", f"{day:%d.%m.}")
    words = (f"{day.day} {day:%B}", f"{day.day} {day:%b}", f"{day:%B} {day.day}")
    return (spoken_day(day), *figures, *words)


def _has(text: str, piece: str) -> bool:
    return occurs_in(folded(piece), folded(text))
