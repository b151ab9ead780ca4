"""ClickUp spaces from chat: registered, listed, classified, and what follows for tasks."""

from __future__ import annotations

from typing import Any

from acting import INES, SARA_L, YUKI, Acting, call, create, offer, text, turn
from stage import Stage, whole_text

NEW_SPACE, GLINTLY, OLDFERN = "90100500009", "90100500002", "90100500010"
ASKED = "New Space 7 is for brands"
CLASSIFY = "cc_clickup_space_classify"


def asking(say: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """A turn that finds a tool first, as rarely needed ones must be, and then calls it."""
    return turn(
        say, call("search_tools", queries=[tool]), call(tool, **arguments), text("There you are.")
    )


def classifying(names: list[str], used_for: str = "brand_scoped") -> dict[str, Any]:
    return asking(ASKED, CLASSIFY, names=names, used_for=used_for)


async def registered(stage: Stage, space_id: str) -> tuple[str, str, bool] | None:
    row = await stage.db.pool.fetchrow(
        "select name, classification, active from clickup_space_registry where space_id = $1",
        space_id,
    )
    return (row["name"], row["classification"], row["active"]) if row else None


async def test_a_space_is_classified_and_a_brand_linked_to_it_gets_its_task(
    acting: Acting,
) -> None:
    link = {"client": "Northwater", "brand": "Northwater", "home": "New Space 7"}
    stage = await acting(
        asking("link it", "update_brand", **link),
        classifying(["New Space 7"]),
        turn("make the task", create(client="Northwater"), text("It is on the card.")),
    )
    root = await stage.say(INES, "link it")
    await stage.reply(INES, root)
    refusal = await stage.result("update_brand")
    assert refusal["reason"] == "space_not_for_brands"
    assert "have me classify" in refusal["message"]

    root = await stage.say(INES, ASKED)
    card = await offer(stage, INES, root, "Classify")
    assert "New Space 7: not classified yet → a brand's tasks" in whole_text(card)
    assert await registered(stage, NEW_SPACE) == ("New Space 7", "unknown", True)
    await stage.press(INES, card, "Classify")
    await stage.reply_with(INES, root, "In the registry")
    assert await registered(stage, NEW_SPACE) == ("New Space 7", "brand_scoped", True)

    root = await stage.say(INES, "link it")
    await stage.press(INES, await offer(stage, INES, root, "Change brand"), "Change brand")
    await stage.reply_with(INES, root, "Changed the brand")
    root = await stage.say(INES, "make the task")
    await stage.press(INES, await offer(stage, INES, root), "Create task")
    [task] = await stage.created("Refresh the Glintly storefront banner")
    assert task["space"]["id"] == NEW_SPACE


async def test_a_space_that_nobody_registered_takes_no_task_until_it_is_classified(
    acting: Acting,
) -> None:
    stage = await acting(
        turn("make the task", create(), text("That can't be done.")),
        asking("audit", "audit_brand_mappings", client="Glintly Inc"),
        asking("brands", "lookup_brand", client="Glintly Inc"),
        classifying(["Glintly"]),
    )
    await stage.db.pool.execute("delete from clickup_space_registry where space_id = $1", GLINTLY)
    root = await stage.say(INES, "make the task")
    await stage.reply(INES, root)
    assert await stage.proposals() == []

    root = await stage.say(INES, "audit")
    await stage.reply(INES, root)
    [gap] = (await stage.result("audit_brand_mappings"))["gaps"]
    assert "not classified" in gap["trouble"]
    root = await stage.say(INES, "brands")
    await stage.reply(INES, root)
    [brand] = (await stage.result("lookup_brand"))["brands"]
    assert brand["mapping"] == "unusable space"

    root = await stage.say(INES, ASKED)
    card = await offer(stage, INES, root, "Classify")
    assert "Glintly: new, a brand's tasks" in whole_text(card)
    await stage.press(INES, card, "Classify")
    await stage.reply_with(INES, root, "In the registry")
    assert await registered(stage, GLINTLY) == ("Glintly", "brand_scoped", True)


async def test_undo_of_a_classification_leaves_the_space_as_it_was(acting: Acting) -> None:
    stage = await acting(classifying(["Glintly"], "shared_service"))
    root = await stage.say(INES, ASKED)
    card = await offer(stage, INES, root, "Classify")
    assert "No more tasks can be created for Glintly" in whole_text(card)
    await stage.press(INES, card, "Classify")
    await stage.reply_with(INES, root, "In the registry")

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await registered(stage, GLINTLY) == ("Glintly", "brand_scoped", True)


async def test_what_was_classified_since_is_left_alone(acting: Acting) -> None:
    stage = await acting(classifying(["New Space 7"]))
    root = await stage.say(INES, ASKED)
    card = await offer(stage, INES, root, "Classify")
    await stage.db.pool.execute(
        "update clickup_space_registry set classification = 'shared_service' where space_id = $1",
        NEW_SPACE,
    )

    await stage.press(INES, card, "Classify")
    await stage.reply_with(INES, root, "New Space 7 was changed since")
    assert await registered(stage, NEW_SPACE) == ("New Space 7", "shared_service", True)


async def test_a_sync_registers_renames_and_retires_and_keeps_what_admins_decided(
    acting: Acting,
) -> None:
    stage = await acting(asking("sync the spaces", "cc_clickup_space_sync"))
    pool = stage.db.pool
    await pool.execute("delete from clickup_space_registry where space_id = $1", NEW_SPACE)
    await pool.execute(
        "update clickup_space_registry set name = 'Old name' where space_id = $1", GLINTLY
    )
    await pool.execute(
        "insert into clickup_space_registry (space_id, team_id, name, classification)"
        " values ('1', 't', 'Gone', 'brand_scoped')"
    )
    root = await stage.say(INES, "sync the spaces")
    card = await offer(stage, INES, root, "Update registry")
    for line in ("New Space 7: new, not classified", "Old name: called Glintly", "Gone: a brand's"):
        assert line in whole_text(card)

    await stage.press(INES, card, "Update registry")
    await stage.reply_with(INES, root, "In the registry")
    assert await registered(stage, NEW_SPACE) == ("New Space 7", "unknown", True)
    assert await registered(stage, GLINTLY) == ("Glintly", "brand_scoped", True)
    assert await registered(stage, "1") == ("Gone", "brand_scoped", False)
    assert (await registered(stage, OLDFERN) or ("",))[-1] is False

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await registered(stage, NEW_SPACE) is None
    assert await registered(stage, "1") == ("Gone", "brand_scoped", True)


async def test_a_member_sees_the_spaces_of_their_brands_and_classifies_none(
    acting: Acting,
) -> None:
    stage = await acting(
        asking("which spaces", "cc_clickup_space_list"), classifying(["New Space 7"])
    )
    root = await stage.say(YUKI, "which spaces")
    await stage.reply(YUKI, root)
    spaces = (await stage.result("cc_clickup_space_list"))["spaces"]
    assert [space["name"] for space in spaces] == ["Hearthlane"]

    root = await stage.say(SARA_L, ASKED)
    await stage.reply(SARA_L, root)
    refused = await stage.events("tool_refused")
    assert {(one["payload"]["skill"], one["reason"]) for one in refused} == {
        (CLASSIFY, "admin_skill_denied")
    }


async def test_a_repair_never_copies_a_list_of_another_space(acting: Acting) -> None:
    stage = await acting(asking("preview", "cc_brand_mapping_remediation_preview"))
    root = await stage.say(INES, "preview")
    await stage.reply(INES, root)

    plan = await stage.result("cc_brand_mapping_remediation_preview")
    assert not any("Hearthlane:" in one and "list" in one for one in plan["safe"])
    assert any("Hearthlane (" in one and "another ClickUp space" in one for one in plan["blocked"])
