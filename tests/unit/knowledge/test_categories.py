"""A category is read as its procedure's title writes its words."""

from __future__ import annotations

import pytest

from agencyclaw.knowledge.buckets import spoken


@pytest.mark.parametrize(
    ("category", "title", "shown"),
    [
        ("fba_restock", "FBA Restock Request SOP", "FBA Restock"),
        ("fba_restock", "", "Fba restock"),
        ("ppc_audit", "How we do a PPC audit", "PPC audit"),
        ("coupons", "Coupons Promotion SOP", "Coupons"),
        ("account_health", "Policy Violations SOP", "Account health"),
        ("", "", ""),
    ],
)
def test_a_category_keeps_the_capitals_of_the_title(category: str, title: str, shown: str) -> None:
    assert spoken(category, title) == shown
