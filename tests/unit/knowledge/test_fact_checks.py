"""A fact counts where its quote stands, and where the quote carries it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.quotes import (
    Fact,
    QuotedDay,
    is_among,
    missing_numbers,
    numbers_by_themselves,
    occurs_in,
    plain_number,
)
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
    [basis] = facts.field_sources
    assert (basis.field, basis.origin, basis.quote) == ("Discount", Origin.TYPED, "15% off")
    assert not basis.needs_press
    assert facts.left_out == []


def test_a_day_whose_year_was_guessed_and_may_have_passed_is_said_to_be_so() -> None:
    for quote, day in (("by 10 November", 10), ("by 10 November 2027", 10), ("by 20 November", 20)):
        facts = check(quote)
        due = facts.day("Due", on(quote, kind="month_day", month=11, day=day))

        guess = "Due: no year was named; “by 10 November” is read as Wed 10 Nov 2027."
        assert due == (date(2027, 11, 10) if day == 10 else date(2026, 11, 20))
        assert facts.assumed == ([guess] if quote == "by 10 November" else [])


def test_a_sign_that_the_card_had_or_the_quote_has_elsewhere_is_kept_to_be_checked() -> None:
    for said, before in (("make it 12", "10%"), ("20%... no wait 12", "")):
        facts = check(said)
        facts.card_facts = {"Discount": before}

        assert facts.text("Discount", stated("12%", said)) == "12%"
        assert [one.reading for one in facts.field_sources] == ["12%"]


def test_a_sign_that_nobody_wrote_is_left_out() -> None:
    facts = check("budget 500, 10% off")

    assert facts.text("Budget", stated("$500", "budget 500")) == "500"


def test_a_figure_that_was_read_as_a_time_does_not_count_days() -> None:
    facts = check("the day after tomorrow at 9", "in 3 days at 9")
    after = on("the day after tomorrow at 9", kind="in", count=2)

    assert facts.day("When", after, beside=frozenset({9})) == date(2026, 11, 20)
    assert facts.day("When", after) is None
    later = on("in 3 days at 9", kind="in", count=2)
    assert facts.day("When", later, beside=frozenset({9})) is None


@pytest.mark.parametrize(
    ("quote", "day", "found"),
    [
        ("tomorrow at 9", {"kind": "in", "count": 1}, date(2026, 11, 19)),
        ("heute um 14 Uhr", {"kind": "in", "count": 0}, date(2026, 11, 18)),
        ("the day after the 1st", {"kind": "from", "date": "2026-12-01", "count": 1}, None),
    ],
)
def test_today_and_tomorrow_are_words_whatever_figures_stand_beside_them(
    quote: str, day: dict[str, Any], found: date | None
) -> None:
    facts = check(quote)
    facts.known_days.add(date(2026, 12, 1))

    assert facts.day("Due", on(quote, **day)) == (found or date(2026, 12, 2))
    assert facts.left_out == []


@pytest.mark.parametrize("year", ["", "2026"])
def test_a_range_that_is_under_way_started_this_year(year: str) -> None:
    quote = f"16–30 Nov {year}".strip()
    facts = check(quote)
    ends = on(quote, kind="month_day", month=11, day=30)
    starts = on(quote, kind="month_day", month=11, day=16)
    in_full = on(quote, kind="date", date="2026-11-16")

    assert facts.day("Starts", starts, end=ends) == date(2026, 11, 16)
    assert facts.day("Starts", in_full, end=ends) == date(2026, 11, 16)
    assert facts.left_out == []


@pytest.mark.parametrize(
    ("value", "quote", "why"),
    [
        ("20%", "15% off", "“20” does not occur"),
        ("15%", "15% OFF", "does not stand in"),
        ("15%", "15% off everything", "does not stand in"),
        ("500 USD", "1,500 USD", "“500” does not occur"),
        ("15%", "1.5% off", "“15” does not occur"),
        ("1000 USD", "10.00 USD", "“1000” does not occur"),
        ("5%", "0.5% off", "“5” does not occur"),
        ("500 USD", "0.500 USD", "“500” does not occur"),
    ],
)
def test_a_fact_that_its_quote_does_not_carry_is_not_stated(
    value: str, quote: str, why: str
) -> None:
    facts = check()

    assert facts.text("Discount", stated(value, quote)) == ""
    assert facts.field_sources == []
    assert facts.left_out[0].startswith("Discount: not stated, because")
    assert why in facts.left_out[0]


def test_what_a_tool_returned_is_nothing_that_a_person_said() -> None:
    facts = check("a coupon", results=("Coupon of June, 30% off",))
    quote = "30% off"

    assert facts.text("Discount", stated("30%", quote)) == ""
    assert facts.text("Discount", stated("30%", quote, source="tool")) == "30%"
    assert facts.field_sources[0].needs_press


def test_what_was_pasted_takes_a_press() -> None:
    facts = check(origin=Origin.PASTED)

    assert facts.text("Discount", stated("15%", "15% off", source="pasted")) == "15%"
    assert facts.field_sources[0].needs_press


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
    assert facts.left_out[0].startswith("Due: not stated, because no day was given")
    [left] = facts.unsupported_facts
    assert (left.value, left.was_written) == ("until stock runs out", True)


@given(number=st.integers(0, 10**6), other=st.integers(0, 10**6), words=st.text(max_size=20))
def test_no_number_is_kept_that_its_quote_does_not_hold(
    number: int, other: int, words: str
) -> None:
    quote = f"{words} {other} off"

    if number != other and not any(char.isdigit() for char in words):
        assert missing_numbers(f"{number}%", quote)
    assert not missing_numbers(f"{other}%", quote)


@given(words=st.lists(st.text(min_size=1, max_size=9), min_size=1), cut=st.integers(0, 9))
def test_what_was_copied_stands_there(words: list[str], cut: int) -> None:
    quote, text = " ".join(words[cut:]), " ".join(words)

    assert occurs_in(quote, text) == bool(quote.split())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,000", "1000"),
        ("1.234.567", "1 234 567".replace(" ", "\u00a0")),
        ("1,00,000", "100000"),
        ("12,450.00", "12450"),
        ("1'000.50", "1.000,5"),
        ("28,5", "28.50"),
        ("01.12.2026", "1.12.2026"),
        ("٣.٥", "3.5"),
    ],
)
def test_one_number_has_one_form_however_it_is_written(one: str, other: str) -> None:
    assert plain_number(one) == plain_number(other)


def test_figures_beside_signs_are_figures_and_parts_of_names_are_not() -> None:
    figures = numbers_by_themselves("$20-$30, 10%/25%, 1%,99%; B0-123, v1.2, 3rd, 2026-11-24")

    assert figures == ["20", "30", "10", "25", "1", "99", "2026-11-24"]


@pytest.mark.parametrize(
    ("figure", "text", "is_there"),
    [
        ("24.11.", "due 2026-11-24", True),
        ("9.30", "at 09:30", True),
        ("15", "1.5% off", False),
        ("1.5", "15 units, 1 or 5 of them", False),
    ],
)
def test_a_figure_may_be_part_of_one_date_or_time_but_not_of_several_numbers(
    figure: str, text: str, is_there: bool
) -> None:
    assert is_among(figure, text) is is_there


@pytest.mark.parametrize(
    ("quote", "text", "stands"),
    [
        ("us", "Focus on the campaign bonus", False),
        ("US", "only US, please", True),
        ("20", "in 2026", False),
        ("30", "for 30d", True),
        ("明日", "明日までに", True),
        ("us", "Focus, us too", True),
        ("5 %", "under 3.5 %", False),
        ("3.5 %", "under 3.5 %", True),
        ("000", "1,000 units", False),
        ("24.11", "due 24.11.2026", False),
        ("for 200", "for 200.", True),
    ],
)
def test_a_quote_does_not_stand_within_a_word_or_number(
    quote: str, text: str, stands: bool
) -> None:
    assert occurs_in(quote, text) is stands


CARD_DUE = date(2026, 12, 11)
A_WEEK_BEFORE = {"kind": "from", "date": "2026-12-11", "count": -1, "unit": "weeks"}


def test_a_day_counted_from_the_one_on_the_card_is_resolved_and_read_out() -> None:
    facts = check("make it a week earlier")
    facts.known_days.add(CARD_DUE)

    assert facts.day("Due", on("make it a week earlier", **A_WEEK_BEFORE)) == date(2026, 12, 4)
    [basis] = facts.field_sources
    assert basis.reading == "1 week before Fri 11 Dec 2026"
    assert basis.quote == "make it a week earlier"
    assert facts.unsupported_facts == []


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("the launch is on 11 December, due a week before", "due a week before"),
        ("due a week before 11.12.", "due a week before 11.12."),
    ],
)
def test_a_day_may_be_counted_from_one_that_was_given(said: str, quote: str) -> None:
    assert check(said).day("Due", on(quote, **A_WEEK_BEFORE)) == date(2026, 12, 4)


def test_a_day_is_not_counted_from_one_that_nobody_gave() -> None:
    facts = check("make it a week earlier")

    assert facts.day("Due", on("make it a week earlier", **A_WEEK_BEFORE)) is None
    assert "Fri 11 Dec 2026 is on no card" in facts.left_out[0]
    [left] = facts.unsupported_facts
    assert (left.value, left.was_written) == ("make it a week earlier", True)


def test_a_day_may_be_counted_from_one_of_the_same_call() -> None:
    facts = check("starts next Friday, due one day before")
    friday = on("starts next Friday", kind="weekday", weekday="friday", which="next")
    before = on("due one day before", kind="from", date="2026-11-27", count=-1)

    assert facts.day("Starts", friday) == date(2026, 11, 27)
    assert facts.day("Due", before) == date(2026, 11, 26)


@pytest.mark.parametrize(
    ("said", "day", "reading"),
    [
        ("in two weeks", {"kind": "in", "count": 2, "unit": "weeks"}, "2 weeks from today"),
        ("in 2 weeks", {"kind": "in", "count": 2, "unit": "weeks"}, ""),
        ("bis morgen", {"kind": "in", "count": 1}, "tomorrow"),
        ("due tomorrow", {"kind": "in", "count": 1}, ""),
        ("heute", {"kind": "in", "count": 0}, "today"),
        # No word says whether such a one is a day: whoever confirms it sees what it was taken for.
        ("asap", {"kind": "in", "count": 0}, "today"),
        ("Friday", {"kind": "in", "count": 1}, "tomorrow"),
        ("later", {"kind": "in", "count": 9}, "9 days from today"),
        ("due 2 days before 11 Dec", A_WEEK_BEFORE | {"count": -2, "unit": "days"}, ""),
        ("due two days before 11 Dec", A_WEEK_BEFORE, "1 week before Fri 11 Dec 2026"),
        ("due Friday", {"kind": "weekday", "weekday": "friday"}, ""),
        (
            "viernes",
            {"kind": "weekday", "weekday": "friday", "which": "next"},
            "Friday of next week",
        ),
        (
            "doch erst Montag",
            {"kind": "weekday", "weekday": "monday", "which": "after"},
            "Monday of the week after next",
        ),
        ("on 11 Dec", {"kind": "month_day", "month": 12, "day": 11}, ""),
    ],
)
def test_a_count_that_no_figure_backs_is_the_assistants_reading(
    said: str, day: dict[str, Any], reading: str
) -> None:
    facts = check(said)

    assert facts.day("Due", on(said, **day))
    assert [one.reading for one in facts.field_sources] == [reading]


@pytest.mark.parametrize(("today", "is_read"), [("2026-11-29", False), ("2026-11-30", True)])
def test_next_weeks_weekday_is_no_reading_where_it_is_the_coming_one(
    today: str, is_read: bool
) -> None:
    words = "nächsten Mittwoch"
    facts = replace(check(words), today=date.fromisoformat(today))
    facts.day("Due", on(words, kind="weekday", weekday="wednesday", which="next"))

    assert [bool(one.reading) for one in facts.field_sources] == [is_read]


def test_a_figure_that_contradicts_a_count_refutes_it() -> None:
    facts = check("due 3 days before 11 Dec")

    assert facts.day("Due", on("due 3 days before 11 Dec", **A_WEEK_BEFORE)) is None


def test_a_fact_of_the_talk_does_not_rest_on_a_procedure() -> None:
    sop = Material(origin=Origin.PROCEDURE, whose="Placement SOP", text="Targets for the US")
    said = Material(origin=Origin.TYPED, whose="Ines", text="pawtrail us collars")
    facts = FactCheck((said,), (sop,), TODAY)

    assert facts.text("Marketplace", stated("US", "us")) == "US"
    assert facts.field_sources[0].origin is Origin.TYPED


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


@pytest.mark.parametrize(
    ("said", "day", "found", "reading"),
    [
        (
            "before the 5th",
            {"kind": "month_day", "day": 5},
            "Fri 4 Dec 2026",
            "before Sat 5 Dec 2026",
        ),
        (
            "before Monday",
            {"kind": "weekday", "weekday": "monday"},
            "Sun 22 Nov 2026",
            "before Mon 23 Nov 2026",
        ),
        ("before 1.12.", {"kind": "month_day", "month": 12, "day": 1}, "Mon 30 Nov 2026", None),
        ("before month's end", {"kind": "end_of", "period": "month"}, "Sun 29 Nov 2026", None),
        (
            "vor übermorgen",
            {"kind": "in", "count": 2},
            "Thu 19 Nov 2026",
            "before Fri 20 Nov 2026, 2 days from today",
        ),
    ],
)
def test_a_day_that_something_has_to_happen_before_is_not_included(
    said: str, day: dict[str, Any], found: str, reading: str | None
) -> None:
    facts = check(said)
    due = facts.day("Due", on(said, **day).model_copy(update={"before": True}))

    assert due is not None
    assert spoken_day(due) == found
    assert facts.field_sources[0].reading == reading or reading is None


def test_a_day_before_one_that_its_quote_does_not_have_is_not_stated() -> None:
    facts = check("before the 6th")
    due = on("before the 6th", kind="month_day", day=5).model_copy(update={"before": True})

    assert facts.day("Due", due) is None
    assert "the day 5 does not occur" in facts.left_out[0]


@pytest.mark.parametrize(
    ("quote", "value", "reading"),
    [
        ("Pawtrail the same but +20 %", "top of search +20 %", "top of search +20 %"),
        ("15% off", "15 %", ""),
        ("budget 500 USD", "500 USD", ""),
        ("in Mexico", "MX", "MX"),
    ],
)
def test_words_of_a_value_that_its_quote_does_not_have_are_the_assistants_reading(
    quote: str, value: str, reading: str
) -> None:
    facts = check(quote)

    assert facts.text("Also known", stated(value, quote))
    assert [one.reading for one in facts.field_sources] == [reading]
