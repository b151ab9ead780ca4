"""What comes back from the Edit form."""

from __future__ import annotations

import pytest

from agencyclaw.domain.edits import TaskEdits
from agencyclaw.domain.task_requests import Promotion


@pytest.mark.parametrize("text", ["US, DE", "US; DE", "US;DE", " US DE,US ;"])
def test_a_list_may_have_any_of_the_usual_separators(text: str) -> None:
    edits = TaskEdits(title="Refresh", marketplace=text, products=text.lower())

    assert edits.marketplaces == ("US", "DE")
    assert edits.identifiers == ("US", "DE")


def test_terms_without_a_promotion_are_lost_unless_its_card_had_them_before() -> None:
    coupon = Promotion(type="coupon", discount="20%", budget="500 USD")
    edits = TaskEdits(title="Refresh", discount="20%", promotion_budget="600 USD")

    assert edits.lost_terms(None) == ("Discount", "Promotion budget")
    assert edits.lost_terms(coupon) == ("Promotion budget",)
    assert edits.model_copy(update={"promotion_type": "deal"}).lost_terms(coupon) == ()
