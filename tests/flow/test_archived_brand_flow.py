"""An archived brand: nobody finds it, whatever of it is looked for."""

from __future__ import annotations

from typing import Any

import pytest
from acting import INES, SARA_L, Acting, Turn, call, count, offer, text, turn
from stage import Stage, whole_text
from test_watch_flow import look, reports, watching

from agencyclaw.domain.watches import Check
from agencyclaw.store.demo_agency import client_id
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

_ARCHIVED = """
insert into brands (client_id, name, status, amazon_marketplaces, product_keywords)
values ($1, 'Glintly Home', 'archived', '{US}', '{}') returning id
"""
_MISSED = """
with missed as (
  insert into brand_market_kpi_results (brand_id, marketplace, period, start, source, acos)
  select id, 'US', 'annual', '2025-01-01', '', 40 from brands where name = 'Glintly Home'
)
insert into brand_market_kpi_targets (brand_id, marketplace_code, period_granularity, period_start,
  acos_target_pct)
select id, 'US', 'annual', '2025-01-01', 20 from brands where name = 'Glintly Home'
"""


async def archive(stage: Stage, brand: str) -> None:
    await stage.db.pool.execute("update brands set status = 'archived' where name = $1", brand)


async def found(acting: Acting, brand: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return what a tool says to a member after this brand was archived."""
    stage = await acting(
        turn("look", call("search_tools", queries=[tool]), call(tool, **arguments), text("There."))
    )
    await archive(stage, brand)
    await stage.reply(SARA_L, await stage.say(SARA_L, "look"))
    return await stage.result(tool)


@pytest.mark.parametrize("check", [Check.UNMAPPED, Check.MISSING_TARGET, Check.MISSED_TARGET])
async def test_a_watch_reports_nothing_of_it(bench: Bench, agency: Database, check: Check) -> None:
    await agency.pool.execute(_ARCHIVED, client_id("Glintly Inc"))
    await agency.pool.execute(_MISSED)
    async with watching(bench, agency, check) as (stage, _):
        await look(stage)

        assert "Glintly Home" not in str([whole_text(one) for one in await reports(stage, INES)])


async def test_a_watch_reports_no_task_of_its_list(bench: Bench, agency: Database) -> None:
    await agency.pool.execute(_ARCHIVED, client_id("Glintly Inc"))
    await agency.pool.execute(
        "update brands set clickup_list_id = case name when 'Glintly Home' then '901005000063' end,"
        " clickup_space_id = null where name in ('Glintly Home', 'Pawtrail Lite')"
    )
    async with watching(bench, agency, Check.UNASSIGNED) as (stage, _):
        await look(stage)

        assert "Pawtrail Lite" not in str([whole_text(one) for one in await reports(stage, INES)])


async def test_its_products_are_offered_to_nobody(acting: Acting) -> None:
    catalog = await found(acting, "Tessera", "catalog_lookup", client="Brightkettle", query="Tile")
    assert catalog["resolution_status"] == "none"
    assert not catalog.get("candidates")


async def test_who_had_a_role_of_it_is_named_for_no_other(acting: Acting) -> None:
    known = await found(acting, "Pawtrail Pro", "get_client_context", client="Pawtrail")
    assert "PPC Specialist: Miguel Duarte" in known["text"]
    assert "PPC Specialist: Sara Okafor" not in known["text"]


async def test_its_roles_are_counted_for_nobody(acting: Acting) -> None:
    asked = {"role": "PPC Specialist"}
    [load] = (await found(acting, "Pawtrail Pro", "cc_role_capacity_snapshot", **asked))["roles"]
    assert "Sara Okafor" not in load["slots_by_person"]


async def test_a_person_is_shown_without_their_role_of_it(acting: Acting) -> None:
    asked = {"person": "Sara Okafor"}
    [person] = (await found(acting, "Pawtrail Pro", "cc_team_member_lookup", **asked))["people"]
    assert "PPC Strategist of Pawtrail" in person["roles"]
    assert "Pawtrail Pro" not in str(person["roles"])


def of_northwater(say: str, tool: str, **arguments: Any) -> Turn:
    """A turn that prepares something of a brand on which nothing hangs yet."""
    asked = call(tool, client="Northwater", brand="Northwater", **arguments)
    return turn(say, call("search_tools", queries=[tool]), asked, text("It is on the card."))


_TARGET = {"acos": 20, "marketplace": "US", "period": "annual"}
_RESULT = {**_TARGET, "which": {"quote": "last year", "ahead": -1}}
_ROLE = {"person": "Miguel Duarte", "role": "PPC Strategist"}


@pytest.mark.parametrize("gone", ["update brands set status = 'archived'", "delete from brands"])
@pytest.mark.parametrize(
    ("tool", "asked", "verb", "table"),
    [
        ("kpi_target_upsert", _TARGET, "Set targets", "brand_market_kpi_targets"),
        ("kpi_result_upsert", _RESULT, "Record results", "brand_market_kpi_results"),
        ("assign_person", _ROLE, "Assign", "client_assignments"),
        ("watch_client", {"check": "missing_target"}, "Start", "schedules"),
    ],
)
async def test_what_waited_for_a_press_is_not_written_of_it(
    acting: Acting, tool: str, asked: dict[str, Any], verb: str, table: str, gone: str
) -> None:
    say = "for Northwater: ACOS 20 in the US last year, Miguel Duarte as PPC Strategist"
    stage = await acting(of_northwater(say, tool, **asked))
    root = await stage.say(INES, say)
    card = await offer(stage, INES, root, verb)
    before = await count(stage, table)
    await stage.db.pool.execute(f"{gone} where name = 'Northwater'")
    await stage.press(INES, card, verb)

    told = await stage.reply_with(INES, root, "Northwater is archived or no longer there")
    assert "Try again" not in whole_text(told)
    assert await count(stage, table) == before


async def test_a_role_of_it_that_was_just_given_can_be_taken_back(acting: Acting) -> None:
    stage = await acting(of_northwater("assign Miguel", "assign_person", **_ROLE))
    root = await stage.say(INES, "assign Miguel")
    before = await count(stage, "client_assignments")
    await stage.press(INES, await offer(stage, INES, root, "Assign"), "Assign")
    undo = await offer(stage, INES, root, "Undo")
    await archive(stage, "Northwater")
    await stage.press(INES, undo, "Undo")

    await stage.reply_with(INES, root, "Undone.")
    assert await count(stage, "client_assignments") == before
