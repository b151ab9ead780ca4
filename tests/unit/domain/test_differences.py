"""What is other in a newer text is named line by line, with the heading it stands under."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.differences import differences

OLD = """Used once a week.

## Steps
1. Look.
2. Mend.

## Afterwards
Write it down.
"""
TEXTS = st.lists(st.sampled_from(["# Steps", "1. Look.", "2. Mend.", "", "Write it down."]))


def test_lines_that_are_other_stand_under_their_heading() -> None:
    new = OLD.replace("2. Mend.", "2. Mend it the same day.\n3. Look again.")

    assert [(one.heading, one.sentence) for one in differences(OLD, new)] == [
        ("Steps", "before: 2. Mend."),
        ("Steps", "now: 2. Mend it the same day."),
        ("Steps", "now: 3. Look again."),
    ]


def test_marks_that_would_format_what_follows_are_left_out() -> None:
    new = "- [ ] **Look**\n```\n---\n## After"

    assert [one.text for one in differences("", new)] == [
        "[ ] **Look**",
        "(a line of marks)",
        "(a line of marks)",
        "After",
    ]


def test_a_line_that_moved_left_one_heading_for_another() -> None:
    new = OLD.replace("1. Look.\n", "") + "1. Look.\n"

    assert [(one.heading, one.is_new) for one in differences(OLD, new)] == [
        ("Steps", False),
        ("Afterwards", True),
    ]


@given(TEXTS, TEXTS)
def test_counts_add_up_and_equal_texts_have_none(old: list[str], new: list[str]) -> None:
    found = differences("\n".join(old), "\n".join(new))
    added = sum(one.is_new for one in found)

    assert added - (len(found) - added) == len([*filter(None, new)]) - len([*filter(None, old)])
    assert differences("\n".join(new), "\n".join(new)) == []


def test_of_a_long_line_what_is_other_is_shown() -> None:
    old, new = "x " * 120 + "10 units", "x " * 120 + "20 units"

    before, now = (one.sentence for one in differences(old, new))
    assert before.startswith("before: …x x")
    assert (before[-8:], now[-8:]) == ("10 units", "20 units")
    assert [len(one.text) for one in differences(old, new, is_cut=False)] == [248, 248]


@pytest.mark.parametrize("added", ["First of all, look.\n", "Zuletzt.\n", "x x\ny\nz\n"])
def test_of_a_long_line_what_is_other_is_shown_whatever_was_added_before_it(added: str) -> None:
    old, new = "x " * 120 + "10 units", "x " * 120 + "20 units"

    for before, after in ((old, added + new), (added + old, new)):
        found = differences(before, after)
        assert [one.text[-8:] for one in found if len(one.text) > 60] == ["10 units", "20 units"]
