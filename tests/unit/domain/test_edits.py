"""What comes back from the Edit form."""

from __future__ import annotations

import pytest

from agencyclaw.domain.edits import TaskEdits


@pytest.mark.parametrize("text", ["US, DE", "US; DE", "US;DE", " US DE,US ;"])
def test_a_list_may_have_any_of_the_usual_separators(text: str) -> None:
    edits = TaskEdits(title="Refresh", marketplace=text, products=text.lower())

    assert edits.marketplaces == ("US", "DE")
    assert edits.identifiers == ("US", "DE")
