"""A text that is cut ends where a sentence ends, and always fits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.knowledge.excerpts import shortened


def test_a_text_that_fits_stays_whole() -> None:
    assert shortened("One. Two.", lambda text: len(text) < 20) == "One. Two."


def test_a_cut_is_at_the_end_of_a_sentence() -> None:
    assert (
        shortened("One day. Two days. Three", lambda text: len(text) <= 20) == "One day. Two days."
    )


def test_a_sentence_that_no_space_follows_ends_all_the_same() -> None:
    assert shortened("一日目です。二日目です。三日目", lambda text: len(text) <= 14) == (
        "一日目です。二日目です。"
    )


def test_one_long_sentence_is_cut_between_words_and_one_long_word_anywhere() -> None:
    assert shortened("one two three", lambda text: len(text) <= 9) == "one two"
    assert shortened("x" * 300, lambda text: len(text) <= 200) == "x" * 192


@given(st.text(max_size=400), st.integers(min_value=0, max_value=400))
def test_what_is_left_fits_and_is_a_beginning(text: str, limit: int) -> None:
    left = shortened(text, lambda beginning: len(beginning) <= limit)

    assert len(left) <= limit
    assert text.startswith(left)
