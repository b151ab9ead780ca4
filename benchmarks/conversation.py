"""The conversation every system has: ten turns, each with two tool calls and then an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Exchange:
    """A person's message, the model's calls, and its answer."""

    said: str
    brand: str
    query: str
    answer: str
    procedure: str

    @property
    def calls(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """The two calls of the one response that asks for tools."""
        return (
            ("lookup_brand", {"brand": self.brand}),
            ("search_kb", {"query": self.query}),
        )


def _exchange(said: str, brand: str, query: str, procedure: str) -> Exchange:
    answer = (
        f"{brand} is linked to its ClickUp list. The procedure to follow is “{procedure}”: check"
        " the product identifiers and the dates first, then the budget. Who does it is still open."
    )
    return Exchange(said, brand, query, answer, procedure)


CONVERSATION = (
    _exchange(
        "How do we set up a coupon for Copperleaf?",
        "Copperleaf",
        "set up a coupon",
        "Coupons Promotion SOP",
    ),
    _exchange(
        "And a price discount for Nordvent?",
        "Nordvent",
        "price discount",
        "Price Discounts Promotion SOP",
    ),
    _exchange(
        "What about restocking Glintly at FBA?",
        "Glintly",
        "restock at FBA",
        "FBA Restock Request SOP",
    ),
    _exchange(
        "Tessera has stranded inventory.", "Tessera", "stranded inventory", "Stranded Inventory SOP"
    ),
    _exchange(
        "Pawtrail wants an n-gram analysis.",
        "Pawtrail",
        "n-gram analysis",
        "NGram Optimization SOP",
    ),
    _exchange(
        "Is there something on portfolio budgets?",
        "Pawtrail Pro",
        "portfolio budgets",
        "Portfolio Budgets Weekly SOP",
    ),
    _exchange(
        "Hearthlane Kids got a policy violation.",
        "Hearthlane",
        "policy violations",
        "Policy Violations Review SOP",
    ),
    _exchange(
        "Which rules do we use in Pacvue?",
        "Pawtrail Lite",
        "pacvue rules",
        "Pacvue Rules Master Update SOP",
    ),
    _exchange(
        "A listing is search suppressed.",
        "Copperleaf",
        "search suppressed listing",
        "Search Suppressed & At-Risk Listings SOP",
    ),
    _exchange(
        "And product compliance for Nordvent?",
        "Nordvent",
        "product compliance",
        "Product Compliance Requests SOP",
    ),
)
_BY_WORDS = {exchange.said: exchange for exchange in CONVERSATION}


def exchange_for(said: str) -> Exchange:
    """Return the exchange with this message; raises KeyError for any other."""
    return _BY_WORDS[said]
