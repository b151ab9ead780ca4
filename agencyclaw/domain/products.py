"""Products of a client's catalog, and the results of a product search."""

from __future__ import annotations

import re
from typing import Literal
from uuid import UUID

from agencyclaw.domain.people import Certainty, Value

MatchReason = Literal[
    "exact_asin", "exact_sku", "prefix_asin", "prefix_sku", "token_contains_title", "listed"
]
Resolution = Literal["exact", "likely", "ambiguous", "none", "listed"]
# Between the parts of a title or a list, not within a number such as 10,000.
COMMA = re.compile(r"(?<!\d),|,(?!\d{3}(?!\d))")


class Product(Value):
    """One product; it has an ASIN, a SKU, or both."""

    id: UUID
    brand: str | None = None
    asin: str | None = None
    sku: str | None = None
    title: str

    @property
    def names(self) -> tuple[str, ...]:
        """What people may call it: the title, its part before the first comma, and `full_name`."""
        return (self.title, COMMA.split(self.title)[0].strip() or self.title, self.full_name)

    @property
    def full_name(self) -> str:
        """The title with its identifier."""
        return f"{self.asin or self.sku or ''} {self.title}".strip()


class ProductMatch(Value):
    """A product a hint may mean; `confidence` is between 0 and 1."""

    product: Product
    reason: MatchReason
    confidence: Certainty
