"""Options of a question, shown as buttons: records or fixed answers, never a model's words."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.people import Value
from agencyclaw.domain.text import cut, one_line

OPTION_LIMIT = 75
# Slack's limit for one row of buttons: the options of all open questions.
CHOICES_AT_MOST = 25
ChoiceKind = Literal[
    "client",
    "brand",
    "person",
    "role",
    "list",
    "space",
    "product",
    "marketplace",
    "task",
    "status",
    "field",
    "option",
    "checklist",
    "item",
    "note",
    "document",
    "fixed",
]


class Choice(Value):
    """A record under the name people know, or one of a fixed list of answers.

    A press returns the record, marked as a choice: its label is never read as words of the person.
    """

    kind: ChoiceKind
    id: Annotated[str, Field(max_length=120)]
    label: Annotated[str, Field(min_length=1, max_length=OPTION_LIMIT)]


def choice(kind: ChoiceKind, id: UUID | str | int, label: str) -> Choice:
    """Return a record as a choice; a long name is cut."""
    return Choice(kind=kind, id=cut(str(id), 120), label=one_line(label, OPTION_LIMIT))


def fixed(label: str) -> Choice:
    """Return one of a fixed list of answers."""
    return choice("fixed", label, label)
