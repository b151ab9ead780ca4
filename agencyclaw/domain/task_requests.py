"""A task as it was asked for: what the model understood, every fact with the words it rests on."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.people import Value
from agencyclaw.domain.quotes import NOT_VERBATIM, Fact, QuotedDay

PromotionType = Literal["coupon", "price_discount", "deal", "other"]
FactKind = Literal[
    "look_back", "target", "budget", "severity", "priority", "evidence", "deliverable", "other"
]
# What can be taken off a waiting task; a budget is one of the promotion or a fact of its own.
TaskField = Literal[
    FactKind,
    "details",
    "products",
    "marketplace",
    "start",
    "due",
    "promotion",
    "discount",
    "price",
    "starts",
    "ends",
]
# What a person may say that a task is to have none of.
Declinable = Literal["assignee", "due"]
NOT_STATED = "Not stated"
FACTS_AT_MOST = 12
FACT_LIMIT = 120

PROMOTIONS: dict[PromotionType, str] = {
    "coupon": "Coupon",
    "price_discount": "Price discount",
    "deal": "Deal",
    "other": "Other promotion",
}
# The kinds that are set up with a budget; of others nobody misses one.
WITH_BUDGET: frozenset[PromotionType] = frozenset({"coupon"})
FACTS: dict[FactKind, str] = {
    "look_back": "Look-back",
    "target": "Targets",
    "budget": "Budget",
    "severity": "Severity",
    "priority": "Priority",
    "evidence": "Evidence",
    "deliverable": "Deliverable",
    "other": "Note",
}


class QuotedPromotion(Value):
    """Its terms as far as given; `price` is the new one."""

    type: PromotionType
    discount: Fact | None = None
    price: Fact | None = None
    starts: QuotedDay | None = None
    ends: QuotedDay | None = None
    budget: Fact | None = None


class QuotedFact(Fact):
    """Another fact."""

    about: FactKind


class ChosenProcedure(Value):
    """Its title, or why none, in the person's language."""

    title: Annotated[str, Field(max_length=200), NOT_VERBATIM] | None = None
    none_because: Annotated[str, Field(max_length=200)] | None = None


class Promotion(Value):
    """The stated terms of a promotion; `starts_when`, `ends_when` are words that name no day.

    `price` is what it then sells for, `discount` what is taken off: one of them is enough.
    """

    type: PromotionType
    discount: Annotated[str, Field(max_length=120)] = ""
    price: Annotated[str, Field(max_length=120)] = ""
    starts: date | None = None
    starts_when: Annotated[str, Field(max_length=200)] = ""
    ends: date | None = None
    ends_when: Annotated[str, Field(max_length=200)] = ""
    budget: Annotated[str, Field(max_length=120)] = ""

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """The terms as people read them; what was not stated and belongs to it says so."""
        starts = spoken_day(self.starts) if self.starts else self.starts_when
        ends = spoken_day(self.ends) if self.ends else self.ends_when
        rows = (
            ("Promotion type", PROMOTIONS[self.type]),
            ("Discount", self.discount or ("" if self.price else NOT_STATED)),
            ("Price", self.price),
            ("Starts", starts or NOT_STATED),
            ("Ends", ends or NOT_STATED),
            ("Budget", self.budget or (NOT_STATED if self.type in WITH_BUDGET else "")),
        )
        return tuple(row for row in rows if row[1])


class TaskFact(Value):
    """A fact that was stated."""

    about: FactKind
    value: Annotated[str, Field(max_length=FACT_LIMIT)]

    @property
    def label(self) -> str:
        """What it is about, as people read it."""
        return FACTS[self.about]


class AskedBefore(Value):
    """A task that was asked for before and is on no card, and what products were named for it."""

    title: str
    identifiers: tuple[str, ...]
