"""The grammar of a plain yes and no."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.consent import ENGLISH, LANGUAGES, Grammar, Word, normal, read_word

YES = [
    *("yes", "Yes.", "y", "ok", "OK!", "yep", "sure", "yes please", "okay, thanks"),
    *("Yes, yes!", "*yes*", "ok then", "Of course.", "great, yes", "YES – thank you"),
]
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
    "yes create",
    "Yes – create it!",
    "ok, fine, go ahead then",
    "I confirm.",
    "kindly proceed",
]
NO = ["no", "No.", "n", "nope", "no thanks", "No, no!", "ok no", "no way"]
COMMAND_NO = [
    "cancel",
    "stop",
    "never mind",
    "nevermind",
    "don't",
    "no, don't do it",
    "cancel that",
    "Please don’t.",
    "no - cancel it, thanks",
    "not now",
    "Ok, forget it",
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
    "~yes~",
    "no, go ahead",
    "yes, no",
    "yes, cancel it",
    "do not confirm",
    "create the task for me and Yuki",
    "create tasks",
    "okay but later",
    "not yes",
    "please",
    ":+1:",
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


def phrases_of(grammar: Grammar) -> dict[str, tuple[str, ...]]:
    return {
        "yes": (*grammar.yes, *grammar.orders),
        "no": (*grammar.no, *grammar.refusals),
        "manners": grammar.manners,
    }


VOCABULARY = sorted(
    {word for part in phrases_of(ENGLISH).values() for phrase in part for word in phrase.split()}
)
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_entry_of_the_table_is_written_as_messages_are_read_and_means_one_thing(
    language: str,
) -> None:
    parts = phrases_of(LANGUAGES[language])

    assert all(phrase == normal(phrase) for part in parts.values() for phrase in part)
    assert not set(parts["yes"]) & set(parts["no"])
    for phrase in parts["yes"]:
        word = read_word(phrase)
        assert word is not None
        assert word.is_yes
    for phrase in parts["no"]:
        word = read_word(phrase)
        assert word is not None
        assert not word.is_yes


GERMAN = Grammar(
    yes=("ja", "gern"),
    orders=("mach das", "leg es an"),
    no=("nein", "nö"),
    refusals=("abbrechen", "lass es"),
    manners=("bitte", "danke", "also"),
)


def test_a_language_is_one_more_entry() -> None:
    table = {**LANGUAGES, "de": GERMAN}

    assert read_word("Ja, bitte!", table) is Word.YES
    assert read_word("ja - leg es an, danke", table) is Word.COMMAND_YES
    assert read_word("Nö.", table) is Word.NO
    assert read_word("Nein, lass es bitte", table) is Word.COMMAND_NO
    assert read_word("ja, aber Freitag", table) is None
    assert read_word("ja please", table) is None, "one message is in one language"
    assert read_word("yes, create it", table) is Word.COMMAND_YES
    assert read_word("ja") is None


def test_a_word_that_is_a_yes_here_and_a_no_there_is_a_no() -> None:
    table = {"one": GERMAN, "two": Grammar(("da",), ("x",), ("ja",), ("z",), ("w",))}

    assert read_word("ja", table) is Word.NO
