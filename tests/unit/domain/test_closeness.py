"""How close words come to things: no word list, any language, rare words decide."""

from __future__ import annotations

import pytest

from agencyclaw.domain.closeness import closeness, words_of

NOTES = [
    "No coupons in the first quarter",
    "The warehouse is in Rotterdam",
    "The invoices go to the office in Lyon",
    "Der Rückruf ist immer am Freitag",
]


def closest(said: str) -> str | None:
    fits = closeness(words_of(said), [dict.fromkeys(words_of(note), 1.0) for note in NOTES])
    best = max(fits)
    return NOTES[fits.index(best)] if best and fits.count(best) == 1 else None


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ("please forget about the coupon thing", 0),
        ("the one about Rotterdam, in the warehouse", 1),
        ("the rule for the invoice", 2),
        ("INVOICES", 2),
        ("das mit den Rückrufen", 3),
        ("ruckruf", 3),
        ("the warehuose", 1),
    ],
)
def test_the_rare_words_decide_in_any_language(said: str, note: int) -> None:
    assert closest(said) == NOTES[note]


@pytest.mark.parametrize("said", ["", "?!", "knitting", "office warehouse", "co"])
def test_what_says_nothing_of_one_thing_alone_is_close_to_none(said: str) -> None:
    assert closest(said) is None


def test_a_word_that_nothing_knows_counts_against_all() -> None:
    known = [dict.fromkeys(words_of(note), 1.0) for note in NOTES]

    assert max(closeness(["rotterdam"], known)) == 1.0
    assert max(closeness(["rotterdam", "knitting"], known)) < 0.5


def test_nothing_known_is_close_to_nothing() -> None:
    assert closeness(["word"], []) == []
    assert len(words_of("word " * 10_000)) == 300
