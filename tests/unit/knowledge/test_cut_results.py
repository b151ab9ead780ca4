"""What a tool returned is cut in each of its parts, and every cut is marked."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.knowledge.cut_results import cut_result

STEPS = "Check the stock first. " * 200
ANSWER: dict[str, Any] = {
    "found": True,
    "procedures": [{"title": "Coupons Promotion SOP", "excerpt": STEPS}],
    "other_titles": [f"Procedure number {number}" for number in range(90)],
    "note": None,
}


def test_what_fits_stays_as_it_is() -> None:
    assert cut_result('{"b": 1}', 20) == '{"b": 1}'


def test_a_long_text_and_a_long_list_are_both_cut_and_short_parts_stay() -> None:
    shown = cut_result(json.dumps(ANSWER), 1_500)

    assert 1_200 < len(shown) <= 1_500
    assert shown.startswith(
        '{"found":true,"procedures":[{"title":"Coupons Promotion SOP","excerpt"'
    )
    assert shown.count("Check the stock first.") > 20
    assert "more characters]" in shown
    assert '"Procedure number 0"' in shown
    assert " … and " in shown
    assert shown.endswith('"note":null}')


def test_the_rows_of_a_list_that_do_not_fit_are_counted() -> None:
    rows = [{"title": f"Task {number}"} for number in range(300)]
    shown = cut_result(json.dumps({"tasks": rows, "total": 300}), 1_000)

    kept = shown.count('"title"')
    assert 20 < kept < 60
    assert f"… and {300 - kept} more" in shown
    assert shown.endswith('"total":300}')


def test_a_plain_text_is_cut_at_its_end() -> None:
    shown = cut_result("so " * 1_000, 100)

    assert len(shown) <= 100
    assert shown.endswith("more characters]")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=80),
    lambda inner: (
        st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=9), inner, max_size=5)
    ),
)


@given(JSON, st.integers(1, 400))
def test_whatever_was_returned_fits(node: Any, limit: int) -> None:
    assert len(cut_result(json.dumps(node), limit)) <= limit
