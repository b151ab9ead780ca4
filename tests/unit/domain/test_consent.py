"""The closed list of a plain yes and no."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.consent.words import Word, asks, read_word

YES = [
    *("yes", "Yes.", "y", "yep", "Yeah!", "yes please", "*yes*", "YES – thank you"),
    *("yes, create it", "create it", "please create it", "go ahead", "Go ahead!", "do it"),
    *("confirm", "Confirmed", "I confirm.", "Yes, go ahead", "proceed"),
    *("ja", "Ja, bitte!", "sí", "SI", "sí, por favor", "oui", "Oui merci"),
    *("sì", "sim", "Sim, por favor", "je confirme", "bestätigt", "Bestätigt!"),
]
NO = [
    *("no", "No.", "n", "nope", "no thanks", "cancel", "Cancel that.", "never mind", "nevermind"),
    *("don't", "Please don’t.", "not now", "forget it", "drop it"),
    *("nein", "Nein, danke", "abbrechen", "non", "non merci", "não", "NAO", "annulla", "olvídalo"),
]
CONVERSATION = [
    *("ok", "OK!", "okay, thanks", "sure", "Sure!", "fine", "great", "great, thanks", "thanks"),
    *(
        "perfect",
        "alright",
        ":+1:",
        "👍",
        "of course",
        "ok, great, thanks",
        "cool",
        "genau",
        "vale",
    ),
    *(
        "yes…",
        "yes..",
        "Yes ...",
        "yes but Friday",
        "yes?",
        "> yes",
        "`yes`",
        '"yes"',
        "“yes, create it”",
        "«oui»",
    ),
    *("yes\nbut make it blue", "no, make it Friday", "create it for Glintly instead"),
    *("yes and also assign Sara", "", "yesterday", "know", "cancel the Copperleaf task"),
    *("go ahead and add Yuki", "~yes~", "no, go ahead", "yes, no", "yes, cancel it", "not yes"),
    *("create the task for me and Yuki", "create tasks", "okay but later", "please"),
    *("the second one", "keep the note, forget the coupon", "create all of them"),
]


@pytest.mark.parametrize("text", YES)
def test_a_plain_yes_is_understood_in_the_languages_people_use(text: str) -> None:
    assert read_word(text) is Word.YES


@pytest.mark.parametrize("text", NO)
def test_a_plain_no_is_understood_in_the_languages_people_use(text: str) -> None:
    assert read_word(text) is Word.NO


@pytest.mark.parametrize("text", CONVERSATION)
def test_an_acknowledgement_and_anything_else_is_conversation(text: str) -> None:
    assert read_word(text) is None


@pytest.mark.parametrize("text", ["si, creala", "sí, creala", "Si créala", "bestatigt", "ＹＥＳ"])
def test_accents_may_be_left_out(text: str) -> None:
    assert read_word(text) is Word.YES


@pytest.mark.parametrize("text", ["Falló", "Confirmó.", "Já", "procedí", "yés", "nó"])
def test_an_accent_that_a_word_does_not_have_makes_another_word(text: str) -> None:
    for written in (text, unicodedata.normalize("NFD", text)):
        assert read_word(written) is None


@pytest.mark.parametrize("mark", ["'", "’", "´"])
def test_an_apostrophe_may_be_any(mark: str) -> None:
    assert read_word(f"Please don{mark}t") is Word.NO


@given(st.sampled_from(YES), st.sampled_from(["", " ", "!", ".", "  \t"]))
def test_case_space_and_punctuation_do_not_matter(text: str, tail: str) -> None:
    bare = text.rstrip(".!")
    for variant in (bare.upper(), bare.lower(), f"  {bare}{tail}"):
        assert read_word(variant) is Word.YES


@given(st.sampled_from(YES + NO), st.text(alphabet="abcdefgh 123", min_size=2, max_size=20))
def test_a_word_with_anything_after_it_is_conversation(text: str, tail: str) -> None:
    longer = f"{text} zz{tail}"
    assert read_word(longer) is None


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


@pytest.mark.parametrize("mark", ["?", "？", "¿", "؟", "\u037e", "‽", "⁇", "⸘", "፧", "՞", "꘏"])
def test_a_question_mark_of_any_script_asks(mark: str) -> None:
    assert asks(f"Shall I{mark}")
    assert read_word(f"yes{mark}") is None


def test_what_one_language_reads_as_yes_and_another_as_no_is_no() -> None:
    assert read_word("no") is Word.NO
