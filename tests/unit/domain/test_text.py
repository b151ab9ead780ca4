"""Text as it enters and as it is compared."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.text import canonical_json, clean, clean_json, cut, digest, folded

anything = st.text(st.characters(codec=None), max_size=200)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=15,
)


@given(anything)
def test_cleaned_text_can_be_stored_and_seen(text: str) -> None:
    cleaned = clean(text)

    cleaned.encode()
    assert "\x00" not in cleaned
    assert not any(unicodedata.category(c) in {"Cc", "Cs"} and c not in "\n\t" for c in cleaned)


@given(anything)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


def test_emoji_survive_and_hidden_characters_do_not() -> None:
    assert clean("a\x00b \u202egnp.exe 👩‍👩‍👧 ❤️\U000e0041") == "ab gnp.exe 👩‍👩‍👧 ❤️"


def test_a_long_text_is_cut_at_its_limit() -> None:
    assert len(clean("x" * 20_000)) == 10_000
    assert cut("abcdef", 4) == "abc…"


def test_keys_are_cleaned_too() -> None:
    assert clean_json({"a\x00": ["b\x00", {"c": "\ud800"}]}) == {"a": ["b", {"c": ""}]}


@given(st.dictionaries(st.text(max_size=8), values, max_size=6))
def test_order_of_keys_does_not_change_the_digest(value: dict[str, object]) -> None:
    turned = dict(reversed(list(value.items())))

    assert digest(value) == digest(turned)


def test_canonical_json_tells_apart_what_differs() -> None:
    assert digest(["ab", "c"]) != digest(["a", "bc"])
    assert digest({"a": 1}) != digest({"a": "1"})
    assert canonical_json("e\u0301") == canonical_json("\u00e9")


def test_names_are_compared_without_case_space_and_outer_punctuation() -> None:
    assert folded("  Glintly?") == folded("glintly.") == "glintly"
    assert folded("Acme  Corp\tInternational") == "acme corp international"
