"""A fact was stated only if its words of meaning stand in what people said, and said that way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.knowledge.stated import unstated

WORDS = st.lists(
    st.sampled_from(["ships", "rotterdam", "warehouse", "titles", "friday", "pallets"]),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("Glintly ships from Rotterdam", "they are shipping from Rotterdam now"),
        ("They prefer concise titles", "please keep their titles concise"),
        ("They do not want coupons in December", "no coupons in december for them!"),
        (
            "Reports go out on the 3rd of the month",
            "their reports always go out on the 3rd, month by month",
        ),
    ],
)
def test_what_was_said_in_other_forms_is_stated(fact: str, said: str) -> None:
    assert unstated(fact, [said], names=["Glintly Inc"]) == ()


@pytest.mark.parametrize(
    ("fact", "said", "missing"),
    [
        ("They ship from Antwerp", "they ship from Rotterdam", ("antwerp",)),
        ("Their budget is 5000", "their budget is 500", ("5000",)),
        ("They want coupons in December", "they don't want coupons in December", ("not",)),
        ("They never ship on Friday", "they ship on Friday", ("not",)),
        ("They may sell at Walmart", "", ("may", "sell", "walmart")),
    ],
)
def test_what_nobody_said_is_named(fact: str, said: str, missing: tuple[str, ...]) -> None:
    assert unstated(fact, [said]) == missing


@given(WORDS)
def test_a_sentence_states_itself(words: list[str]) -> None:
    assert unstated(" ".join(words), [" ".join(words)]) == ()


@given(WORDS, st.sampled_from(["walmart", "lisbon", "7,5", "quarterly"]))
def test_one_word_more_is_never_stated(words: list[str], more: str) -> None:
    assert unstated(" ".join([*words, more]), [" ".join(words)])
