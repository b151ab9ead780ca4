"""The Edit form of a task: one typed model for what it shows and what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.clients import Named
from agencyclaw.domain.marketplaces import marketplaces_in
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.people import Value
from agencyclaw.domain.task_requests import (
    FACT_LIMIT,
    FACTS,
    PROMOTIONS,
    FactKind,
    Promotion,
    TaskFact,
)
from agencyclaw.domain.text import one_line

if TYPE_CHECKING:
    from agencyclaw.domain.task_creation import CreateTask

InputKind = Literal["line", "text", "day", "person", "choice"]
# Values of form options that are not the name of a procedure or promotion.
NONE, KEPT = "none", "kept"
# The form's fields with the terms of a promotion, and what those are called there.
_TERMS = {
    "discount": "discount",
    "price": "price",
    "starts": "starts",
    "starts_when": "starts_when",
    "ends": "ends",
    "ends_when": "ends_when",
    "promotion_budget": "budget",
}


@dataclass(frozen=True)
class Input:
    """How one form field is entered; `limit` is in characters, 0 where the kind has none."""

    label: str
    kind: InputKind = "line"
    limit: int = 0
    is_needed: bool = False


class TaskEdits(Value):
    """The fields a person may change before confirming; the form is generated from these."""

    title: Annotated[str, Input("Title", limit=200, is_needed=True)]
    objective: Annotated[str, Input("Objective", limit=300)] = ""
    details: Annotated[str, Input("Details", "text", limit=3_000)] = ""
    products: Annotated[str, Input(message("edits.products"), limit=1_300)] = ""
    marketplace: Annotated[str, Input("Marketplaces", limit=300)] = ""
    start: Annotated[date | None, Input("Start", "day")] = None
    due: Annotated[date | None, Input("Due", "day")] = None
    assignee: Annotated[UUID | None, Input("Assignee", "person")] = None
    procedure: Annotated[str, Input("Procedure", "choice")] = ""
    promotion_type: Annotated[str, Input("Promotion", "choice")] = NONE
    discount: Annotated[str, Input("Discount", limit=120)] = ""
    price: Annotated[str, Input("Promotion price", limit=120)] = ""
    starts: Annotated[date | None, Input("Promotion starts", "day")] = None
    starts_when: Annotated[str, Input(message("edits.starts_when"), limit=200)] = ""
    ends: Annotated[date | None, Input("Promotion ends", "day")] = None
    ends_when: Annotated[str, Input(message("edits.ends_when"), limit=200)] = ""
    promotion_budget: Annotated[str, Input("Promotion budget", limit=120)] = ""
    known: Annotated[str, Input(message("edits.known"), "text", limit=3_000)] = ""

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The ASINs and SKUs, in upper case, without duplicates."""
        products = self.products.upper().replace(",", " ").replace(";", " ")
        return tuple(dict.fromkeys(products.split()))

    @property
    def marketplaces(self) -> tuple[str, ...]:
        """The marketplaces, without duplicates."""
        return marketplaces_in(self.marketplace)

    @property
    def keeps_procedure(self) -> bool:
        """False if the person chose “None” as procedure."""
        return self.procedure != NONE

    @property
    def promotion(self) -> Promotion | None:
        """The terms of the promotion, if there is one."""
        if self.promotion_type not in PROMOTIONS:
            return None
        return Promotion(
            type=self.promotion_type,
            discount=self.discount,
            price=self.price,
            starts=self.starts,
            starts_when="" if self.starts else self.starts_when,
            ends=self.ends,
            ends_when="" if self.ends else self.ends_when,
            budget=self.promotion_budget,
        )

    def lost_terms(self, before: Promotion | None) -> tuple[str, ...]:
        """Return the labels of terms that were entered anew although no promotion is chosen.

        Those that the card had `before` go with the promotion that is taken away.
        """
        if self.promotion_type in PROMOTIONS:
            return ()
        had = _terms_of(before) if before else {}
        lost = (name for name in _TERMS if (term := getattr(self, name)) and term != had.get(name))
        return tuple(_label_of(name) for name in lost)

    @property
    def facts(self) -> tuple[TaskFact, ...]:
        """The other facts, one per line: “label: value”; an unknown label stays in the value."""
        return tuple(TaskFact(about=about, value=value) for about, value in self._facts_in_lines())

    @property
    def long_fact(self) -> str:
        """The first of the other facts that is too long to be kept whole; "" if all are."""
        return next((value for _, value in self._facts_in_lines() if len(value) > FACT_LIMIT), "")

    def _facts_in_lines(self) -> Iterator[tuple[FactKind, str]]:
        return (_fact(line) for line in self.known.splitlines() if line.strip())


class NotEditable(Value):
    """Why a person may not edit a proposal: a code for the audit, and the message they see."""

    reason: str
    message: str


class EditForm(TaskEdits):
    """The current values and the choices.

    `people` are for the assignee; `options` maps a field to pairs of value and label.
    """

    people: tuple[Named, ...] = ()
    options: dict[str, tuple[tuple[str, str], ...]] = Field(
        default_factory=dict[str, tuple[tuple[str, str], ...]]
    )


def form_of(effect: CreateTask, people: tuple[Named, ...]) -> EditForm:
    """Return the form of a task with the values on its card."""
    terms = effect.promotion
    procedure = next(
        (source.title for source in effect.sources if source.tier != "similar_task"), ""
    )
    values: dict[str, Any] = {
        "title": effect.title,
        "objective": effect.objective,
        "details": effect.details,
        "products": ", ".join(effect.identifiers),
        "marketplace": ", ".join(effect.marketplaces),
        "start": effect.start,
        "due": effect.due,
        "assignee": effect.assignee.profile_id if effect.assignee else None,
        "procedure": KEPT if procedure else NONE,
        "known": "\n".join(f"{source.label}: {source.value}" for source in effect.facts),
    }
    if terms:
        values |= {"promotion_type": terms.type, **_terms_of(terms)}
    kept = ((KEPT, one_line(procedure, 75)),) if procedure else ()
    options = {
        "procedure": (*kept, (NONE, "None")),
        "promotion_type": ((NONE, "None"), *((str(k), name) for k, name in PROMOTIONS.items())),
    }
    return EditForm(**values, people=people, options=options)


def _terms_of(promotion: Promotion) -> dict[str, Any]:
    """Return the terms of a promotion by the form's fields."""
    return {name: getattr(promotion, term) for name, term in _TERMS.items()}


def _label_of(name: str) -> str:
    [spec] = [one for one in TaskEdits.model_fields[name].metadata if isinstance(one, Input)]
    return localized(spec.label)


def _fact(line: str) -> tuple[FactKind, str]:
    label, colon, value = line.partition(":")
    for about, name in FACTS.items():
        if colon and value.strip() and label.strip().casefold() == name.casefold():
            return about, one_line(value, len(value))
    return "other", one_line(line, len(line))
