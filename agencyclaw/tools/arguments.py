"""The kinds of argument tools take; the types carry the limits."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from agencyclaw.domain.tasks import SHOWN_AT_MOST

FIRST_DAY = date(2000, 1, 1)
LAST_DAY = date(2100, 12, 31)


def _not_a_bool(value: Any) -> Any:
    """True is 1 to Python, never a number of days to a person."""
    if isinstance(value, bool):
        raise ValueError("a number is needed, not true or false")
    return value


def _a_calendar_day(value: Any) -> Any:
    """A bare number would be read as seconds since 1970, which nobody means."""
    if isinstance(value, (bool, int, float)):
        raise ValueError("a date like 2026-03-31 is needed")
    return value


Name = Annotated[str, Field(max_length=120)]
Query = Annotated[str, Field(max_length=400)]
# A mail or notes as they were pasted: search reads them sentence by sentence.
Asked = Annotated[str, Field(max_length=2_000)]
Title = Annotated[str, Field(max_length=200)]
Request = Annotated[str, Field(max_length=1_000)]
Text = Annotated[str, Field(max_length=3_000)]
Page = Annotated[int, Field(ge=1, le=99), BeforeValidator(_not_a_bool)]
Key = Annotated[str, Field(max_length=140)]
Days = Annotated[int, Field(ge=1, le=365), BeforeValidator(_not_a_bool)]
Top = Annotated[int, Field(ge=1, le=SHOWN_AT_MOST), BeforeValidator(_not_a_bool)]
Day = Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY), BeforeValidator(_a_calendar_day)]
Identifiers = Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=50)]
Range = Literal["this_week", "this_month", "last_n_days", "next_n_days", "dates", "any_time"]
