"""A fact counts where its quote stands, and where the quote carries it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.quotes import Fact, QuotedDay, missing_numbers, stands_in
from agencyclaw.knowledge.fact_checks import FactCheck

TODAY = date(2026, 11, 18)
MAIL = "ACOS stays under 28 %, please.\nFrom 1 December to 10 December: 15% off, 1,500 USD."


def check(*said: str, results: tuple[str, ...] = (), origin: Origin = Origin.TYPED) -> FactCheck:
    talk = tuple(Material(origin=origin, whose="Ines", text=one) for one in said or (MAIL,))
    found = tuple(Material(origin=Origin.RECORD, whose="tasks", text=one) for one in results)
    return FactCheck(talk, found, TODAY)


def stated(value: str, quote: str, **more: Any) -> Fact:
    return Fact(value=value, quote=quote, **more)


def on(quote: str, **day: Any) -> QuotedDay:
    return QuotedDay.model_validate({"quote": quote, "day": day})


def test_a_fact_that_its_quote_carries_is_kept_with_whose_words_it_rests_on() -> None:
    facts = check()

    assert facts.text("Discount", stated("15%", "15%  off")) == "15%"
    [basis] = facts.bases
    assert (basis.field, basis.origin, basis.quote) == ("Discount", Origin.TYPED, "15% off")
    assert not basis.needs_press
    assert facts.left_out == []


@pytest.mark.parametrize(
    ("value", "quote", "why"),
    [
        ("20%", "15% off", "“20” does not occur"),
        ("15%", "15% OFF", "does not stand in"),
        ("15%", "15% off everything", "does not stand in"),
        ("500 USD", "1,500 USD", "“500” does not occur"),
    ],
)
def test_a_fact_that_its_quote_does_not_carry_is_not_stated(
    value: str, quote: str, why: str
) -> None:
    facts = check()

    assert facts.text("Discount", stated(value, quote)) == ""
    assert facts.bases == []
    assert facts.left_out[0].startswith("Discount: not stated, because")
    assert why in facts.left_out[0]


def test_what_a_tool_returned_is_nothing_that_a_person_said() -> None:
    facts = check("a coupon", results=("Coupon of June, 30% off",))
    quote = "30% off"

    assert facts.text("Discount", stated("30%", quote)) == ""
    assert facts.text("Discount", stated("30%", quote, source="tool")) == "30%"
    assert facts.bases[0].needs_press


def test_what_was_pasted_takes_a_press() -> None:
    facts = check(origin=Origin.PASTED)

    assert facts.text("Discount", stated("15%", "15% off", source="pasted")) == "15%"
    assert facts.bases[0].needs_press


@pytest.mark.parametrize(
    ("day", "found"),
    [
        (on("1 December", kind="month_day", month=12, day=1), date(2026, 12, 1)),
        (on("to 10 December", kind="date", date="2026-12-10"), date(2026, 12, 10)),
    ],
)
def test_a_day_whose_number_occurs_is_kept(day: QuotedDay, found: date) -> None:
    assert check().day("Ends", day) == found


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("until the 12th", {"kind": "month_day", "month": 12, "day": 10}),
        ("due Friday", {"kind": "date", "date": "2026-11-20"}),
        ("1 December", {"kind": "date", "date": "2027-12-01"}),
        ("by 01.12.", {"kind": "month_day", "month": 11, "day": 1}),
        ("in 2 weeks", {"kind": "in", "count": 3, "unit": "weeks"}),
        ("on 31 February", {"kind": "month_day", "month": 2, "day": 31}),
    ],
)
def test_a_day_that_nobody_said_is_not_stated(said: str, day: dict[str, Any]) -> None:
    facts = check(said)

    assert facts.day("Due", on(said, **day)) is None
    assert facts.left_out[0].startswith("Due: not stated, because")


@pytest.mark.parametrize(
    ("said", "day", "found"),
    [
        ("due Friday", {"kind": "weekday", "weekday": "friday"}, date(2026, 11, 20)),
        ("bis morgen", {"kind": "in", "count": 1}, date(2026, 11, 19)),
        ("in 2 weeks", {"kind": "in", "count": 2, "unit": "weeks"}, date(2026, 12, 2)),
        ("el 1 de marzo de 2027", {"kind": "date", "date": "2027-03-01"}, date(2027, 3, 1)),
        ("am 05.12.", {"kind": "month_day", "month": 12, "day": 5}, date(2026, 12, 5)),
    ],
)
def test_relative_days_are_resolved_whatever_the_language(
    said: str, day: dict[str, Any], found: date
) -> None:
    assert check(said).day("Due", on(said, **day)) == found


def test_an_end_may_be_in_words_a_due_date_may_not() -> None:
    facts = check("until stock runs out")
    words = QuotedDay(quote="until stock runs out")

    assert facts.day("Ends", words, or_words=True) is None
    assert facts.quote("Ends", words) == "until stock runs out"
    assert facts.left_out == []
    assert facts.day("Due", words) is None
    assert facts.left_out == ["Due: not stated, because no day was given."]


@given(number=st.integers(0, 10**6), other=st.integers(0, 10**6), words=st.text(max_size=20))
def test_no_number_is_kept_that_its_quote_does_not_hold(
    number: int, other: int, words: str
) -> None:
    quote = f"{words} {other} off"

    if number != other and not any(char.isdigit() for char in words):
        assert missing_numbers(f"{number}%", quote)
    assert not missing_numbers(f"{other}%", quote)


@given(text=st.text(min_size=1, max_size=60), cut=st.integers(0, 30))
def test_what_was_copied_stands_there(text: str, cut: int) -> None:
    assert stands_in(text[cut:], text) == bool(text[cut:].split())


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("20% off CL-GP", True),
        ("20% off cl-gp, please", True),
        ("see .../dp/CL-GP?th=1", True),
        ("CL-GP/CL-GP-SV", True),
        ("That is CL-GP. Thanks", True),
        ("20% off CL-GP-BK", False),
        ("XCL-GP", False),
        ("CL-GPX and A.CL-GP", False),
    ],
)
def test_a_part_of_an_identifier_stands_nowhere(text: str, stands: bool) -> None:
    assert check(text).holds("CL-GP") is stands
