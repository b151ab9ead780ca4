"""Clients from chat: created, described, archived; and brands deleted that nothing hangs on."""

from __future__ import annotations

from typing import Any

import pytest
from acting import INES, SARA_L, Acting, call, creating, offer, text, turn
from stage import Stage, whole_text

from agencyclaw.store import brands
from agencyclaw.store.engine import Database

DESCRIBED = {"summary": "Sells water filters", "audience": "Families", "positioning": "Plain"}


def asking(say: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """A turn that finds a tool first, as rarely needed ones must be, and then calls it."""
    return turn(
        say, call("search_tools", queries=[tool]), call(tool, **arguments), text("There you are.")
    )


async def status(stage: Stage, name: str) -> str | None:
    return await stage.db.pool.fetchval("select status from agency_clients where name = $1", name)


async def test_a_client_is_created_and_gets_a_brand_and_undo_archives_it(acting: Acting) -> None:
    stage = await acting(
        asking("Larkspur is a client", "create_client", name="Larkspur"),
        asking("add the brand", "create_brand", client="Larkspur", name="Larkspur Home"),
    )
    root = await stage.say(INES, "Larkspur is a client")
    card = await offer(stage, INES, root, "Create client")
    assert await status(stage, "Larkspur") is None
    await stage.press(INES, card, "Create client")
    await stage.reply_with(INES, root, "Before: none")
    assert await status(stage, "Larkspur") == "active"

    other = await stage.say(INES, "add the brand")
    await stage.press(INES, await offer(stage, INES, other, "Create brand"), "Create brand")
    await stage.reply_with(INES, other, "Created the brand “Larkspur Home”")

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await status(stage, "Larkspur") == "archived"


async def test_a_client_is_archived_and_comes_back_by_its_name(acting: Acting) -> None:
    stage = await acting(
        asking("Northwater left", "cc_client_update", client="Northwater", status="archived"),
        asking("who is Northwater", "lookup_client", query="Northwater"),
        asking("Northwater is back", "cc_client_update", client="Northwater", status="active"),
    )
    root = await stage.say(INES, "Northwater left")
    card = await offer(stage, INES, root, "Archive client")
    assert "1 brand of it will not be found" in whole_text(card)
    await stage.press(INES, card, "Archive client")
    await stage.reply_with(INES, root, "Before:")
    assert await status(stage, "Northwater") == "archived"
    root = await stage.say(INES, "who is Northwater")
    await stage.reply(INES, root)
    assert (await stage.result("lookup_client"))["total"] == 0

    root = await stage.say(INES, "Northwater is back")
    await stage.press(INES, await offer(stage, INES, root, "Change client"), "Change client")
    await stage.reply_with(INES, root, "Before:")
    assert await status(stage, "Northwater") == "active"


@pytest.mark.parametrize(
    ("tool", "arguments", "label", "done"),
    [
        ("cc_client_update", {"status": "archived"}, "Archive client", "Before:"),
        (
            "update_brand",
            {"brand": "Northwater", "audience": "Students"},
            "Change brand",
            "Changed the brand",
        ),
    ],
)
async def test_what_others_wrote_at_length_keeps_no_record_from_being_changed(
    acting: Acting, tool: str, arguments: dict[str, str], label: str, done: str
) -> None:
    stage = await acting(asking("change it", tool, client="Northwater", **arguments))
    table = "brands" if "brand" in arguments else "agency_clients"
    long = "Sells water filters. " * 50
    written = f"update {table} set context_summary = $1 where name = 'Northwater'"
    await stage.db.pool.execute(written, long)
    root = await stage.say(INES, "change it")
    await stage.press(INES, await offer(stage, INES, root, label), label)
    await stage.reply_with(INES, root, done)

    read = f"select * from {table} where name = 'Northwater'"
    row = await stage.db.pool.fetchrow(read)
    assert (row["status"], row["target_audience"]) in (("archived", None), ("active", "Students"))
    assert row["context_summary"] == long


async def test_a_blank_text_clears_nothing(acting: Acting) -> None:
    blank = asking("blank", "cc_client_update", client="Northwater", summary=" ", audience="Teens")
    stage = await acting(blank)
    await stage.db.pool.execute("update agency_clients set context_summary = 'Sells filters'")
    root = await stage.say(INES, "blank")
    await stage.press(INES, await offer(stage, INES, root, "Change client"), "Change client")
    await stage.reply_with(INES, root, "Before:")

    read = "select context_summary from agency_clients where name = 'Northwater'"
    assert await stage.db.pool.fetchval(read) == "Sells filters"


async def test_what_a_client_and_a_brand_are_about_is_written_and_read(acting: Acting) -> None:
    about = "Northwater sells water filters to families, in a plain way"
    stage = await acting(
        asking(about, "cc_client_update", client="Northwater", **DESCRIBED),
        asking(
            "the jug is for students",
            "update_brand",
            client="Northwater",
            brand="Northwater",
            audience="Students",
        ),
        asking("what do we know", "get_client_context", client="Northwater"),
    )
    root = await stage.say(INES, about)
    card = await offer(stage, INES, root, "Change client")
    assert "Sells water filters" in whole_text(card)
    await stage.press(INES, card, "Change client")
    await stage.reply_with(INES, root, "Before:")
    root = await stage.say(INES, "the jug is for students")
    await stage.press(INES, await offer(stage, INES, root, "Change brand"), "Change brand")
    await stage.reply_with(INES, root, "Changed the brand")

    root = await stage.say(INES, "what do we know")
    await stage.reply(INES, root)
    known = (await stage.result("get_client_context"))["about"]
    assert known == [
        "Northwater: Sells water filters Audience: Families Positioning: Plain",
        "Northwater: Audience: Students",
    ]


async def test_two_clients_never_have_the_same_name(acting: Acting) -> None:
    stage = await acting(
        asking("Pawtrail is a client", "create_client", name="pawtrail"),
        asking("Larkspur is a client", "create_client", name="Larkspur"),
    )
    root = await stage.say(INES, "Pawtrail is a client")
    await stage.reply(INES, root)
    assert (await stage.result("create_client"))["reason"] == "duplicate_name"

    root = await stage.say(INES, "Larkspur is a client")
    card = await offer(stage, INES, root, "Create client")
    await stage.db.pool.execute("insert into agency_clients (name) values ('LARKSPUR')")
    await stage.press(INES, card, "Create client")
    await stage.reply_with(INES, root, "there is a client called “Larkspur” already")
    assert await status(stage, "Larkspur") is None


async def test_a_brand_goes_only_by_its_written_name_and_once_nothing_hangs_on_it(
    acting: Acting,
) -> None:
    gone = {"client": "Northwater", "brand": "Northwater"}
    stage = await acting(
        asking("delete it", "cc_brand_delete", **gone),
        asking("delete the brand Northwater", "cc_brand_delete", **gone),
        asking(
            "delete the brand Tessera",
            "cc_brand_delete",
            client="Brightkettle Group",
            brand="Tessera",
        ),
    )
    root = await stage.say(INES, "delete it")
    await stage.reply(INES, root)
    assert "write its name exactly" in (await stage.result("cc_brand_delete"))["question"]

    root = await stage.say(INES, "delete the brand Tessera")
    await stage.press(INES, await offer(stage, INES, root, "Delete brand"), "Delete brand")
    await stage.reply_with(INES, root, "still has a ClickUp link, products")

    root = await stage.say(INES, "delete the brand Northwater")
    await stage.press(INES, await offer(stage, INES, root, "Delete brand"), "Delete brand")
    await stage.reply_with(INES, root, "Deleted the brand “Northwater”")
    count = "select count(*) from brands where name = 'Northwater'"
    assert await stage.db.pool.fetchval(count) == 0

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await stage.db.pool.fetchval(count) == 1


async def test_a_brand_with_results_is_not_deleted(acting: Acting) -> None:
    northwater = {"client": "Northwater", "brand": "Northwater"}
    stage = await acting(asking("delete the brand Northwater", "cc_brand_delete", **northwater))
    await stage.db.pool.execute(
        "insert into brand_market_kpi_results (brand_id, marketplace, period, start, source, acos)"
        " select id, 'US', 'monthly', '2026-01-01', '', 20 from brands where name = 'Northwater'"
    )
    root = await stage.say(INES, "delete the brand Northwater")
    await stage.press(INES, await offer(stage, INES, root, "Delete brand"), "Delete brand")

    await stage.reply_with(INES, root, "still has results")
    results = "select count(*) from brand_market_kpi_results"
    assert await stage.db.pool.fetchval(results) == 1


async def test_whatever_table_is_about_brands_keeps_one_from_being_deleted(
    agency: Database,
) -> None:
    tables = await agency.pool.fetch(
        "select distinct conrelid::regclass::text as name from pg_constraint"
        " where contype = 'f' and confrelid = 'brands'::regclass and confdeltype <> 'n'"
    )
    assert tables
    assert [row["name"] for row in tables if f" {row['name']} where" not in brands.USES] == []


async def test_a_member_changes_no_client(acting: Acting) -> None:
    stage = await acting(
        asking("create", "create_client", name="Larkspur"),
        asking("archive", "cc_client_update", client="Glintly Inc", status="archived"),
        asking("delete Glintly", "cc_brand_delete", client="Glintly Inc", brand="Glintly"),
    )
    for say in ("create", "archive", "delete Glintly"):
        await stage.reply(SARA_L, await stage.say(SARA_L, say))

    refused = await stage.events("tool_refused")
    assert [one["reason"] for one in refused] == ["admin_skill_denied"] * 3


async def test_a_brand_is_archived_with_all_that_hangs_on_it_and_comes_back(acting: Acting) -> None:
    tessera = {"client": "Brightkettle Group", "brand": "Tessera"}
    stage = await acting(
        asking("we stopped Tessera", "update_brand", **tessera, status="archived"),
        asking("which brands are there", "lookup_brand", client="Brightkettle Group"),
        creating("a task for Tessera", **tessera),
        asking("create Tessera", "create_brand", client="Brightkettle Group", name="tessera"),
        asking("Tessera is back", "update_brand", **tessera, status="active"),
        asking("which are there now", "lookup_brand", client="Brightkettle Group"),
    )
    count = (
        "select count(*) from catalog_products p join brands b on b.id = p.brand_id"
        " where b.name = 'Tessera'"
    )
    products = await stage.db.pool.fetchval(count)
    root = await stage.say(INES, "we stopped Tessera")
    card = await offer(stage, INES, root, "Archive brand")
    assert "takes no tasks" in whole_text(card)
    await stage.press(INES, card, "Archive brand")
    await stage.reply_with(INES, root, "Status: active → archived")

    root = await stage.say(INES, "which brands are there")
    await stage.reply(INES, root)
    found = await stage.result("lookup_brand")
    assert "Tessera" not in [one["brand"] for one in found["brands"]]
    assert found["archived"] == ["Tessera"]
    root = await stage.say(INES, "a task for Tessera")
    await stage.reply(INES, root)
    assert (await stage.result("create_task"))["options"] == ["Copperleaf", "Nordvent"]
    root = await stage.say(INES, "create Tessera")
    await stage.reply(INES, root)
    assert (await stage.result("create_brand"))["reason"] == "archived"

    root = await stage.say(INES, "Tessera is back")
    await stage.press(INES, await offer(stage, INES, root, "Change brand"), "Change brand")
    await stage.reply_with(INES, root, "Status: archived → active")
    root = await stage.say(INES, "which are there now")
    await stage.reply(INES, root)
    found = await stage.result("lookup_brand")
    assert "Tessera" in [one["brand"] for one in found["brands"]]
    assert "archived" not in found
    assert await stage.db.pool.fetchval(count) == products > 0
