"""Results by card: of a period that is over and was named, and read beside targets."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from agencyclaw.domain.errors import Refused
from agencyclaw.domain.kpi import METRICS, Amount, Goals, Metric, StoredTarget
from agencyclaw.domain.kpi_results import Results, StoredResult
from agencyclaw.domain.periods import Period, QuotedPeriod
from agencyclaw.domain.record_kinds.results import SetResult
from agencyclaw.domain.watches import Check
from agencyclaw.knowledge.csv_files import RESULTS, RecordLine
from agencyclaw.knowledge.declared_records import Surroundings, record_on
from agencyclaw.tools.client_briefs import client_brief
from agencyclaw.tools.client_risks import client_risks
from agencyclaw.tools.kpi import TargetsInForce, kpi_target_lookup
from agencyclaw.tools.kpi_results import kpi_result_upsert
from agencyclaw.tools.results import Ask
from tests.fakes.ports import Agency, context, demo_agency

GLINTLY: dict[str, Any] = {"client": "Glintly Inc", "brand": "Glintly", "marketplace": "US"}


async def record(said: str, **arguments: Any) -> SetResult | Ask:
    deps = demo_agency().run(request=said)
    return await kpi_result_upsert(context(deps), **{**GLINTLY, "period": "monthly", **arguments})


async def test_a_month_without_a_year_is_the_last_one_and_the_card_says_what_was_there() -> None:
    said = "Glintly's ACOS in the US in October was 140 %, from the ads report"
    which = QuotedPeriod(quote="in October", month=10)
    made = await record(said, acos=140, which=which, source="the ads report")

    assert isinstance(made, SetResult)
    assert made.start == date(2026, 10, 1)
    assert made.warnings == ()
    rows = dict(made.preview().fields)
    assert rows["Period"] == "October 2026"
    assert (rows["ACOS"], rows["Source"]) == ("none → 140%", "the ads report")
    assert made.prose() == {"Source": "the ads report"}


async def test_a_month_of_last_year_that_was_named_without_it_is_said_to_be_guessed() -> None:
    deps = demo_agency().run(request="December: 23 %", now=datetime(2027, 1, 4, 9, tzinfo=UTC))
    which = QuotedPeriod(quote="December", month=12)
    made = await kpi_result_upsert(context(deps), **GLINTLY, period="monthly", which=which, acos=23)

    assert isinstance(made, SetResult)
    assert made.start == date(2026, 12, 1)
    guess = "Period: no year was named; “December” is read as December 2026."
    assert made.warnings == (guess,)
    assert made.reverse().warnings == ()


@pytest.mark.parametrize("month", [11, 12])
async def test_a_month_that_is_not_over_never_becomes_that_of_last_year(month: int) -> None:
    quote = f"{date(2026, month, 1):%B}"
    with pytest.raises(Refused, match=f"{quote} 2026 is not over yet.*its year") as refused:
        await record(f"{quote}: 23", acos=23, which=QuotedPeriod(quote=quote, month=month))

    assert refused.value.reason == "not_over"


@pytest.mark.parametrize(
    ("period", "quote", "named", "reason"),
    [
        ("monthly", "this month", {"ahead": 0}, "not_over"),
        ("annual", "this year", {"ahead": 0}, "not_over"),
        ("monthly", "in January 2027", {"month": 1, "year": 2027}, "not_over"),
        ("monthly", "in a month nobody named", {"month": 3}, "not_stated"),
    ],
)
async def test_what_is_not_over_or_was_not_named_has_no_result(
    period: Period, quote: str, named: dict[str, int], reason: str
) -> None:
    said = "ACOS was 23 this month, this year, in January 2027"
    which = QuotedPeriod(quote=quote, **named)
    with pytest.raises(Refused) as refused:
        await record(said, acos=23, period=period, which=which)

    assert refused.value.reason == reason


async def test_it_asks_for_the_month_the_figure_and_the_currency() -> None:
    which = QuotedPeriod(quote="last month", ahead=-1)
    asked = [
        await record("ACOS was 23", acos=23),
        await record("last month", which=which),
        await record("200 last month", which=which, sales=Amount(number="200")),
    ]

    questions = [one.question for one in asked if isinstance(one, Ask)]
    assert questions[0] == "Of which month is that?"
    assert "Which figure" in questions[1]
    assert "currency" in questions[2]


async def test_a_currency_without_sales_is_said_to_be_left_out_of_results() -> None:
    which = QuotedPeriod(quote="last month", ahead=-1)
    made = await record("ACOS was 23 last month", acos=23, which=which, currency="EUR")

    assert isinstance(made, SetResult)
    assert made.left_out == ("Currency EUR: left out, because no sales were given with it.",)


@pytest.mark.parametrize(
    ("column", "cell", "kept"),
    [
        ("acos", "15.1250 %", "15.13%"),
        ("sales", "1234.565", "1,234.57 USD"),
        ("acos", "9" * 27, None),
        ("sales", "9" * 40, None),
    ],
)
def test_a_figure_of_a_file_is_rounded_or_is_a_fault_of_its_line(
    column: Metric, cell: str, kept: str | None
) -> None:
    agency = demo_agency()
    brands = [one for one in agency.directory.all_brands if one.name == "Glintly"][:1]
    cells = {"brand": "Glintly", "marketplace": "US", "period": "2026-10", "currency": "USD"}
    line = RecordLine(sheet=RESULTS, file="x.csv", number=2, cells={**cells, column: cell})
    owner = agency.directory.all_clients[2]
    around = Surroundings(brands, (), {}, today=date(2026, 11, 18))

    if kept is None:
        with pytest.raises(ValidationError, match=column):
            record_on(line, SetResult, owner.named, around)
        return
    made = record_on(line, SetResult, owner.named, around)
    assert made.after
    assert dict(made.after.rows()) == {METRICS[column]: kept}


def with_results(is_delivered: bool = False) -> Agency:
    agency = demo_agency()
    brand = next(one for one in agency.directory.all_brands if one.name == "Glintly")
    about: dict[str, Any] = {"brand_id": brand.id, "marketplace": "US", "period": "monthly"}
    october = date(2026, 10, 1)
    goals = Goals.model_validate({"acos": 28, "tacos": 12})
    agency.directory.all_targets = [StoredTarget(**about, start=october, goals=goals)]
    values = {"acos": 31, "tacos": 12, "sales": 9, "currency": "USD", "is_delivered": is_delivered}
    agency.directory.all_results = [
        StoredResult(
            **about,
            start=october,
            source="Amazon Ads",
            figures=Results.model_validate(values),
            brought_by="Ines Varga",
            brought_at=datetime(2026, 11, 2, 9, tzinfo=UTC),
        )
    ]
    return agency


async def test_a_result_is_read_beside_its_target_with_its_source_and_age() -> None:
    found = await kpi_target_lookup(context(with_results().run()), **GLINTLY)

    assert isinstance(found, TargetsInForce)
    shown = [(one.metric, one.period, one.result, one.target, one.outcome) for one in found.results]
    assert shown == [
        ("ACOS", "October 2026", "31%", "28%", "missed"),
        ("Sales", "October 2026", "9 USD", None, "no target to compare it with"),
        ("TACOS", "October 2026", "12%", "12%", "met"),
    ]
    assert {one.source for one in found.results} == {
        "Amazon Ads, brought by Ines Varga on Mon 2 Nov 2026"
    }


async def test_a_month_that_was_asked_for_has_its_own_results_and_earlier_ones_none() -> None:
    agency = with_results()
    for day, count in ((date(2026, 10, 15), 3), (date(2026, 9, 30), 0)):
        found = await kpi_target_lookup(context(agency.run()), **GLINTLY, day=day)
        assert isinstance(found, TargetsInForce)
        assert len(found.results) == count


async def test_what_a_machine_brought_is_nobodys() -> None:
    found = await kpi_target_lookup(context(with_results(is_delivered=True).run()), **GLINTLY)

    assert isinstance(found, TargetsInForce)
    assert found.results[0].source == "Amazon Ads, delivered on Mon 2 Nov 2026"


async def test_a_brief_and_the_risks_say_what_was_missed() -> None:
    brief = await client_brief(context(with_results().run()), "Glintly Inc")
    assert not isinstance(brief, Ask)
    facts = [line.fact for line in brief.results]
    assert "Glintly US, October 2026: ACOS 31%, missed (target 28%)" in facts
    assert "Glintly US, October 2026: TACOS 12%, met (target 12%)" in facts
    [missed] = [risk for risk in brief.risks if risk.kind is Check.MISSED_TARGET]
    assert missed.count == 1

    overview = await client_risks(context(with_results().run()))
    kinds = {row.client: [risk.kind for risk in row.risks] for row in overview.clients}
    assert Check.MISSED_TARGET in kinds["Glintly Inc"]
    assert sum(kind is Check.MISSED_TARGET for row in kinds.values() for kind in row) == 1
