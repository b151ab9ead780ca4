"""Whose words a text contains: found by code from the characters alone, and shown on the card."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from agencyclaw.domain.people import Value

QUOTE_LIMIT = 200
# The field of a task that code composes of all the others, and of a procedure's steps.
COMPOSED = "Description"


class Origin(StrEnum):
    """Where a text came from."""

    TYPED = "typed"
    PROCEDURE = "procedure"
    PASTED = "pasted"
    QUOTED = "quoted"
    FORWARDED = "forwarded"
    FILE = "file"
    OTHERS = "others"
    RECORD = "record"
    DOCUMENT = "document"
    OFFERED = "offered"
    ASSISTANT = "assistant"

    @property
    def is_trusted(self) -> bool:
        """Whether the requester typed it, or an approved procedure contains it."""
        return self in (Origin.TYPED, Origin.PROCEDURE)


class Material(Value):
    """A text that was available when something was prepared, and its author.

    `taints`: the assistant's own wording may rest on it too, so a press has to confirm.
    `is_elsewhere`: it was written in another thread, where names may mean others.
    """

    origin: Origin
    whose: str = ""
    text: str
    taints: bool = False
    is_elsewhere: bool = False


class Unstated(Value):
    """A figure or quoted fact in an argument that nobody stated; `why` is for the model.

    A figure in a text is kept and named; a fact is left out. `is_said`: its words were written,
    and no day or value could be taken from them.
    """

    field: Annotated[str, Field(max_length=40)]
    value: Annotated[str, Field(max_length=120)]
    is_said: bool = False
    why: Annotated[str, Field(max_length=500)] = ""


class FieldSource(Value):
    """The source of one text of an effect: a verbatim quote, or the assistant's own wording.

    `needs_press`: neither the requester nor an approved procedure said it. `reading` is how the
    assistant counted a day whose number is not a figure of the quote. `is_part`: the quote is in a
    text that is otherwise the assistant's wording. `is_mixed`: the quote is from a message that
    contains a pasted text, and nobody said that it is from that.
    """

    field: Annotated[str, Field(max_length=40)]
    origin: Origin
    whose: Annotated[str, Field(max_length=120)] = ""
    quote: Annotated[str, Field(max_length=QUOTE_LIMIT)] = ""
    needs_press: bool = False
    reading: Annotated[str, Field(max_length=120)] = ""
    is_part: bool = False
    is_mixed: bool = False
