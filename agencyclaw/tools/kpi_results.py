"""Results of brands: what was reached in a month or a year that is over."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import fixed
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.kpi import Amount
from agencyclaw.domain.kpi_results import SOURCE_LIMIT
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import NOT_A_BOOL, Tier
from agencyclaw.domain.periods import Period, QuotedPeriod, is_over, spoken_period, start_of
from agencyclaw.domain.record_kinds.results import SetResult
from agencyclaw.domain.text import one_line
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import proposes
from agencyclaw.tools.kpi import figures_meant, unused_currency
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.markets import brand_meant, market_meant
from agencyclaw.tools.records import with_stored
from agencyclaw.tools.results import Ask
from agencyclaw.tools.sources import fact_check

Ratio = Annotated[float, Field(ge=0, lt=10_000), NOT_A_BOOL]
Source = Annotated[str, Field(max_length=SOURCE_LIMIT)]


@proposes(SetResult, tier=Tier.MEMBER, on_demand=True)
async def kpi_result_upsert(
    ctx: RunContext[Deps],
    client: Name,
    period: Period,
    which: QuotedPeriod | None = None,
    brand: Name | None = None,
    marketplace: Name | None = None,
    acos: Ratio | None = None,
    tacos: Ratio | None = None,
    sales: Amount | None = None,
    currency: Name | None = None,
    source: Source | None = None,
) -> SetResult | Ask:
    """Prepare recording KPI results (actual ACOS, TACOS, sales) of a brand for a month or year.

    Only what was reached in a month or year that is over; a goal is a target instead. Pass only
    what was said; it asks the rest. Many come in by `import_records`, from a CSV file.

    Args:
        client: What the person called the client.
        period: Whether it is of a month or of a year.
        which: That month or year.
        brand: What they called the brand.
        marketplace: Marketplace code they named, such as US.
        acos: ACOS in percent.
        tacos: TACOS in percent.
        sales: Sales.
        currency: Currency code they named, such as USD.
        source: The report or tool they have it from, if they said so, in their words.
    """
    scope = await brand_meant(ctx.deps, client, brand)
    if isinstance(scope, Ask):
        return scope
    found, chosen = scope
    check, lacking, start = fact_check(ctx), Lacking(), None
    market = market_meant(chosen, marketplace, lacking)
    stored = await ctx.deps.directory.targets([chosen.id])
    if which is None:
        lacking.found(_ask_which(period, ctx.deps.today))
    else:
        with lacking.refused():
            start = _past(check, period, which)
    wanted = lacking.found(figures_meant(acos, tacos, sales, currency, stored, market))
    if market is None or start is None or wanted is None:
        return lacking.as_ask()
    change = SetResult(
        client=found.client.named,
        brand=chosen.named,
        marketplace=market,
        period=period,
        start=start,
        source=one_line(source or "", SOURCE_LIMIT),
        field_sources=tuple(check.field_sources),
        unsupported_facts=tuple(check.unsupported_facts),
        left_out=unused_currency(sales, currency, stored, market),
        remarks=tuple(check.assumed),
    )
    return await with_stored(ctx.deps, change, {**wanted, "is_delivered": False})


def _past(check: FactCheck, period: Period, which: QuotedPeriod) -> date:
    """Return the first day of a month or year that is over; raises Refused."""
    start = check.period("Period", period, which, past=True)
    if start is None:
        raise Refused(" ".join(check.left_out), reason="not_stated")
    if not is_over(period, start, check.today):
        why = message("refused.kpi.not_over", when=spoken_period(period, start))
        raise Refused(why, reason="not_over")
    return start


def _ask_which(period: Period, today: date) -> Ask:
    """Ask for the month or year of results; the last one is offered."""
    last = start_of(period, start_of(period, today) - timedelta(days=1))
    noun = "month" if period == "monthly" else "year"
    return Ask(question=f"Of which {noun} is that?", options=(fixed(spoken_period(period, last)),))
