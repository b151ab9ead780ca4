"""Where the texts of an effect come from, as its card shows it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from agencyclaw.domain.people import Value, stored_as

QUOTE_LIMIT = 200
NAME_LIMIT = 40
# The task field that code composes from the other fields and a procedure's steps.
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
    # Nobody named it: the channel is for it.
    PLACE = "place"
    ASSISTANT = "assistant"

    @property
    def is_trusted(self) -> bool:
        """Whether the requester typed it, or an approved procedure contains it."""
        return self in (Origin.TYPED, Origin.PROCEDURE)


class Material(Value):
    """A text that the assistant had read when it prepared something; `whose` is its author.

    `taints`: the assistant's own wording may rest on it too, so only a press confirms.
    `is_elsewhere`: it was written in another thread, where a name may mean somebody else.
    """

    origin: Origin
    whose: str = ""
    text: str
    taints: bool = False
    is_elsewhere: bool = False


class UnsupportedFact(Value):
    """A figure or quoted fact in a tool's argument without a source; `why` is for the model.

    A figure stays in its text and is named on the card; a fact is left out. `was_written`:
    somebody wrote these words, but they give no day or value.
    """

    field: Annotated[str, Field(max_length=NAME_LIMIT)]
    value: Annotated[str, Field(max_length=120)]
    was_written: Annotated[bool, stored_as("is_said")] = False
    why: Annotated[str, Field(max_length=500)] = ""


class FieldSource(Value):
    """The source of one text of an effect: a verbatim quote, or the assistant's own wording.

    `needs_press`: words of others are in it or may have shaped it, or it was taken from an offer.
    `reading` is how the assistant read a quote that does not say the value literally. `is_part`:
    the rest of the text is the assistant's wording. `is_mixed`: the quote's message also contains
    pasted text, so the quote may or may not be pasted.
    """

    field: Annotated[str, Field(max_length=NAME_LIMIT)]
    origin: Origin
    whose: Annotated[str, Field(max_length=120)] = ""
    quote: Annotated[str, Field(max_length=QUOTE_LIMIT)] = ""
    needs_press: bool = False
    reading: Annotated[str, Field(max_length=120)] = ""
    is_part: bool = False
    is_mixed: bool = False
