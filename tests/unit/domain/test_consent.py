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


VOCABULARY = [
    "yes",
    "y",
    "yep",
    "yeah",
    "yup",
    "ok",
    "okay",
    "sure",
    "correct",
    "absolutely",
    "please",
    "pls",
    "thanks",
    "thank",
    "you",
    "thx",
    "great",
    "perfect",
    "now",
    "confirm",
    "confirmed",
    "approve",
    "approved",
    "do",
    "it",
    "that",
    "go",
    "ahead",
    "for",
    "create",
    "the",
    "task",
    "tasks",
    "them",
    "make",
    "so",
    "proceed",
    "ship",
    "send",
    "no",
    "n",
    "nope",
    "nah",
    "stop",
    "cancel",
    "never",
    "mind",
    "nevermind",
    "dont",
    "not",
    "abort",
    "discard",
    "forget",
]
tokens = st.sampled_from([*VOCABULARY, "but", "Friday", "Glintly", "if", "2", "maybe", "then"])
phrases = st.lists(tokens, min_size=1, max_size=7).map(" ".join)


@given(phrases)
def test_b29_consent_is_made_of_nothing_but_words_of_consent(text: str) -> None:
    word = read_word(text)

    if word is not None:
        assert set(text.split()) <= set(VOCABULARY)


@given(phrases)
def test_b29_nothing_with_a_no_in_it_is_a_yes(text: str) -> None:
    refusing = {"no", "n", "nope", "nah", "not", "dont", "never", "stop", "cancel", "abort"}
    word = read_word(text)

    assert word is None or not word.is_yes or not refusing & set(text.split())


@given(phrases, st.sampled_from(["", ".", "!", " ", "…", ","]), st.booleans())
def test_manners_case_and_marks_never_turn_an_answer_round(
    text: str, tail: str, shouts: bool
) -> None:
    word = read_word(text)
    again = read_word(f" {text.upper() if shouts else text.title()}{tail} ")

    assert again is word


@given(st.text(max_size=60))
def test_what_quotes_asks_or_has_lines_is_never_a_word(text: str) -> None:
    for wrapped in (
        f"> {text}",
        f"`{text}`",
        f"“{text}”",
        f'"{text}"',
        f"{text}?",
        f"yes\n{text}x",
    ):
        assert read_word(wrapped) is None


@given(st.text(min_size=81, max_size=200).filter(lambda text: len(text.strip()) > 80))
def test_a_long_message_is_conversation(text: str) -> None:
    assert read_word(text) is None
