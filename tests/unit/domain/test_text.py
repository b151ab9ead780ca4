"""Text as it enters and as it is compared."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.text import (
    canonical_json,
    clean,
    clean_json,
    cut,
    digest,
    dump_clean,
    first_few,
    first_lines,
    folded,
)

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


def normal(value: object) -> object:
    """What two values have in common when they mean the same."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return [normal(item) for item in value]
    if isinstance(value, dict):
        return {normal(key): normal(item) for key, item in value.items()}
    return value if value is None or isinstance(value, bool) else (type(value).__name__, value)


@given(values, values)
def test_two_values_have_one_canonical_form_only_if_they_mean_the_same(
    one: object, other: object
) -> None:
    same = normal(one) == normal(other) and repr(normal(one)) == repr(normal(other))
    ordered = canonical_json(one) == canonical_json(other)

    assert ordered or not same
    assert not ordered or json.loads(canonical_json(one)) == json.loads(canonical_json(other))


@given(values)
def test_the_canonical_form_of_itself_is_itself(value: object) -> None:
    once = canonical_json(value)

    assert canonical_json(json.loads(once)) == once
    assert "\n" not in once.replace("\\n", "")


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30), st.text(max_size=30))
def test_where_one_value_ends_and_the_next_begins_matters(a: str, b: str, c: str, d: str) -> None:
    same = (normal(a), normal(b)) == (normal(c), normal(d))

    assert (digest([a, b]) == digest([c, d])) is same


@pytest.mark.parametrize(
    "hidden",
    [
        *("\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069", "\u206a", "\u00ad"),
        *("\u034f", "\u115f", "\u1160", "\u180e", "\u3164", "\uffa0", "\ufff9", "\ufeff", "\u2060"),
        *("\x00", "\x07", "\x1b", "\x85", "\x9b", "\U000e0041", "\U000e0101"),
    ],
)
def test_what_turns_hides_or_steers_text_is_cleaned_away(hidden: str) -> None:
    assert clean(f"pa{hidden}y") == "pay"
    assert json.loads(dump_clean({f"k{hidden}": f"pa{hidden}y"})) == {"k": "pay"}


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\u2028", "\u2029"])
def test_every_line_ending_is_one(ending: str) -> None:
    assert clean(f"a{ending}b") == "a\nb"
    assert json.loads(dump_clean([f"a{ending}b"])) == ["a\nb"]


@pytest.mark.parametrize(
    ("parts", "few", "lines"),
    [
        ([], "", ()),
        (["a", "b"], "a, b", ("a", "b")),
        (["a", "b", "c", "d"], "a, b and 2 more", ("a", "b", "and 2 more")),
    ],
)
def test_of_more_than_fit_the_first_are_named_and_the_others_counted(
    parts: list[str], few: str, lines: tuple[str, ...]
) -> None:
    assert first_few(parts, 2) == few
    assert first_lines(parts, 2) == lines
