"""The month or year of a target is one that was said; else the card says that it is not stated."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from agencyclaw.domain.kpi import Amount, Goals, StoredTarget
from agencyclaw.domain.periods import Period, QuotedPeriod, period_fault, resolve_period
from agencyclaw.domain.record_kinds.targets import SetTarget
from agencyclaw.tools.kpi import kpi_target_upsert
from agencyclaw.tools.results import Ask
from tests.fakes.ports import context, demo_agency

TODAY = date(2026, 11, 18)
TARGET: dict[str, Any] = {
    "client": "Glintly Inc",
    "brand": "Glintly",
    "marketplace": "US",
    "acos": 25,
}


async def target(said: str, **arguments: Any) -> SetTarget:
    deps = demo_agency().run(request=said)
    made = await kpi_target_upsert(context(deps), **TARGET, **arguments)
    assert isinstance(made, SetTarget), made
    return made


def which(quote: str, **named: Any) -> QuotedPeriod:
    return QuotedPeriod(quote=quote, **named)


async def test_the_month_that_was_named_is_on_the_card_with_its_words() -> None:
    said = "ACOS of Glintly in the US to 25 for December"
    made = await target(said, period="monthly", which=which("for December", month=12))

    assert made.start == date(2026, 12, 1)
    assert dict(made.preview().fields)["Period"] == "December 2026 (monthly)"
    [basis] = made.field_sources
    assert (basis.field, basis.quote) == ("Period", "for December")
    assert made.unsupported_facts == ()


@pytest.mark.parametrize("year", [None, 2027])
async def test_a_month_of_next_year_that_was_named_without_it_is_said_to_be_guessed(
    year: int | None,
) -> None:
    named = which("for October", month=10, year=year)
    made = await target("ACOS to 25 for October", period="monthly", which=named)

    assert made.start == date(2027, 10, 1)
    guess = "Period: no year was named; “for October” is read as October 2027."
    assert made.warnings == (guess,)


async def test_a_month_of_next_year_that_was_named_with_it_is_no_guess() -> None:
    named = which("for October 2027", month=10, year=2027)
    made = await target("ACOS to 25 for October 2027", period="monthly", which=named)

    assert made.warnings == ()


async def test_a_period_that_nobody_named_is_the_present_one_and_the_card_says_so() -> None:
    made = await target("ACOS of Glintly in the US to 25 a month", period="monthly")

    assert made.start == date(2026, 11, 1)
    row = dict(made.preview().fields)["Period"]
    assert row == "November 2026 (monthly; which one is not stated)"


async def test_a_period_whose_words_nobody_wrote_is_not_taken_and_is_named() -> None:
    made = await target(
        "ACOS of Glintly in the US to 25",
        period="annual",
        which=which("for next year", ahead=1),
    )

    assert made.start == date(2026, 1, 1)
    assert dict(made.preview().fields)["Period"] == "2026 (annual; which one is not stated)"
    [unstated] = made.unsupported_facts
    assert (unstated.field, unstated.value) == ("Period", "2027")
    assert "Not stated by anyone: 2027 (Period)." in made.warnings


async def test_a_month_that_is_counted_is_shown_as_a_reading_of_the_words() -> None:
    said = "ACOS of Glintly in the US: 25 from nächsten Monat"
    made = await target(said, period="monthly", which=which("nächsten Monat", ahead=1))

    assert made.start == date(2026, 12, 1)
    assert [one.reading for one in made.field_sources] == ["1 month after November 2026"]


async def test_a_year_that_is_counted_back_is_shown_as_a_reading_of_the_words() -> None:
    said = "ACOS of Glintly in the US was to be 25 el año pasado"
    made = await target(said, period="annual", which=which("el año pasado", ahead=-1))

    assert made.start == date(2025, 1, 1)
    assert [one.reading for one in made.field_sources] == ["1 year before 2026"]


@pytest.mark.parametrize(
    ("period", "why"),
    [
        ("monthly", "no month was given, nor how far ahead it is"),
        ("annual", "no year was given, nor how far ahead it is"),
    ],
)
async def test_a_period_without_a_figure_is_not_taken_and_the_model_hears_why(
    period: Period, why: str
) -> None:
    said = "ACOS of Glintly in the US to 25 for the season"
    made = await target(said, period=period, which=which("for the season"))

    assert "which one is not stated" in dict(made.preview().fields)["Period"]
    assert made.left_out == (f"Period: not stated, because {why}.",)


@pytest.mark.parametrize(
    ("period", "named", "found"),
    [
        ("monthly", {"month": 11}, date(2026, 11, 1)),
        ("monthly", {"month": 3}, date(2027, 3, 1)),
        ("monthly", {"month": 3, "year": 2026}, date(2026, 3, 1)),
        ("monthly", {"ahead": 0}, date(2026, 11, 1)),
        ("monthly", {"ahead": 2}, date(2027, 1, 1)),
        ("annual", {"year": 2028}, date(2028, 1, 1)),
        ("annual", {"ahead": -1}, date(2025, 1, 1)),
    ],
)
def test_a_named_period_is_one_of_the_calendar(
    period: Any, named: dict[str, int], found: date
) -> None:
    assert resolve_period(period, which("so", **named), TODAY) == found


@pytest.mark.parametrize(
    ("month", "found"),
    [(10, date(2026, 10, 1)), (11, date(2026, 11, 1)), (12, date(2026, 12, 1))],
)
def test_of_results_a_month_without_a_year_is_the_last_one_and_skips_none_that_is_not_over(
    month: int, found: date
) -> None:
    """Who records a month on its last day does not mean last year's."""
    assert resolve_period("monthly", which("so", month=month), TODAY, past=True) == found


