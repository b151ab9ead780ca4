"""Who holds a role: prepared for an admin, carried out by a click, taken back by another."""

from __future__ import annotations

import asyncio
from typing import Any

from acting import INES, SARA_L, TOMAS, Acting, call, offer, text, turn
from stage import Stage, buttons, whole_text

from agencyclaw.store.demo_agency import brand_id, client_id

SLOT = """
select p.full_name from client_assignments a
join agency_roles r on r.id = a.role_id join profiles p on p.id = a.team_member_id
where a.client_id = $1 and a.brand_id is not distinct from $2 and r.slug = $3
"""
GIVE = "make Yuki the CSL of Glintly Inc"


def asking(say: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """A turn that finds a tool first, as rarely needed ones must be, and then calls it."""
    return turn(
        say, call("search_tools", queries=[tool]), call(tool, **arguments), text("See the card.")
    )


def giving(say: str = GIVE, **arguments: Any) -> dict[str, Any]:
    whole = {"person": "Yuki", "role": "csl", "client": "Glintly Inc"}
    return asking(say, "assign_person", **{**whole, **arguments})


async def holder(
    stage: Stage, role: str = "customer_success_lead", brand: str | None = None
) -> str | None:
    of = brand_id("Glintly Inc", brand) if brand else None
    return await stage.db.pool.fetchval(SLOT, client_id("Glintly Inc"), of, role)


async def changes(stage: Stage) -> list[dict[str, Any]]:
    """The audit rows of carried out effects."""
    return [event["payload"] for event in await stage.events("effect_done")]


async def test_a_held_role_changes_hands_once_and_the_former_holder_is_named(
    acting: Acting,
) -> None:
    stage = await acting(giving())
    root = await stage.say(INES, GIVE)
    card = await offer(stage, INES, root, "Replace")

    assert "Holds it now\nSara Lindqvist" in whole_text(card).replace("*", "")
    assert "Edit" not in buttons(card)
    assert await holder(stage) == "Sara Lindqvist"

    await asyncio.gather(*(stage.press(INES, card, "Replace") for _ in range(3)))
    receipt = await stage.reply_with(INES, root, "is now Customer Success Lead of Glintly Inc")
    await stage.settled()

    assert "Before: Sara Lindqvist." in whole_text(receipt)
    assert await holder(stage) == "Yuki Tan"
    [change] = await changes(stage)
    assert (change["before"]["person"], change["after"]["person"]) == ("Sara Lindqvist", "Yuki Tan")
    [event] = await stage.events("effect_done")
    assert event["slack_user_id"] == INES
    assert event["actor_profile_id"]


async def test_undo_gives_the_role_back_once_and_the_card_says_so(acting: Acting) -> None:
    stage = await acting(giving())
    root = await stage.say(INES, GIVE)
    await stage.press(INES, await offer(stage, INES, root, "Replace"), "Replace")
    done = await offer(stage, INES, root, "Undo")

    await asyncio.gather(*(stage.press(INES, done, "Undo") for _ in range(3)))
    await stage.reply_with(INES, root, "Undone. Sara Lindqvist is now")
    await stage.settled()

    assert await holder(stage) == "Sara Lindqvist"
    assert [change["after"]["person"] for change in await changes(stage)] == [
        "Yuki Tan",
        "Sara Lindqvist",
    ]
    [card] = [m for m in await stage.replies(INES, root) if "Undone since" in whole_text(m)]
    assert "Undo" not in buttons(card)
    assert [p["state"] for p in await stage.proposals()] == ["done", "done"]


async def test_undo_does_not_overwrite_what_somebody_changed_since(acting: Acting) -> None:
    again = giving("now Miguel", person="Miguel")
    stage = await acting(giving(), again)
    root = await stage.say(INES, GIVE)
    await stage.press(INES, await offer(stage, INES, root, "Replace"), "Replace")
    done = await offer(stage, INES, root, "Undo")
    other = await stage.say(TOMAS, "now Miguel")
    await stage.press(TOMAS, await offer(stage, TOMAS, other, "Replace"), "Replace")
    await stage.reply_with(TOMAS, other, "Miguel Duarte is now")

    await stage.press(INES, done, "Undo")
    refused = await stage.reply_with(INES, root, "That was not undone")

    assert "Miguel Duarte holds it now" in whole_text(refused)
    assert await holder(stage) == "Miguel Duarte"


async def test_undo_needs_the_right_that_the_change_needed(acting: Acting) -> None:
    stage = await acting(giving())
    root = await stage.say(TOMAS, GIVE)
    await stage.press(TOMAS, await offer(stage, TOMAS, root, "Replace"), "Replace")
    done = await offer(stage, TOMAS, root, "Undo")

    await stage.db.pool.execute("update profiles set is_admin = false")
    await stage.press(TOMAS, done, "Undo")
    await stage.settled()

    assert await holder(stage) == "Yuki Tan"
    assert [event["reason"] for event in await stage.events("consent_undo")] == [
        "admin_skill_denied"
    ]


async def test_a_role_given_to_another_since_is_left_alone_and_told(acting: Acting) -> None:
    stage = await acting(giving(), giving("now Miguel", person="Miguel"))
    root = await stage.say(INES, GIVE)
    card = await offer(stage, INES, root, "Replace")
    other = await stage.say(TOMAS, "now Miguel")
    await stage.press(TOMAS, await offer(stage, TOMAS, other, "Replace"), "Replace")
    await stage.reply_with(TOMAS, other, "Miguel Duarte is now")

    await stage.press(INES, card, "Replace")
    refused = await stage.reply_with(INES, root, "was changed since")

    assert "Miguel Duarte holds it now" in whole_text(refused)
    assert await holder(stage) == "Miguel Duarte"


async def test_when_the_database_fails_the_former_holder_stays(
    acting: Acting,
) -> None:
    stage = await acting(giving())
    await stage.db.pool.execute(
        "create function broken() returns trigger language plpgsql as"
        " $$ begin raise exception 'disk full'; end $$"
    )
    await stage.db.pool.execute(
        "create trigger broken after update on client_assignments execute function broken()"
    )
    root = await stage.say(INES, GIVE)
    await stage.press(INES, await offer(stage, INES, root, "Replace"), "Replace")
    failed = await stage.reply_with(INES, root, "our own records couldn't be written")

    assert await holder(stage) == "Sara Lindqvist"
    assert "Nothing was changed." in whole_text(failed)

    await stage.db.pool.execute("drop trigger broken on client_assignments")
    await stage.press(INES, await offer(stage, INES, root, "Try again"), "Try again")
    await stage.reply_with(INES, root, "Yuki Tan is now")
    assert await holder(stage) == "Yuki Tan"


async def test_a_person_role_or_client_nobody_knows_is_named_and_nothing_is_prepared(
    acting: Acting,
) -> None:
    wrong = {
        "no such person": ({"person": "Zebedee"}, "I don't know an active team member"),
        "no such role": ({"role": "wizard"}, "There is no role called “wizard”"),
        "no such client": ({"client": "Acme"}, "I couldn't find a client called “Acme”"),
        "somebody gone": ({"person": "Leo Ferri"}, "I don't know an active team member"),
    }
    stage = await acting(*(giving(say, **changed) for say, (changed, _) in wrong.items()))

    for say, (_, expected) in wrong.items():
        root = await stage.say(INES, say)
        await stage.reply(INES, root)
        assert expected in str(await stage.result("assign_person"))

    assert await stage.proposals() == []


async def test_who_does_not_hold_a_role_is_not_taken_off_it(acting: Acting) -> None:
    slot = {"role": "csl", "client": "Glintly Inc"}
    stage = await acting(
        asking("take Yuki off", "remove_assignment", person="Yuki", **slot),
        asking("take Sara Lindqvist off", "remove_assignment", person="Sara Lindqvist", **slot),
    )
    root = await stage.say(INES, "take Yuki off")
    await stage.reply(INES, root)
    assert "No assignment found" in str(await stage.result("remove_assignment"))
    assert await stage.proposals() == []

    root = await stage.say(INES, "take Sara Lindqvist off")
    await stage.press(INES, await offer(stage, INES, root, "Take off"), "Take off")
    await stage.reply_with(INES, root, "The role is open now.")
    assert await holder(stage) is None
    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await holder(stage) == "Sara Lindqvist"


async def test_me_is_who_asks_and_a_brand_has_slots_of_its_own(acting: Acting) -> None:
    stage = await acting(giving("make me the CSL", person="me", brand="Glintly"))
    root = await stage.say(TOMAS, "make me the CSL")
    await stage.press(TOMAS, await offer(stage, TOMAS, root, "Assign"), "Assign")
    await stage.reply_with(TOMAS, root, "The role was open.")

    assert await holder(stage, brand="Glintly") == "Tomas Reed"
    assert await holder(stage) == "Sara Lindqvist"
    [change] = await changes(stage)
    assert change["before"]["person"] is None


async def test_a_chart_shows_every_role_and_marks_the_open_ones(acting: Acting) -> None:
    chart = {"client": "Glintly Inc", "brand": "Glintly"}
    stage = await acting(asking("draw the chart", "cc_org_chart_ascii", **chart))
    # A person's name may look like the mark.
    called = "update profiles set display_name = 'Hana (open)' where full_name = 'Hana Idris'"
    await stage.db.pool.execute(called)
    root = await stage.say(SARA_L, "draw the chart")
    await stage.reply(SARA_L, root)

    result = await stage.result("cc_org_chart_ascii")
    drawn = result["chart"]
    assert result["open_roles"] == 3
    assert drawn.splitlines() == [
        "Strategy Director: Ines Varga (client level)",
        "└─ Customer Success Lead: Sara Lindqvist (client level)",
        "   ├─ Catalog Strategist: (open)",
        "   │  └─ Catalog Specialist: (open)",
        "   ├─ PPC Strategist: Sara Okafor",
        "   │  └─ PPC Specialist: (open)",
        "   └┄ Report Specialist: Hana (open) (client level)",
    ]
