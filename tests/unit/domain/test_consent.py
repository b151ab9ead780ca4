"""The grammar of a plain yes and no."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.consent import Word, read_word

YES = ["yes", "Yes.", "y", "ok", "OK!", "yep", "sure", "yes please", "okay, thanks"]
COMMAND_YES = [
    "yes, create it",
    "Yes create it.",
    "create it",
    "please create it",
    "go ahead",
    "Go ahead!",
    "do it",
    "confirm",
    "Confirmed",
    "approve",
    "sure, go ahead please",
    "yes do it now",
]
NO = ["no", "No.", "n", "nope", "no thanks"]
COMMAND_NO = [
    "cancel",
    "stop",
    "never mind",
    "nevermind",
    "don't",
    "no, don't do it",
    "cancel that",
]
CONVERSATION = [
    "yes but Friday",
    "yes?",
    "> yes",
    "`yes`",
    '"yes"',
    "“yes, create it”",
    "yes\nbut make it blue",
    "no, make it Friday",
    "create it for Glintly instead",
    "yes and also assign Sara",
    "thanks",
    "",
    "yesterday",
    "know",
    "cancel the Copperleaf task",
    "go ahead and add Yuki",
]


@pytest.mark.parametrize(
    ("text", "word"),
    [(t, Word.YES) for t in YES]
    + [(t, Word.COMMAND_YES) for t in COMMAND_YES]
    + [(t, Word.NO) for t in NO]
    + [(t, Word.COMMAND_NO) for t in COMMAND_NO],
)
def test_a_plain_word_is_understood(text: str, word: Word) -> None:
    assert read_word(text) is word


@pytest.mark.parametrize("text", CONVERSATION)
def test_anything_else_is_conversation(text: str) -> None:
    assert read_word(text) is None


@given(st.sampled_from(YES + COMMAND_YES), st.sampled_from(["", " ", "!", ".", " …", "  \t"]))
def test_case_space_and_punctuation_do_not_matter(text: str, tail: str) -> None:
    for variant in (text.upper(), text.lower(), f"  {text}{tail}"):
        word = read_word(variant)
        assert word is not None
        assert word.is_yes


@given(st.text(min_size=1, max_size=40).filter(lambda t: any(c.isalnum() for c in t)))
def test_no_is_never_read_where_something_else_is_said(tail: str) -> None:
    word = read_word(f"yes but {tail}")

    assert word is None
