"""A long text is read sentence by sentence, what its author wrote before what is quoted."""

from __future__ import annotations

import pytest

from agencyclaw.knowledge.passages import FIRST, LAST, passages


@pytest.mark.parametrize("text", ["", "coupon", "what do we do with stranded units?", "> coupon"])
def test_a_text_of_one_sentence_has_no_passages(text: str) -> None:
    assert passages(text) == ()


def test_sentences_and_lines_are_passages() -> None:
    text = "Hi all. Notes of the call:\n- photos are fine\n- 20% off?\n\nBest"

    assert passages(text) == (
        ("Hi all.", "Notes of the call:", "photos are fine", "20% off?", "Best"),
    )


@pytest.mark.parametrize(
    "mail",
    [
        "pls advise. thanks\n\n> We want a coupon.\n> From Friday.",
        "pls advise. thanks\n\nOn Tue, 3 Nov 2026 at 09:12, Priya <priya@glintly.example> wrote:\n"
        "We want a coupon.\nFrom Friday.",
        "pls advise. thanks\n-----Original Message-----\nWe want a coupon.\nFrom Friday.",
        "pls advise. thanks\nFrom: Priya <priya@glintly.example>\nWe want a coupon.\nFrom Friday.",
    ],
)
def test_what_is_quoted_comes_after_what_its_sender_wrote(mail: str) -> None:
    own, quoted = passages(mail)

    assert own == ("pls advise.", "thanks")
    assert quoted[-2:] == ("We want a coupon.", "From Friday.")


def test_of_a_very_long_text_the_beginning_and_more_of_the_end_are_read() -> None:
    [read] = passages(" ".join(f"Sentence {number}." for number in range(100)))

    assert len(read) == FIRST + LAST
    assert (read[0], read[FIRST], read[-1]) == ("Sentence 0.", "Sentence 84.", "Sentence 99.")
