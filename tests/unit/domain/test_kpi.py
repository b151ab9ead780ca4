"""Targets: amounts as people say them, and which row holds on a day."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from pydantic import ValidationError

from agencyclaw.domain.kpi import Amount, Goals, StoredTarget, in_force, start_of

BRAND = uuid4()


@pytest.mark.parametrize(
    ("number", "scale", "meant"),
    [
        ("200", "thousand", 200_000),
        ("1.2", "million", 1_200_000),
        ("200,000", "one", 200_000),
        ("200.000", "one", 200_000),
        ("1 200 000", "one", 1_200_000),
        ("5", "million", 5_000_000),
        ("99.50", "one", Decimal("99.50")),
        ("1,5", "million", 1_500_000),
        ("99,50", "one", Decimal("99.50")),
        ("1,200", "thousand", 1_200_000),
        ("1.200", "thousand", 1_200),
        ("1,234.50", "one", Decimal("1234.50")),
        ("15.1250", "one", Decimal("15.125")),
        ("9" * 27, "one", Decimal("9" * 27)),
        ("9" * 40, "million", Decimal("9" * 40 + "000000")),
        ("0." + "1" * 38, "million", Decimal("111111." + "1" * 32)),
    ],
)
def test_an_amount_is_its_figures_at_its_scale(number: str, scale: Any, meant: Any) -> None:
    assert Amount(number=number, scale=scale).value == Decimal(meant)


def test_an_amount_is_rounded_as_people_round() -> None:
    assert Amount(number="15.1250").rounded == Decimal("15.13")
    assert Amount(number="9" * 40, scale="million").rounded == Decimal("9" * 40 + "000000")


@pytest.mark.parametrize("number", ["12,34,5", "1.2.3", "1,2 3", "0,125", "012,345"])
def test_figures_that_are_not_one_number_are_not_guessed(number: str) -> None:
    assert Amount(number=number).value is None


@pytest.mark.parametrize(
    "number", ["", "a lot", "200k", "5 million", "-5", "20%", "$200", "9" * 90]
)
def test_words_and_signs_are_no_figures_of_an_amount(number: str) -> None:
    with pytest.raises(ValidationError):
        Amount(number=number)


def a_target(period: Any, start: date, **goals: Any) -> StoredTarget:
    return StoredTarget(
        brand_id=BRAND, marketplace="US", period=period, start=start, goals=Goals(**goals)
    )


def test_the_month_goes_before_the_year_and_last_month_is_over() -> None:
    held = in_force(
        [
            a_target("annual", date(2026, 1, 1), acos=30, tacos=12),
            a_target("monthly", date(2026, 11, 1), acos=28),
            a_target("monthly", date(2026, 10, 1), sales=100, currency="USD"),
        ],
        "US",
        date(2026, 11, 18),
    )

    assert {name: (one.value, one.source) for name, one in held.items()} == {
        "ACOS": ("28%", "monthly"),
        "TACOS": ("12%", "annual"),
        "Sales": ("", "none"),
    }
    assert start_of("annual", date(2026, 11, 18)) == date(2026, 1, 1)