@pytest.mark.parametrize(
    ("quote", "named", "fault"),
    [
        ("in March 2027", {"month": 3, "year": 2027}, ""),
        ("March", {"month": 3, "year": 2027}, ""),
        ("3/28", {"month": 3, "year": 2028}, ""),
        ("March '28", {"month": 3, "year": 2028}, ""),
        ("March", {"month": 3, "year": 2028}, "the year 2028 does not occur in its quote"),
        ("ACOS 28 in March", {"month": 3, "year": 2028}, "the year 2028 does not occur"),
        ("Q1 2027", {"month": 2, "year": 2027}, ""),
        ("12/2026", {"month": 11, "year": 2026}, "the month 11 does not occur in its quote"),
        ("2026-12", {"month": 11, "year": 2026}, "the month 11 does not occur in its quote"),
        ("2026-12", {"month": 12, "year": 2026}, ""),
        ("this year", {"year": 2026}, ""),
        ("this year", {"year": 2027}, "the year 2027 does not occur in its quote"),
        ("all of 2027", {"year": 2027}, ""),
    ],
)
def test_what_the_figures_of_a_quote_contradict_is_not_stated(
    quote: str, named: dict[str, int], fault: str
) -> None:
    period: Period = "monthly" if "month" in named else "annual"
    found = period_fault(period, which(quote, **named), TODAY)

    assert found.startswith(fault)
    assert bool(found) is bool(fault)


def test_a_month_is_one_of_twelve() -> None:
    with pytest.raises(ValidationError):
        which("so", month=13)


@pytest.mark.parametrize(
    ("quote", "month"),
    [
        ("from 12/01/2026", 12),
        ("from 12/01/2026", 1),
        ("December, FY 2026-27", 12),
        ("2026/12", 12),
        ("2026-12-05", 12),
    ],
)
def test_a_month_in_figures_is_one_of_those_beside_the_year(quote: str, month: int) -> None:
    assert period_fault("monthly", which(quote, month=month, year=2026), TODAY) == ""


@pytest.mark.parametrize("quote", ["12/2026", "2026/12", "2026-12-05", "05.12.2026"])
def test_a_month_that_is_not_beside_the_year_does_not_occur(quote: str) -> None:
    named = which(quote, month=11, year=2026)
    assert "month 11" in period_fault("monthly", named, TODAY)


async def asked(said: str, **figures: Any) -> Ask:
    deps = demo_agency().run(request=said)
    made = await kpi_target_upsert(context(deps), **(TARGET | figures), period="monthly")
    assert isinstance(made, Ask), made
    return made


@pytest.mark.parametrize(
    ("figures", "label", "nearest"),
    [
        ({"acos": 15.125}, "ACOS", ("15.12", "15.13")),
        ({"tacos": 0.001}, "TACOS", ("0.00", "0.01")),
        ({"sales": Amount(number="200.1250"), "currency": "USD"}, "Sales", ("200.12", "200.13")),
    ],
)
async def test_a_figure_with_more_decimals_than_are_kept_is_asked_about(
    figures: dict[str, Any], label: str, nearest: tuple[str, ...]
) -> None:
    ask = await asked("ACOS of Glintly in the US", **figures)

    assert ask.question == f"{label} is kept with two decimals. Is it {' or '.join(nearest)}?"
    assert ask.labels == nearest


@pytest.mark.parametrize("number", ["9" * 27, "9" * 40, "1000000000000"])
async def test_more_than_any_sales_is_asked_about_however_long_it_is(number: str) -> None:
    ask = await asked("Sales", sales=Amount(number=number), currency="USD")

    assert ask.question == f"What amount is “{number}”? A plain number, please."


async def test_a_currency_without_sales_is_said_to_be_left_out() -> None:
    said = "ACOS of Glintly in the US to 25 a month, in euros"
    made = await target(said, period="monthly", currency="EUR")

    [left_out] = made.left_out
    assert left_out == "Currency EUR: left out, because no sales were given with it."
    with_sales = await target(said, period="monthly", currency="EUR", sales=Amount(number="200"))
    assert with_sales.left_out == ()


@pytest.mark.parametrize(("currency", "count"), [("usd", 0), ("EUR", 1), ("dollars", 1)])
async def test_the_currency_that_is_known_there_is_no_news(currency: str, count: int) -> None:
    agency = demo_agency()
    brand = next(one for one in agency.directory.all_brands if one.name == "Glintly")
    goals = Goals.model_validate({"sales": 5, "currency": "USD"})
    agency.directory.all_targets = [
        StoredTarget(
            brand_id=brand.id,
            marketplace="US",
            period="annual",
            start=date(2026, 1, 1),
            goals=goals,
        )
    ]
    deps = agency.run(request="ACOS 25")
    made = await kpi_target_upsert(context(deps), **TARGET, period="monthly", currency=currency)

    assert isinstance(made, SetTarget)
    assert len(made.left_out) == count


def test_a_year_that_its_quote_does_not_have_is_said_to_be_missing_beside_a_month() -> None:
    named = which("for Christmas next year", month=12, year=2027)

    assert period_fault("annual", named, TODAY) == "the year 2027 does not occur in its quote"
