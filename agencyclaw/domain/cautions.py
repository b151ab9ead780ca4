"""What speaks against a task according to our own records, as lines of its card."""

from __future__ import annotations

from datetime import datetime

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Value
from agencyclaw.domain.text import one_line


class LikelyRepeat(Value):
    """An earlier task, by anybody, that is equal or has the same brand, procedure and products.

    `is_made`: it was created, or may have been if it has no `url`; otherwise it waits on a card.
    """

    title: str
    by: str
    at: datetime
    url: str | None
    is_made: bool
    is_equal: bool

    @property
    def line(self) -> str:
        """Return it as a line of the card."""
        made = "was created" if self.url else message("cautions.may_exist")
        how = made if self.is_made else message("cautions.waits_on_card")
        same = (
            message("cautions.same_task")
            if self.is_equal
            else message("cautions.task_same_procedure_products")
        )
        when = f"{self.at:%d %b}"
        title = one_line(self.title, 120)
        return message("cautions.repeat", same=same, how=how, by=self.by, when=when, title=title)


class OtherProduct(Value):
    """An identifier of another brand; `brand` is "" if that belongs to another client."""

    identifier: str
    brand: str

    @property
    def line(self) -> str:
        """Return it as a line of the card."""
        whose = self.brand or "another client"
        return message("cautions.catalog_not_brand", identifier=self.identifier, whose=whose)


class Cautions(Value):
    """Everything in our own records that speaks against one task."""

    repeats: tuple[LikelyRepeat, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    products: tuple[OtherProduct, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of the card, the most important first."""
        noted = (message("built.noted", by=by, note=one_line(note, 200)) for note, by in self.notes)
        return (
            *(caution.line for caution in self.repeats),
            *noted,
            *(caution.line for caution in self.products),
        )
