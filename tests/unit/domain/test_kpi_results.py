"""Results beside targets: which is compared with which, and exactly at the target is met."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.clients import Brand
from agencyclaw.domain.kpi import METRICS, Figures, Goals, Metric, StoredTarget
from agencyclaw.domain.kpi_results import Compared, Results, StoredResult, compared, is_met
from agencyclaw.domain.periods import Period
from agencyclaw.domain.watches import Check, Watch, WatchedState, findings_of

BRAND = uuid4()
LISBON = ZoneInfo("Europe/Lisbon")
OCTOBER, TODAY = date(2026, 10, 1), date(2026, 11, 28)
BROUGHT = datetime(2026, 11, 2, 9, tzinfo=UTC)
RATIOS = st.decimals(0, 100, places=2)
CENT = Decimal("0.01")


def a_result(
    period: Period = "monthly",
    start: date = OCTOBER,
    source: str = "Amazon Ads",
    at: datetime = BROUGHT,
    **figures: Any,
) -> StoredResult:
    return StoredResult(
        brand_id=BRAND,
        marketplace="US",
        period=period,
        start=start,
        source=source,
        figures=Results(**figures),
        brought_by="Ines Varga",
        brought_at=at,
    )


def a_target(period: Period, start: date, market: str = "US", **goals: Any) -> StoredTarget:
    return StoredTarget(
        brand_id=BRAND, marketplace=market, period=period, start=start, goals=Goals(**goals)
    )


def only(targets: list[StoredTarget], *results: StoredResult) -> Compared:
    [one] = compared(targets, results, TODAY, LISBON)
    return one


@given(RATIOS, st.sampled_from(["acos", "tacos"]))
def test_of_a_ratio_less_is_better_and_exactly_at_the_target_is_met(
    goal: Decimal, metric: Metric
) -> None:
    goals = Goals(**{metric: goal})

    assert is_met(metric, goals, Figures(**{metric: goal})) is True
    assert is_met(metric, goals, Figures(**{metric: goal + CENT})) is False
    assert goal == 0 or is_met(metric, goals, Figures(**{metric: goal - CENT})) is True


@given(st.decimals(CENT, 10**9, places=2))
def test_of_sales_more_is_better_and_exactly_at_the_target_is_met(goal: Decimal) -> None:
    def met(sales: Decimal, currency: str = "USD") -> bool | None:
        reached = Figures(sales=sales, currency=currency)
        return is_met("sales", Goals(sales=goal, currency="USD"), reached)

    assert met(goal) is met(goal + CENT) is True
    assert met(goal - CENT) is False
    assert met(goal, "CAD") is met(goal - CENT, "CAD") is None, "other money is not compared"


@given(RATIOS, RATIOS, st.sampled_from(list(METRICS)))
def test_a_metric_is_met_or_missed_or_has_nothing_to_be_compared_with(
    goal: Decimal, reached: Decimal, metric: Metric
) -> None:
    money = {"currency": "USD"}
    goals, figures = Goals(**{metric: goal}, **money), Figures(**{metric: reached}, **money)
    order = (goal > reached) - (goal < reached)

    assert is_met(metric, goals, figures) is (order <= 0 if metric == "sales" else order >= 0)
    assert is_met(metric, Goals(), figures) is is_met(metric, goals, Figures()) is None


@pytest.mark.parametrize(
    ("targets", "is_missed"),
    [
        ([a_target("monthly", OCTOBER, acos=30)], False),
        ([a_target("monthly", OCTOBER, acos=29)], True),
        ([a_target("annual", date(2026, 1, 1), acos=29)], True),
        (
            [a_target("annual", date(2026, 1, 1), acos=29), a_target("monthly", OCTOBER, acos=31)],
            False,
        ),
        ([a_target("monthly", date(2026, 11, 1), acos=29)], None),
        ([a_target("annual", date(2025, 1, 1), acos=29)], None),
        ([a_target("monthly", OCTOBER, "CA", acos=29)], None),
        ([], None),
    ],
)
def test_a_month_has_its_own_target_else_that_of_its_year_and_no_other(
    targets: list[StoredTarget], is_missed: bool | None
) -> None:
    found = only(targets, a_result(acos=30))

    assert found.is_met is (None if is_missed is None else not is_missed)
    assert bool(found.target) is (is_missed is not None)


def test_sales_of_a_month_are_not_compared_with_those_of_a_year() -> None:
    year = [a_target("annual", date(2026, 1, 1), sales=4_800_000, currency="USD")]

    assert only(year, a_result(sales=400_000, currency="USD")).is_met is None


def test_of_two_sources_the_later_counts_and_of_two_months_the_last() -> None:
    october = [a_target("monthly", OCTOBER, acos=28)]
    first = a_result(acos=31)
    later = a_result(acos=27, source="bookkeeping", at=BROUGHT + timedelta(days=1))
    september = a_result(start=date(2026, 9, 1), acos=60, at=BROUGHT + timedelta(days=2))

    found = only(october, september, later, first)

    assert (found.result, found.is_met) == ("27%", True)
    assert found.origin == "bookkeeping, brought by Ines Varga on Tue 3 Nov 2026"


def test_a_source_that_lacks_a_metric_does_not_hide_it() -> None:
    sales_only = a_result(sales=5, currency="USD", source="x", at=BROUGHT + timedelta(days=1))

    both = [a_result(acos=31), sales_only]
    shown = {one.metric: one.result for one in compared([], both, TODAY, LISBON)}

    assert shown == {"acos": "31%", "sales": "5 USD"}


def test_a_watch_finds_what_was_missed_of_its_own_brands_once_for_each_period() -> None:
    brand = Brand(id=BRAND, client_id=uuid4(), name="Glintly", status="active")
    october = (a_target("monthly", OCTOBER, acos=28, tacos=10),)

    def found(*brands: Brand, acos: int = 31) -> list[str]:
        results = (a_result(acos=acos, tacos=10),)
        state = WatchedState(brands=brands, targets=october, results=results)
        return [one.key for one in findings_of(Watch(check=Check.MISSED_TARGET), state, TODAY)]

    assert found(brand) == [f"{BRAND}:US:acos:monthly:2026-10-01"]
    assert found(brand) == found(brand, acos=35), "a corrected result is not told again"
    assert found(brand, acos=28) == found() == []
