"""Targets: those in force, and new ones prepared for an admin; nothing missing is guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import ROUND_DOWN, Decimal
from typing import Annotated, Literal

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import fixed
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.kpi import (
    HUNDREDTH,
    METRICS,
    Amount,
    StoredTarget,
    in_force,
)
from agencyclaw.domain.kpi_results import Compared, compared
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import NOT_A_BOOL, Tier
from agencyclaw.domain.periods import Period, QuotedPeriod, start_of
from agencyclaw.domain.record_kinds.targets import SetTarget
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Day, Name
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.clients import FoundClient
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.markets import brand_meant, market_meant, markets_meant
from agencyclaw.tools.records import with_stored
from agencyclaw.tools.results import Ask, Result
from agencyclaw.tools.sources import fact_check

Pct = Annotated[float, Field(ge=0, le=100), NOT_A_BOOL]
_CURRENCY = re.compile(r"[A-Z]{3}")
OUTCOMES: dict[bool | None, Literal["met", "missed", "no target to compare it with"]] = {
    True: "met",
    False: "missed",
    None: "no target to compare it with",
}
MOST_SALES = Decimal("999999999999.99")


class Metric(Result):
    """One target in force, and where it comes from."""

    value: str | None = None
    source: Literal["monthly", "annual", "none"]
    since: date | None = None


class MetricResult(Result):
    """What a metric reached, where that is from, and whether it met the target of its period."""

    metric: str
    period: str
    result: str
    target: str | None = None
    outcome: Literal["met", "missed", "no target to compare it with"]
    source: str


class TargetsInForce(Result):
    """A brand's targets in a marketplace on a day, and in other named marketplaces.

    `results` are the latest until that day; of what is not among them, no result is known.
    """

    brand: str
    client: str
    marketplace: str
    day: date
    acos: Metric
    tacos: Metric
    sales: Metric
    results: tuple[MetricResult, ...] = ()
    note: str
    elsewhere: tuple[TargetsInForce, ...] = ()


@reads(tier=Tier.MEMBER, on_demand=True)
async def kpi_target_lookup(
    ctx: RunContext[Deps],
    client: Name,
    brand: Name | None = None,
    marketplace: Name | None = None,
    day: Day | None = None,
) -> TargetsInForce | Ask:
    """Look up KPI targets (ACOS, TACOS, sales) of a brand in a marketplace on a day, and results.

    Each result says whether it met or missed its target, and its source.

    Args:
        client: What the person called the client.
        brand: What they called the brand.
        marketplace: Marketplace codes they named, such as US; leave out if they named none.
        day: The day; today by default.
    """
    scope = await brand_meant(ctx.deps, client, brand)
    if isinstance(scope, Ask):
        return scope
    found, chosen = scope
    markets = markets_meant(chosen, marketplace)
    if isinstance(markets, Ask):
        return markets
    at = day or ctx.deps.today
    stored = await ctx.deps.directory.targets([chosen.id])
    known = await ctx.deps.directory.results([chosen.id])
    results = compared(stored, known, at, ctx.deps.actor.zone)
    first, *others = (_targets(found, chosen, stored, results, market, at) for market in markets)
    return first.model_copy(update={"elsewhere": tuple(others)})


def _targets(
    found: FoundClient,
    chosen: Brand,
    stored: list[StoredTarget],
    results: Sequence[Compared],
    market: str,
    day: date,
) -> TargetsInForce:
    current = in_force(stored, market, day)
    acos, tacos, sales = (
        Metric(value=one.value or None, source=one.source, since=one.start)
        for one in (current["ACOS"], current["TACOS"], current["Sales"])
    )
    is_none = all(one.source == "none" for one in current.values())
    return TargetsInForce(
        brand=one_line(chosen.name, 80),
        client=one_line(found.client.name, 120),
        marketplace=market,
        day=day,
        results=tuple(_result(one) for one in results if one.marketplace == market),
        note="No target is in force there on that day." if is_none else "",
        acos=acos,
        tacos=tacos,
        sales=sales,
    )


def _result(one: Compared) -> MetricResult:
    return MetricResult(
        metric=METRICS[one.metric],
        period=one.when,
        result=one.result,
        target=one.target or None,
        outcome=OUTCOMES[one.is_met],
        source=one_line(one.origin, 240),
    )


@proposes(SetTarget, tier=Tier.ADMIN, on_demand=True)
async def kpi_target_upsert(
    ctx: RunContext[Deps],
    client: Name,
    brand: Name | None = None,
    marketplace: Name | None = None,
    period: Period | None = None,
    which: QuotedPeriod | None = None,
    acos: Pct | None = None,
    tacos: Pct | None = None,
    sales: Amount | None = None,
    currency: Name | None = None,
) -> SetTarget | Ask:
    """Prepare setting KPI targets (goals for ACOS, TACOS, sales) of a brand in a marketplace.

    Pass only what was said; it asks the rest.

    Args:
        client: What the person called the client.
        brand: What they called the brand.
        marketplace: Marketplace code they named, such as US.
        period: For a month or for a year, if they said so.
        which: That month or year, if they named it.
        acos: ACOS in percent.
        tacos: TACOS in percent.
        sales: Sales.
        currency: Currency code they named, such as USD.
    """
    scope = await brand_meant(ctx.deps, client, brand)
    if isinstance(scope, Ask):
        return scope
    found, chosen = scope
    lacking = Lacking()
    market = market_meant(chosen, marketplace, lacking)
    stored = await ctx.deps.directory.targets([chosen.id])
    period = lacking.found(period or _ask_period())
    wanted = lacking.found(figures_meant(acos, tacos, sales, currency, stored, market))
    if market is None or period is None or wanted is None:
        return lacking.as_ask()
    check = fact_check(ctx)
    named = check.period("Period", period, which)
    start = named or start_of(period, ctx.deps.today)
    change = SetTarget(
        client=found.client.named,
        brand=chosen.named,
        marketplace=market,
        period=period,
        start=start,
        is_period_explicit=named is not None,
        field_sources=tuple(check.field_sources),
        unsupported_facts=tuple(check.unsupported_facts),
        left_out=(*check.left_out, *unused_currency(sales, currency, stored, market)),
        remarks=tuple(check.assumed),
    )
    return await with_stored(ctx.deps, change, wanted)


def _ask_period() -> Ask:
    both = (fixed("monthly"), fixed("annual"))
    return Ask(question="Is that for a month or for a year?", options=both)


def figures_meant(
    acos: float | None,
    tacos: float | None,
    sales: Amount | None,
    currency: str | None,
    stored: list[StoredTarget],
    market: str | None,
) -> dict[str, object] | Ask:
    """Return the stated metrics, or the question for what they lack.

    The currency may follow from the marketplace, so that is asked for before.
    """
    figures = {"acos": _percent(acos), "tacos": _percent(tacos)}
    if sales:
        figures["sales"] = sales.value
        if figures["sales"] is None or figures["sales"] > MOST_SALES:
            return Ask(question=f"What amount is “{sales.number}”? A plain number, please.")
    wanted: dict[str, object] = {}
    for metric, label in METRICS.items():
        if (figure := figures.get(metric)) is not None:
            wanted[metric] = kept = figure.quantize(HUNDREDTH, ROUND_DOWN)
            if kept != figure:
                return _ask_nearest(label, kept)
    if sales:
        wanted["currency"] = _currency(currency, stored, market)
        if wanted["currency"] is None and market:
            return Ask(question="In which currency are the sales, such as USD?")
    if not wanted:
        return Ask(
            question="Which figure is it: ACOS, TACOS or sales?",
            options=(fixed("ACOS"), fixed("TACOS"), fixed("Sales")),
        )
    return wanted


def unused_currency(
    sales: Amount | None, currency: str | None, stored: list[StoredTarget], market: str
) -> tuple[str, ...]:
    """Say that a currency was left out: without sales it changes nothing."""
    if sales or not (currency and folded(currency)):
        return ()
    if _currency(currency, stored, market) == _currency(None, stored, market) is not None:
        return ()
    return (message("remarks.currency_alone", currency=one_line(currency, 20)),)


def _percent(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def _ask_nearest(label: str, below: Decimal) -> Ask:
    """Ask which figure is meant instead of one with more decimals than are kept."""
    nearest = [f"{one:,.2f}" for one in (below, below + HUNDREDTH)]
    return Ask(
        question=f"{label} is kept with two decimals. Is it {' or '.join(nearest)}?",
        options=tuple(map(fixed, nearest)),
    )


def _currency(named: str | None, stored: list[StoredTarget], market: str | None) -> str | None:
    """Return the named currency, else that of the brand's targets there; else it is asked."""
    if named and folded(named):
        code = named.strip().upper()
        return code if _CURRENCY.fullmatch(code) else None
    used = {one.goals.currency for one in stored if one.marketplace == market} - {None}
    return used.pop() if len(used) == 1 else None
