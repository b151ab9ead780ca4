"""Products of a client as the agency's catalog has them, and how a hint finds them."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from agencyclaw.domain.people import Certainty, Value

MatchReason = Literal[
    "exact_asin", "exact_sku", "prefix_asin", "prefix_sku", "token_contains_title"
]
Resolution = Literal["exact", "likely", "ambiguous", "none"]


class Product(Value):
    """One product; it has an ASIN, a SKU, or both."""

    id: UUID
    brand: str | None = None
    asin: str | None = None
    sku: str | None = None
    title: str

    @property
    def names(self) -> tuple[str, ...]:
        """All that people call it: the title, and what stands before its first comma."""
        return (self.title, self.title.partition(",")[0].strip() or self.title, self.full_name)

    @property
    def full_name(self) -> str:
        """The title with its identifier, which no two products of a client share."""
        return f"{self.asin or self.sku or ''} {self.title}".strip()


class ProductMatch(Value):
    """A product that a hint may mean; `confidence` is between 0 and 1."""

    product: Product
    reason: MatchReason
    confidence: Certainty
