"""Targets of brands: what is missing is asked, an admin's click sets them, everybody reads them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from acting import INES, SARA_L, Acting, call, offer, text, turn
from stage import Stage, whole_text

from agencyclaw.store.demo_agency import brand_id

GLINTLY = {"client": "Glintly Inc", "brand": "Glintly"}


def asking(say: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """A turn that finds a tool first, as rarely needed ones must be, and then calls it."""
    whole = {**GLINTLY, **arguments}
    return turn(say, call("search_tools", queries=[tool]), call(tool, **whole), text("There."))


async def rows(stage: Stage) -> list[dict[str, Any]]:
    found = await stage.db.pool.fetch(
        "select * from brand_market_kpi_targets where active order by period_granularity"
    )
    return [dict(row) for row in found]


async def insert(stage: Stage, period: str, start: date, **values: Any) -> None:
    names = ", ".join(values)
    marks = ", ".join(f"${n}" for n in range(4, 4 + len(values)))
    await stage.db.pool.execute(
        "insert into brand_market_kpi_targets (brand_id, marketplace_code, period_granularity,"
        f" period_start, {names}) values ($1, 'US', $2, $3, {marks})",
        brand_id("Glintly Inc", "Glintly"),
        period,
        start,
        *values.values(),
    )


async def test_without_a_marketplace_it_asks_and_writes_nothing(acting: Acting) -> None:
    stage = await acting(asking("set TACOS to 15%", "kpi_target_upsert", tacos=15, period="annual"))
    root = await stage.say(INES, "set TACOS to 15%")
    await stage.reply(INES, root)

    asked = await stage.result("kpi_target_upsert")
    assert asked["kind"] == "ask"
    assert asked["question"] == "Which marketplace of Glintly?"
    assert asked["options"] == ["US", "CA", "UK"]
    assert await stage.proposals() == []
    assert await rows(stage) == []


async def test_a_currency_is_asked_for_and_200k_is_stored_for_this_month(
    acting: Acting,
) -> None:
    sales = {
        "sales": {"number": "200", "scale": "thousand"},
        "marketplace": "us",
        "period": "monthly",
    }
    stage = await acting(
        asking("sales 200k for US", "kpi_target_upsert", **sales),
        asking("in dollars", "kpi_target_upsert", **sales, currency="usd"),
    )
    root = await stage.say(INES, "sales 200k for US")
    await stage.reply(INES, root)
    assert "currency" in (await stage.result("kpi_target_upsert"))["question"]
    assert await stage.proposals() == []

    root = await stage.say(INES, "in dollars")
    card = await offer(stage, INES, root, "Set targets")
    assert "none → 200,000 USD" in whole_text(card)
    assert await rows(stage) == []
    await stage.press(INES, card, "Set targets")
    await stage.reply_with(INES, root, "Sales 200,000 USD. Before: no targets.")

    [row] = await rows(stage)
    now = await stage.db.pool.fetchval("select date_trunc('month', now() at time zone 'utc')::date")
    assert (row["sales_target"], row["sales_currency"]) == (Decimal(200_000), "USD")
    assert (row["period_granularity"], row["period_start"]) == ("monthly", now)
    assert row["updated_by"]


async def test_setting_one_target_keeps_the_others_and_undo_brings_the_old_one_back(
    acting: Acting,
) -> None:
    stage = await acting(
        asking("ACOS 25", "kpi_target_upsert", acos=25, marketplace="US", period="annual")
    )
    this_year = await stage.db.pool.fetchval("select date_trunc('year', now())::date")
    await insert(stage, "annual", this_year, acos_target_pct=28, tacos_target_pct=12)
    root = await stage.say(INES, "ACOS 25")
    await stage.press(INES, await offer(stage, INES, root, "Set targets"), "Set targets")
    await stage.reply_with(INES, root, "Before: ACOS 28%, TACOS 12%.")

    [row] = await rows(stage)
    assert (row["acos_target_pct"], row["tacos_target_pct"]) == (25, 12)
    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    [row] = await rows(stage)
    assert (row["acos_target_pct"], row["tacos_target_pct"]) == (28, 12)


async def test_a_target_changed_since_is_not_overwritten(acting: Acting) -> None:
    stage = await acting(
        asking("ACOS 25", "kpi_target_upsert", acos=25, marketplace="US", period="annual")
    )
    this_year = await stage.db.pool.fetchval("select date_trunc('year', now())::date")
    root = await stage.say(INES, "ACOS 25")
    card = await offer(stage, INES, root, "Set targets")
    await insert(stage, "annual", this_year, acos_target_pct=20)

    await stage.press(INES, card, "Set targets")
    told = await stage.reply_with(INES, root, "changed since")

    assert "ACOS 20% now" in whole_text(told)
    assert [row["acos_target_pct"] for row in await rows(stage)] == [20]
    fresh = await offer(stage, INES, root, "Set targets")
    assert "20% → 25%" in whole_text(fresh)
    await stage.press(INES, fresh, "Set targets")
    await stage.reply_with(INES, root, "Before: ACOS 20%")
    assert [row["acos_target_pct"] for row in await rows(stage)] == [25]


async def test_a_member_reads_month_before_year_and_none_where_there_is_none(
    acting: Acting,
) -> None:
    stage = await acting(
        asking("what are the targets", "kpi_target_lookup", marketplace="US"),
        turn("set it", call("kpi_target_upsert", **GLINTLY, acos=5), text("No.")),
    )
    year = await stage.db.pool.fetchval("select date_trunc('year', now())::date")
    month = await stage.db.pool.fetchval("select date_trunc('month', now())::date")
    await insert(stage, "monthly", month, acos_target_pct=28)
    await insert(stage, "annual", year, acos_target_pct=30, tacos_target_pct=12)
    old = date(year.year - 1, 1, 1)
    await insert(stage, "annual", old, sales_target=4_800_000, sales_currency="USD")

    root = await stage.say(SARA_L, "what are the targets")
    await stage.reply(SARA_L, root)
    found = await stage.result("kpi_target_lookup")
    root = await stage.say(SARA_L, "set it")
    await stage.reply(SARA_L, root)

    assert found["acos"] == {"value": "28%", "source": "monthly", "since": month.isoformat()}
    assert found["tacos"] == {"value": "12%", "source": "annual", "since": year.isoformat()}
    assert found["sales"] == {"source": "none"}
    assert [one["reason"] for one in await stage.events("tool_refused")] == ["admin_skill_denied"]
    assert len(await rows(stage)) == 3


async def test_the_only_marketplace_is_looked_at_unasked_but_never_changed_unasked(
    acting: Acting,
) -> None:
    tessera = {"client": "Brightkettle Group", "brand": "Tessera"}
    stage = await acting(
        asking("Tessera's targets", "kpi_target_lookup", **tessera),
        asking("Glintly's targets", "kpi_target_lookup"),
        asking("ACOS 20 for Tessera", "kpi_target_upsert", **tessera, acos=20, period="annual"),
    )
    found: list[dict[str, Any]] = []
    for say in ("Tessera's targets", "Glintly's targets"):
        await stage.reply(INES, await stage.say(INES, say))
        found.append(await stage.result("kpi_target_lookup"))
    await stage.reply(INES, await stage.say(INES, "ACOS 20 for Tessera"))

    assert found[0]["marketplace"] == "CA"
    assert found[1]["options"] == ["US", "CA", "UK"]
    assert (await stage.result("kpi_target_upsert"))["question"] == "Which marketplace of Tessera?"


async def test_two_marketplaces_are_looked_up_as_two(acting: Acting) -> None:
    stage = await acting(
        asking("targets in the US and Canada", "kpi_target_lookup", marketplace="US, CA")
    )
    await stage.db.pool.execute(
        "update brands set amazon_marketplaces = '{US,CA}' where name = 'Glintly'"
    )
    month = await stage.db.pool.fetchval("select date_trunc('month', now())::date")
    await insert(stage, "monthly", month, acos_target_pct=28)
    await stage.reply(INES, await stage.say(INES, "targets in the US and Canada"))
    found = await stage.result("kpi_target_lookup")
    [other] = found["elsewhere"]

    assert (found["marketplace"], found["acos"]["value"]) == ("US", "28%")
    assert (other["marketplace"], other["acos"]) == ("CA", {"source": "none"})
