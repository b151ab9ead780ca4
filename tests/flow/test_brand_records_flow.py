"""Brands and their links to ClickUp as records: audited, previewed, changed, taken back."""

from __future__ import annotations

from typing import Any

from acting import INES, PAUL, SARA_L, TOMAS, Acting, call, offer, text, turn
from stage import Stage, whole_text

from agencyclaw.store.demo_agency import brand_id

SHARED = (
    "Rodric Home of Roderick Ltd: its ClickUp list: none → Roderick / Rodric, the same list as"
    " Rodric"
)


def asking(say: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """A turn that finds a tool first, as rarely needed ones must be, and then calls it."""
    return turn(
        say, call("search_tools", queries=[tool]), call(tool, **arguments), text("There you are.")
    )


async def link(stage: Stage, client: str, brand: str) -> tuple[str | None, str | None]:
    row = await stage.db.pool.fetchrow(
        "select clickup_space_id, clickup_list_id from brands where id = $1",
        brand_id(client, brand),
    )
    return row[0], row[1]


async def brands(stage: Stage) -> list[dict[str, Any]]:
    rows = await stage.db.pool.fetch(
        "select id, name, clickup_space_id, clickup_list_id from brands order by id"
    )
    return [dict(row) for row in rows]


async def test_an_audit_and_a_preview_say_what_is_missing_and_change_nothing(
    acting: Acting,
) -> None:
    stage = await acting(
        asking("audit the mappings", "audit_brand_mappings"),
        asking("and what can be repaired", "cc_brand_mapping_remediation_preview"),
    )
    before = await brands(stage)

    root = await stage.say(INES, "audit the mappings")
    await stage.reply(INES, root)
    audit = await stage.result("audit_brand_mappings")
    found = {(gap["client"], gap["brand"]): gap["missing"] for gap in audit["gaps"]}
    root = await stage.say(INES, "and what can be repaired")
    await stage.reply(INES, root)
    plan = await stage.result("cc_brand_mapping_remediation_preview")

    assert found[("Northwater", "Northwater")] == ["space", "list"]
    assert found[("Hearthlane", "Hearthlane")] == ["list"]
    assert ("Glintly Inc", "Glintly") not in found
    takes = {(gap["client"], gap["brand"]): gap["takes_tasks"] for gap in audit["gaps"]}
    assert takes[("Hearthlane", "Hearthlane")]
    assert not takes[("Northwater", "Northwater")]
    assert audit["lacking"] == len(found)
    assert audit["without_tasks"] == list(takes.values()).count(False)
    assert audit["total"] == audit["linked"] + len(found)
    assert f"{SHARED}, so its tasks go there beside those of Rodric" in plan["safe"]
    assert any("Northwater" in one and "no other brand" in one for one in plan["blocked"])
    assert await brands(stage) == before


async def test_only_what_is_safe_and_missing_is_repaired_and_undo_empties_it_again(
    acting: Acting,
) -> None:
    stage = await acting(asking("repair the links", "apply_remediation", client="Roderick Ltd"))
    before = await brands(stage)
    root = await stage.say(INES, "repair the links")
    card = await offer(stage, INES, root, "Repair links")

    assert SHARED in whole_text(card)
    assert await brands(stage) == before

    await stage.press(INES, card, "Repair links")
    await stage.reply_with(INES, root, "Repaired 1 of")
    own = await link(stage, "Roderick Ltd", "Rodric")
    repaired = await link(stage, "Roderick Ltd", "Rodric Home")
    assert repaired[1] == own[1]
    changed = [row for row, old in zip(await brands(stage), before, strict=True) if row != old]
    assert [row["name"] for row in changed] == ["Rodric Home"]

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone. Removed 1 of 1 ClickUp links.")
    assert await brands(stage) == before


async def test_what_was_linked_since_is_left_alone_and_named(acting: Acting) -> None:
    stage = await acting(asking("repair the links", "apply_remediation"))
    root = await stage.say(INES, "repair the links")
    card = await offer(stage, INES, root, "Repair links")
    await stage.db.pool.execute(
        "update brands set clickup_list_id = '901005000072' where id = $1",
        brand_id("Roderick Ltd", "Rodric Home"),
    )

    await stage.press(INES, card, "Repair links")
    told = await stage.reply_with(INES, root, "Not repaired: Rodric Home")

    assert "changed since" in whole_text(told)
    assert (await link(stage, "Roderick Ltd", "Rodric Home"))[1] == "901005000072"


async def test_an_undo_says_which_links_it_left_because_they_were_changed(acting: Acting) -> None:
    stage = await acting(asking("repair the links", "apply_remediation"))
    await stage.db.pool.execute(
        "update brands set clickup_space_id = null where id = $1",
        brand_id("Pawtrail", "Pawtrail Lite"),
    )
    root = await stage.say(INES, "repair the links")
    await stage.press(INES, await offer(stage, INES, root, "Repair links"), "Repair links")
    await stage.reply_with(INES, root, "Repaired 2 of 2")
    undo = await offer(stage, INES, root, "Undo")
    await stage.db.pool.execute(
        "update brands set clickup_list_id = '901005000072' where id = $1",
        brand_id("Roderick Ltd", "Rodric Home"),
    )

    await stage.press(INES, undo, "Undo")
    told = whole_text(await stage.reply_with(INES, root, "Undone."))

    assert "Removed 1 of 2 ClickUp links." in told
    assert "Not removed: Rodric Home (list): it was changed since." in told
    assert "Not repaired" not in told
    assert (await link(stage, "Roderick Ltd", "Rodric Home"))[1] == "901005000072"


async def test_a_repair_waits_for_a_change_of_the_link_it_copies(acting: Acting) -> None:
    stage = await acting(asking("repair the links", "apply_remediation", client="Roderick Ltd"))
    root = await stage.say(INES, "repair the links")
    card = await offer(stage, INES, root, "Repair links")

    async with stage.db.transaction() as conn:
        await conn.execute(
            "update brands set clickup_list_id = '901005000072' where id = $1",
            brand_id("Roderick Ltd", "Rodric"),
        )
        await stage.press(INES, card, "Repair links")
        await stage.bench.until(lambda: somebody_waits(stage))

    await stage.reply_with(INES, root, "don't agree on one value any more")
    assert (await link(stage, "Roderick Ltd", "Rodric Home"))[1] is None


async def somebody_waits(stage: Stage) -> bool:
    return await stage.db.pool.fetchval(
        "select exists (select from pg_stat_activity where wait_event_type = 'Lock'"
        " and datname = current_database())"
    )


NORTHWATER = {"client": "Northwater", "brand": "Northwater"}


async def test_a_link_is_either_taken_away_or_changed(acting: Acting) -> None:
    stage = await acting(
        asking("change the link", "update_brand", **NORTHWATER, home="Pawtrail", unlink=True)
    )
    root = await stage.say(INES, "change the link")
    await stage.reply(INES, root)

    assert (await stage.result("update_brand"))["reason"] == "two_links"
    assert await stage.proposals() == []


async def test_a_brand_is_linked_by_names_and_the_link_is_taken_back(acting: Acting) -> None:
    linking = asking(
        "link Northwater", "update_brand", **NORTHWATER, home="Pawtrail", list_name="Pawtrail Lite"
    )
    stage = await acting(linking)
    root = await stage.say(INES, "link Northwater")
    card = await offer(stage, INES, root, "Change brand")

    assert "none → Pawtrail / Sub-brands / Pawtrail Lite" in whole_text(card)
    warned = whole_text(card).split("Please look at this first:")[1]
    assert "Also used by: Pawtrail Lite (Pawtrail)." in warned
    assert "Still open" not in whole_text(card)
    assert "Also used by: Pawtrail Lite (Pawtrail)" in whole_text(card)
    assert "901005000063" not in whole_text(card)

    await stage.press(INES, card, "Change brand")
    await stage.reply_with(INES, root, "Changed the brand “Northwater”")
    assert await link(stage, "Northwater", "Northwater") == ("90100500006", "901005000063")
    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await link(stage, "Northwater", "Northwater") == (None, None)


async def test_a_brand_changed_since_gets_a_fresh_card(acting: Acting) -> None:
    wanted = {**NORTHWATER, "home": "Pawtrail", "list_name": "Pawtrail Lite"}
    stage = await acting(asking("link Northwater", "update_brand", **wanted))
    root = await stage.say(INES, "link Northwater")
    card = await offer(stage, INES, root, "Change brand")
    await stage.db.pool.execute(
        "update brands set clickup_list_id = '901005000031' where id = $1",
        brand_id("Northwater", "Northwater"),
    )

    await stage.press(INES, card, "Change brand")
    told = whole_text(await stage.reply_with(INES, root, "was changed since"))
    assert "ClickUp list: none → the one it was given meanwhile" in told
    assert (await link(stage, "Northwater", "Northwater"))[1] == "901005000031"

    fresh = await offer(stage, INES, root, "Change brand")
    assert "given meanwhile → Pawtrail / Sub-brands / Pawtrail Lite" in whole_text(fresh)
    await stage.press(INES, fresh, "Change brand")
    await stage.reply_with(INES, root, "Changed the brand “Northwater”")
    assert (await link(stage, "Northwater", "Northwater"))[1] == "901005000063"


async def test_a_repair_whose_value_changed_has_to_be_asked_for_again(acting: Acting) -> None:
    """In which space the new list lies, nobody has asked ClickUp yet."""
    stage = await acting(asking("repair the links", "apply_remediation", client="Roderick Ltd"))
    root = await stage.say(INES, "repair the links")
    card = await offer(stage, INES, root, "Repair links")
    await stage.db.pool.execute(
        "update brands set clickup_list_id = '901005000072' where id = $1",
        brand_id("Roderick Ltd", "Rodric"),
    )

    await stage.press(INES, card, "Repair links")
    told = whole_text(await stage.reply_with(INES, root, "don't agree on one value any more"))
    assert "ask me again for a new proposal" in told
    assert (await link(stage, "Roderick Ltd", "Rodric Home"))[1] is None


async def test_an_undo_of_what_was_cleared_by_hand_fills_nothing_again(acting: Acting) -> None:
    stage = await acting(asking("repair the links", "apply_remediation", client="Roderick Ltd"))
    clear = "update brands set clickup_space_id = null, clickup_list_id = null where id = $1"
    await stage.db.pool.execute(clear, brand_id("Roderick Ltd", "Rodric Home"))
    root = await stage.say(INES, "repair the links")
    await stage.press(INES, await offer(stage, INES, root, "Repair links"), "Repair links")
    undo = await offer(stage, INES, root, "Undo")
    await stage.db.pool.execute(clear, brand_id("Roderick Ltd", "Rodric Home"))

    await stage.press(INES, undo, "Undo")
    text = whole_text(await stage.reply_with(INES, root, "changed since"))
    assert "ask me again for a new proposal" in text
    assert await link(stage, "Roderick Ltd", "Rodric Home") == (None, None)


async def test_who_has_a_brands_former_name_is_no_reason_against_its_other_changes(
    acting: Acting,
) -> None:
    wanted = {**NORTHWATER, "home": "Pawtrail", "list_name": "Pawtrail Lite"}
    stage = await acting(asking("link Northwater", "update_brand", **wanted))
    root = await stage.say(INES, "link Northwater")
    card = await offer(stage, INES, root, "Change brand")
    own = brand_id("Northwater", "Northwater")
    await stage.db.pool.execute("update brands set name = 'Northwell' where id = $1", own)
    await stage.db.pool.execute(
        "insert into brands (client_id, name) select client_id, 'Northwater' from brands"
        " where id = $1",
        own,
    )

    await stage.press(INES, card, "Change brand")
    await stage.reply_with(INES, root, "Changed the brand")
    assert (await link(stage, "Northwater", "Northwater"))[1] == "901005000063"


async def test_a_database_error_is_told_as_one(acting: Acting) -> None:
    stage = await acting(asking("rename it", "update_brand", **NORTHWATER, new_name="Northwell"))
    root = await stage.say(INES, "rename it")
    card = await offer(stage, INES, root, "Change brand")
    await stage.db.pool.execute(
        "alter table brands add constraint broken check (name <> 'Northwell') not valid"
    )

    await stage.press(INES, card, "Change brand")
    told = await stage.reply_with(INES, root, "was not changed")

    assert "our own records couldn't be written" in whole_text(told)
    assert "Changed the brand" not in "".join(
        whole_text(one) for one in await stage.replies(INES, root)
    )


async def test_a_brand_is_created_once_and_a_name_is_taken_only_once(acting: Acting) -> None:
    wanted = {"client": "Brightkettle Group", "name": "Tessera Home", "marketplaces": ["us, ca"]}
    stage = await acting(asking("create the brand", "create_brand", **wanted))
    root = await stage.say(INES, "create the brand")
    card = await offer(stage, INES, root, "Create brand")
    other = await stage.say(TOMAS, "create the brand")
    second = await offer(stage, TOMAS, other, "Create brand")

    await stage.press(INES, card, "Create brand")
    await stage.reply_with(INES, root, "Created the brand “Tessera Home”")
    await stage.press(TOMAS, second, "Create brand")
    await stage.reply_with(TOMAS, other, "has a brand called “Tessera Home” already")

    rows = await stage.db.pool.fetch(
        "select amazon_marketplaces from brands where name = 'Tessera Home'"
    )
    assert [list(row[0]) for row in rows] == [["US", "CA"]]


async def test_whoever_is_no_admin_is_told_so_and_nothing_changes(
    acting: Acting,
) -> None:
    barred = [
        ("audit", "audit_brand_mappings", {}),
        ("preview", "cc_brand_mapping_remediation_preview", {}),
        ("repair", "apply_remediation", {}),
        ("assign", "assign_person", {"person": "me", "role": "csl", "client": "Glintly Inc"}),
        ("remove", "remove_assignment", {"person": "me", "role": "csl", "client": "Glintly Inc"}),
        ("new brand", "create_brand", {"client": "Glintly Inc", "name": "Glintly Two"}),
        ("rename", "update_brand", {"client": "Glintly Inc", "brand": "Glintly", "new_name": "G"}),
        ("target", "kpi_target_upsert", {"client": "Glintly Inc", "acos": 5}),
    ]
    stage = await acting(*(turn(say, call(tool, **a), text("No.")) for say, tool, a in barred))
    before = await brands(stage)

    for say, _, _ in barred:
        root = await stage.say(SARA_L, say)
        await stage.reply(SARA_L, root)
    root = await stage.say(PAUL, "audit")
    await stage.reply(PAUL, root)

    refused = await stage.events("tool_refused")
    assert {(one["payload"]["skill"], one["reason"]) for one in refused} >= {
        (tool, "admin_skill_denied") for _, tool, _ in barred
    }
    of_viewer = [one for one in refused if one["slack_user_id"] == PAUL]
    assert [one["reason"] for one in of_viewer] == ["admin_skill_denied"]
    assert await stage.proposals() == []
    assert await brands(stage) == before
