"""The types of tool arguments; the types carry the limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, StringConstraints

from agencyclaw.domain.days import FIRST_DAY, LAST_DAY, calendar_day
from agencyclaw.domain.people import NOT_A_BOOL
from agencyclaw.domain.quotes import NOT_VERBATIM
from agencyclaw.domain.task_creation import OBJECTIVE_LIMIT
from agencyclaw.domain.task_requests import FACTS_AT_MOST, QuotedFact, TaskField
from agencyclaw.domain.tasks import SHOWN_AT_MOST
from agencyclaw.domain.text import folded


def _without_blanks(texts: list[str]) -> list[str]:
    """Drop the texts that say nothing: an argument that has only these was not given."""
    return [text for text in texts if folded(text)]


# What a record is called.
Name = Annotated[str, Field(max_length=120), NOT_VERBATIM]
NewName = Annotated[str, Field(max_length=120)]
# What a model gives in place of a name: no word of a person's is read as these.
ME = "me"
NOBODY = "nobody"
DONE = "done"
Whom = Literal["me"] | Name
NewStatus = Literal["done"] | Name
NewPriority = Literal["urgent", "high", "normal", "low", "none"]
Assigned = Literal["me", "nobody"] | Name
Query = Annotated[str, Field(max_length=400)]
# A mail or notes as they were pasted: search reads them sentence by sentence.
Asked = Annotated[str, Field(max_length=2_000)]
Title = Annotated[str, Field(max_length=200)]
Objective = Annotated[str, Field(max_length=OBJECTIVE_LIMIT)]
PresentTitle = Annotated[str, Field(max_length=200), NOT_VERBATIM]
# What is looked up and never left empty.
Sought = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200), NOT_VERBATIM
]
Titles = Annotated[list[PresentTitle], Field(max_length=25)]
Request = Annotated[str, Field(max_length=1_000), NOT_VERBATIM]
Text = Annotated[str, Field(max_length=3_000)]
Page = Annotated[int, Field(ge=1, le=99), NOT_A_BOOL]
Key = Annotated[str, Field(max_length=140)]
Days = Annotated[int, Field(ge=1, le=365), NOT_A_BOOL]
# Who asks for more rows than are ever shown gets those, and the tool's note says of how many.
Top = Annotated[
    int,
    Field(ge=1, le=9_999),
    AfterValidator(lambda rows: min(rows, SHOWN_AT_MOST)),
    NOT_A_BOOL,
]
Day = Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY), BeforeValidator(calendar_day)]
Identifiers = Annotated[
    list[Annotated[str, Field(max_length=200)]],
    Field(max_length=50),
    AfterValidator(_without_blanks),
]
Facts = Annotated[list[QuotedFact], Field(max_length=FACTS_AT_MOST)]
TaskFields = Annotated[list[TaskField], Field(max_length=20)]
PastRange = Literal["last_week", "this_week", "this_month", "last_n_days", "dates"]
Range = Literal[
    "this_week",
    "next_week",
    "this_month",
    "last_n_days",
    "next_n_days",
    "overdue",
    "dates",
    "any_time",
]

_Kind = TypeVar("_Kind")


def nested(kind: type[_Kind], node: Any) -> Iterator[_Kind]:
    """Yield the values of a kind in arguments or an effect, at any depth."""
    if isinstance(node, kind):
        yield node
    elif isinstance(node, BaseModel):
        yield from nested(kind, list(vars(node).values()))
    elif isinstance(node, list | tuple):
        for part in cast("Sequence[Any]", node):
            yield from nested(kind, part)
