"""Products of a client as the agency's catalog has them, and how a hint finds them."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from agencyclaw.domain.people import Value

MatchReason = Literal[
    "exact_asin", "exact_sku", "prefix_asin", "prefix_sku", "token_contains_title"
]
Resolution = Literal["exact", "ambiguous", "none"]


class Product(Value):
    """One product; it has an ASIN, a SKU, or both."""

    id: UUID
    brand: str | None = None
    asin: str | None = None
    sku: str | None = None
    title: str


class ProductMatch(Value):
    """A product that a hint may mean; `confidence` is between 0 and 1."""

    product: Product
    reason: MatchReason
    confidence: float
