"""Targets: amounts as people say them, and which row holds on a day."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from agencyclaw.domain.kpi import Goals, StoredTarget, in_force, read_amount, start_of

BRAND = uuid4()


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("200k", 200_000),
        ("1.2m", 1_200_000),
        ("200,000", 200_000),
        ("200.000", 200_000),
        ("1 200 000", 1_200_000),
        ("5 million", 5_000_000),
        ("99.50", Decimal("99.50")),
        ("1,5m", 1_500_000),
        ("99,50", Decimal("99.50")),
        ("1,200k", 1_200_000),
        ("1,234.50", Decimal("1234.50")),
    ],
)
def test_an_amount_is_read_as_it_is_said(said: str, meant: Any) -> None:
    assert read_amount(said) == Decimal(meant)


@pytest.mark.parametrize("said", ["", "a lot", "1k-2k", "-5", "20%", "$200k", "12,34,5", "9" * 90])
def test_what_is_no_plain_amount_is_not_guessed(said: str) -> None:
    assert read_amount(said) is None


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
