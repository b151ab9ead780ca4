"""Only what stands in people's own writing is quoted, and what turns it stays with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.knowledge.stated import nearest, quoted

WORDS = st.lists(
    st.sampled_from(["ships", "rotterdam", "warehouse", "titles", "friday", "pallets"]),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize(
    ("quote", "said", "kept"),
    [
        (
            "They ship from Rotterdam",
            "keep in mind that they ship from Rotterdam, please",
            "they ship from Rotterdam",
        ),
        ("dont cut  images", "Don't cut images!", None),
        ("don't cut  images", "Don’t cut images!", "Don’t cut images"),
        ("the budget is 500", "Note: the budget is $500.", "the budget is $500"),
        ("budget is $500", "the budget is $500 a day", "budget is $500"),
        ("refundable", "their deposits are non-refundable.", "non-refundable"),
        ("on the 3rd", "1. Reports\n2. Always on the 3rd\n3. In English", "on the 3rd"),
        (
            "as a PDF. From March on",
            "They want it as a PDF. From March on, that is.",
            "as a PDF. From March on",
        ),
    ],
)
def test_what_somebody_wrote_is_kept_in_their_letters(
    quote: str, said: str, kept: str | None
) -> None:
    assert quoted(quote, ["Something else.", said]) == kept


@pytest.mark.parametrize(
    ("quote", "said", "kept"),
    [
        (
            "they ship from Rotterdam",
            "So. It is not true that they ship from Rotterdam. Ask Tomas.",
            "It is not true that they ship from Rotterdam.",
        ),
        ("they want Walmart", "maybe they want Walmart", "maybe they want Walmart"),
        (
            "coupons in December",
            "They don’t want coupons in December",
            "They don’t want coupons in December",
        ),
        (
            "they pay by card",
            "they pay by card, except in Canada",
            "they pay by card, except in Canada",
        ),
        ("they ship on Friday", "Do they ship on Friday?", "Do they ship on Friday?"),
    ],
)
def test_what_is_turned_doubted_or_asked_is_never_kept_without_that(
    quote: str, said: str, kept: str
) -> None:
    assert quoted(quote, [said]) == kept


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("They ship from Antwerp", "they ship from Rotterdam"),
        ("Their budget is 5000", "their budget is 500"),
        ("They want coupons", "they don't want coupons"),
        ("ship from Rotterdam", "Rotterdam is where they ship from"),
        ("they sell at Walmart", "they sell nothing at Walmart"),
        ("", "they ship from Rotterdam"),
        ("Miguel approves it", "Miguel\napproves nothing; it waits"),
    ],
)
def test_other_words_another_order_or_a_gap_are_nobodys(quote: str, said: str) -> None:
    assert quoted(quote, [said]) is None


def test_a_quote_does_not_reach_over_two_messages() -> None:
    assert quoted("they ship from Rotterdam", ["they ship", "from Rotterdam"]) is None


def test_the_sentence_that_comes_close_is_named_and_nothing_far_off() -> None:
    said = ["We spoke of titles. They are shipping from Rotterdam now. Bye."]

    assert nearest("Glintly ships from Rotterdam", said) == "They are shipping from Rotterdam now."
    assert nearest("They want to sell at Walmart in spring", said) is None
    assert nearest("", said) is None


@given(WORDS, st.integers(0, 5), st.integers(1, 6))
def test_every_run_of_words_quotes_its_sentence(words: list[str], start: int, size: int) -> None:
    run = words[start : start + size]

    assert quoted(" ".join(run).upper(), [" ".join(words)]) == (" ".join(run) if run else None)


@given(WORDS, st.sampled_from(["walmart", "lisbon", "7,5", "quarterly"]))
def test_one_word_more_is_never_stated(words: list[str], more: str) -> None:
    assert quoted(" ".join([*words, more]), [" ".join(words)]) is None
