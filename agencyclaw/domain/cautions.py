"""What speaks against a task: shown on its card before the press."""

from __future__ import annotations

from datetime import datetime

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value
from agencyclaw.domain.text import one_line


class LikelyRepeat(Value):
    """The same task, or one of the same brand, procedure and products, whoever asked for it."""

    title: str
    by: str
    at: datetime
    url: str | None
    is_made: bool
    is_equal: bool

    @property
    def line(self) -> str:
        """Return it as a person reads it."""
        how = "was created" if self.is_made else message("cautions.waits_on_card")
        same = (
            message("cautions.same_task")
            if self.is_equal
            else message("cautions.task_same_procedure_products")
        )
        return f"{same} {how} for {self.by} on {self.at:%d %b}: “{one_line(self.title, 120)}”."


class OtherProduct(Value):
    """An identifier that the catalog has for another brand; its name only within the client."""

    identifier: str
    brand: str

    @property
    def line(self) -> str:
        """Return it as a person reads it."""
        whose = self.brand or "another client"
        return message("cautions.catalog_not_brand", identifier=self.identifier, whose=whose)


class Cautions(Value):
    """All that speaks against one task, as far as our own records know."""

    repeats: tuple[LikelyRepeat, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    products: tuple[OtherProduct, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return them as lines of a card, what weighs most first."""
        noted = (f"{by} noted: “{one_line(note, 200)}”." for note, by in self.notes)
        return (
            *(one.line for one in self.repeats),
            *noted,
            *(one.line for one in self.products),
        )
