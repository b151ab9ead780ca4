"""Words and phrases as search compares them."""

import pytest

from agencyclaw.domain.search_keys import phrase_key, telling, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("N-Gram", "n gram"),
        ("ngrams", "n-gram"),
        ("price_discounts", "Price discount"),
        ("Policy Violations", "policy violation"),
        ("HV-KW", "hvkw"),
        ("At-Risk Listings", "at risk listing"),
        ("top‑of‑search bid", "top of search bids"),
        ("boxes", "box"),
        ("Ｃｏｕｐｏｎ", "coupon"),
    ],
)
def test_writing_a_phrase_differently_does_not_matter(one: str, other: str) -> None:
    assert phrase_key(one) == phrase_key(other)


@pytest.mark.parametrize(("one", "other"), [("coupon", "couponing"), ("us", "u"), ("ads", "as")])
def test_other_words_stay_other_words(one: str, other: str) -> None:
    assert phrase_key(one) != phrase_key(other)


def test_nothing_has_no_keys() -> None:
    assert words_of(" … ?! ") == []
    assert phrase_key("") == ""


def test_a_very_long_text_is_cut() -> None:
    assert len(words_of("word " * 10_000)) == 300
    assert len(telling("word " * 10_000)) <= 2_000


def test_words_of_every_request_tell_nothing() -> None:
    assert telling("Please create a task: fix the stranded units!") == "a stranded units!"
