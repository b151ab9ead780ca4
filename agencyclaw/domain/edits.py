"""What the Edit form shows and what comes back from it: one typed model for both."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value
from agencyclaw.domain.task_requests import FACTS, PROMOTIONS, Promotion, PromotionType, TaskFact
from agencyclaw.domain.text import one_line

if TYPE_CHECKING:
    from agencyclaw.domain.effects import CreateTask

InputKind = Literal["line", "text", "day", "person", "choice"]
NONE = "none"


@dataclass(frozen=True)
class Input:
    """How a field is filled in: its label, what kind of input it is, how long it may be."""

    label: str
    kind: InputKind = "line"
    limit: int = 0
    is_needed: bool = False


class TaskEdits(Value):
    """The fields a person may change before confirming, as submitted; the form is made of them."""

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
    ends: Annotated[date | None, Input("Promotion ends", "day")] = None
    ends_when: Annotated[str, Input(message("edits.ends_when"), limit=200)] = ""
    promotion_budget: Annotated[str, Input("Promotion budget", limit=120)] = ""
    known: Annotated[str, Input(message("edits.known"), "text", limit=2_000)] = ""

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The products, each once, in capitals."""
        return tuple(
            dict.fromkeys(self.products.replace(",", " ").replace(";", " ").upper().split())
        )

    @property
    def marketplaces(self) -> tuple[str, ...]:
        """The marketplaces, each once."""
        return tuple(dict.fromkeys(self.marketplace.replace(",", " ").split()))

    @property
    def keeps_procedure(self) -> bool:
        """Whether the procedure stays."""
        return self.procedure != NONE

    @property
    def promotion(self) -> Promotion | None:
        """The terms of the promotion, if there is one."""
        kinds: dict[str, PromotionType] = {str(kind): kind for kind in PROMOTIONS}
        kind = kinds.get(self.promotion_type)
        if kind is None:
            return None
        return Promotion(
            type=kind,
            discount=self.discount,
            price=self.price,
            starts=self.starts,
            ends=self.ends,
            ends_when="" if self.ends else self.ends_when,
            budget=self.promotion_budget,
        )

    @property
    def facts(self) -> tuple[TaskFact, ...]:
        """The other facts: the label in front of a colon says what each is about."""
        return tuple(_fact(line) for line in self.known.splitlines() if line.strip())


class NotEditable(Value):
    """Why a proposal can't be edited by somebody: the reason for the audit, a sentence for them."""

    reason: str
    message: str


class EditForm(TaskEdits):
    """The present values, and what may be chosen: people, by field the options with their names."""

    people: tuple[Named, ...] = ()
    options: dict[str, tuple[tuple[str, str], ...]] = Field(
        default_factory=dict[str, tuple[tuple[str, str], ...]]
    )


def form_of(effect: CreateTask, people: tuple[Named, ...]) -> EditForm:
    """Return the form of a task as it stands on its card."""
    terms = effect.promotion
    procedure = next((one.title for one in effect.sources if one.tier != "similar_task"), "")
    values: dict[str, Any] = {
        "title": effect.title,
        "objective": effect.objective,
        "details": effect.details,
        "products": ", ".join(effect.identifiers),
        "marketplace": ", ".join(effect.marketplaces),
        "start": effect.start,
        "due": effect.due,
        "assignee": effect.assignee.profile_id if effect.assignee else None,
        "procedure": "kept" if procedure else NONE,
        "known": "\n".join(f"{one.label}: {one.value}" for one in effect.facts),
    }
    if terms:
        values |= {
            "promotion_type": terms.type,
            "discount": terms.discount,
            "price": terms.price,
            "starts": terms.starts,
            "ends": terms.ends,
            "ends_when": terms.ends_when,
            "promotion_budget": terms.budget,
        }
    kept = (("kept", one_line(procedure, 75)),) if procedure else ()
    options = {
        "procedure": (*kept, (NONE, "None")),
        "promotion_type": ((NONE, "None"), *((str(k), name) for k, name in PROMOTIONS.items())),
    }
    return EditForm(**values, people=people, options=options)


def _fact(line: str) -> TaskFact:
    label, colon, value = line.partition(":")
    for about, name in FACTS.items():
        if colon and value.strip() and label.strip().casefold() == name.casefold():
            return TaskFact(about=about, value=one_line(value, 120))
    return TaskFact(about="other", value=one_line(line, 120))
