"""People from chat: looked up, added, changed, linked, archived with what they were doing."""

from __future__ import annotations

from typing import Any

import pytest
from acting import INES, MIGUEL, NOOR, SARA_L, TOMAS, YUKI, Acting, call, offer, text, turn
from stage import Stage, whole_text

from agencyclaw.store.demo_agency import client_id, person_id

MARTA = {"email": "marta.ruiz@lanternfish.example", "name": "Marta Ruiz"}


def asking(say: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """A turn that finds a tool first, as rarely needed ones must be, and then calls it."""
    return turn(
        say, call("search_tools", queries=[tool]), call(tool, **arguments), text("There you are.")
    )


async def profile(stage: Stage, email: str) -> dict[str, Any] | None:
    row = await stage.db.pool.fetchrow(
        "select full_name, is_admin, role, employment_status, slack_user_id, clickup_user_id"
        " from profiles where email = $1",
        email,
    )
    return dict(row) if row else None


async def holders(stage: Stage, client: str) -> dict[str, str]:
    rows = await stage.db.pool.fetch(
        "select r.slug, p.full_name from client_assignments a"
        " join agency_roles r on r.id = a.role_id join profiles p on p.id = a.team_member_id"
        " where a.client_id = $1 and a.brand_id is null",
        client_id(client),
    )
    return {row["slug"]: row["full_name"] for row in rows}


async def make_admin(stage: Stage, name: str) -> None:
    await stage.db.pool.execute(
        "update profiles set is_admin = true, role = 'admin' where id = $1", person_id(name)
    )


async def test_somebody_unknown_is_added_and_can_talk_to_the_assistant(acting: Acting) -> None:
    noor = {"email": "noor.haddad@lanternfish.example", "name": "Noor Haddad", "slack": NOOR}
    stage = await acting(
        asking(f"add Noor Haddad <@{NOOR}>", "cc_team_member_create", **noor),
        turn("hello", text("Hello Noor.")),
    )
    root = await stage.say(INES, f"add Noor Haddad <@{NOOR}>")
    card = await offer(stage, INES, root, "Add person")
    assert await profile(stage, noor["email"]) is None

    await stage.press(INES, card, "Add person")
    await stage.reply_with(INES, root, "Before: none")
    stored = await profile(stage, noor["email"])
    assert stored is not None
    assert (stored["full_name"], stored["slack_user_id"]) == ("Noor Haddad", NOOR)
    assert (stored["is_admin"], stored["role"]) == (False, "member")
    await stage.reply_with(NOOR, await stage.say(NOOR, "hello"), "Hello Noor")

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    stored = await profile(stage, noor["email"])
    assert stored is not None
    assert stored["employment_status"] == "inactive"


async def test_the_same_e_mail_in_clickup_links_the_account(acting: Acting) -> None:
    stage = await acting(asking("add Marta", "cc_team_member_create", **MARTA))
    root = await stage.say(INES, "add Marta")
    card = await offer(stage, INES, root, "Add person")
    assert "ClickUp account 100009" in whole_text(card)

    await stage.press(INES, card, "Add person")
    await stage.reply_with(INES, root, "Before: none")
    stored = await profile(stage, MARTA["email"])
    assert stored is not None
    assert stored["clickup_user_id"] == "100009"


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("cc_team_member_create", {**MARTA, "email": "no address"}, "bad_email"),
        (
            "cc_team_member_create",
            {**MARTA, "email": "YUKI.TAN@lanternfish.example"},
            "duplicate",
        ),
        ("cc_team_member_create", {**MARTA, "slack": "U01NOBODY"}, "bad_slack_account"),
        ("cc_team_member_update", {"person": "Yuki", "clickup": "Tomas Reed"}, "account_taken"),
        ("cc_team_member_update", {"person": "Yuki", "clickup": "Zoe"}, "clickup_member_not_found"),
        ("cc_team_member_update", {"person": "Yuki", "access": "member"}, "no_changes"),
        ("cc_team_member_archive", {"person": "me"}, "yourself"),
    ],
)
async def test_what_can_not_be_is_refused_with_its_reason(
    acting: Acting, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    stage = await acting(asking("do it", tool, **arguments))
    root = await stage.say(INES, "do it")
    await stage.reply(INES, root)

    assert (await stage.result(tool))["reason"] == reason
    assert await stage.proposals() == []


async def test_somebody_is_archived_and_a_successor_takes_their_roles(acting: Acting) -> None:
    leaving = {"person": "Yuki", "successor": "Miguel Duarte"}
    stage = await acting(
        asking("Yuki leaves, Miguel takes over", "cc_team_member_archive", **leaving)
    )
    before = await holders(stage, "Hearthlane")
    root = await stage.say(INES, "Yuki leaves, Miguel takes over")
    card = await offer(stage, INES, root, "Archive")
    assert "Catalog Strategist of Hearthlane" in whole_text(card)

    await stage.press(INES, card, "Archive")
    await stage.reply_with(INES, root, "Yuki Tan is archived")
    assert await holders(stage, "Hearthlane") == before | {"catalog_strategist": "Miguel Duarte"}
    stored = await profile(stage, "yuki.tan@lanternfish.example")
    assert stored is not None
    assert stored["employment_status"] == "inactive"

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    assert await holders(stage, "Hearthlane") == before
    stored = await profile(stage, "yuki.tan@lanternfish.example")
    assert stored is not None
    assert stored["employment_status"] == "active"


async def test_whose_roles_nobody_spoke_of_is_asked_for_first(acting: Acting) -> None:
    stage = await acting(
        asking("archive Yuki", "cc_team_member_archive", person="Yuki"),
        asking("leave it open", "cc_team_member_archive", person="Yuki", leave_open=True),
    )
    root = await stage.say(INES, "archive Yuki")
    await stage.reply(INES, root)
    assert (
        "Catalog Strategist of Hearthlane"
        in (await stage.result("cc_team_member_archive"))["question"]
    )

    root = await stage.say(INES, "leave it open")
    await stage.press(INES, await offer(stage, INES, root, "Archive"), "Archive")
    await stage.reply_with(INES, root, "Yuki Tan is archived")
    assert "catalog_strategist" not in await holders(stage, "Hearthlane")


async def test_of_somebody_with_very_many_roles_the_first_are_named(acting: Acting) -> None:
    stage = await acting(asking("archive Yuki", "cc_team_member_archive", person="Yuki"))
    await stage.db.pool.execute(
        "with many as (insert into brands (client_id, name)"
        " select $1, 'Line ' || repeat('x', 60) || n from generate_series(1, 60) n returning id)"
        " insert into client_assignments (client_id, brand_id, team_member_id, role_id)"
        " select $1, many.id, $2, (select min(id::text)::uuid from agency_roles) from many",
        client_id("Hearthlane"),
        person_id("Yuki Tan"),
    )
    await stage.reply(INES, await stage.say(INES, "archive Yuki"))

    asked = (await stage.result("cc_team_member_archive"))["question"]
    assert "and 36 more. Who takes these over" in asked


async def test_a_role_given_away_meanwhile_stops_the_archiving(acting: Acting) -> None:
    stage = await acting(
        asking("archive Yuki", "cc_team_member_archive", person="Yuki", leave_open=True)
    )
    root = await stage.say(INES, "archive Yuki")
    card = await offer(stage, INES, root, "Archive")
    await stage.db.pool.execute(
        "update client_assignments set team_member_id = $2 where team_member_id = $1",
        person_id("Yuki Tan"),
        person_id("Miguel Duarte"),
    )

    await stage.press(INES, card, "Archive")
    await stage.reply_with(INES, root, "were changed since")
    stored = await profile(stage, "yuki.tan@lanternfish.example")
    assert stored is not None
    assert stored["employment_status"] == "active"


async def test_only_a_super_admin_makes_an_admin_and_the_last_one_stays(acting: Acting) -> None:
    promote = asking("promote", "cc_team_member_update", person="Miguel Duarte", access="admin")
    demote = asking("demote", "cc_team_member_update", person="Ines Varga", access="member")
    stage = await acting(
        promote, demote, super_admin_profile_ids=frozenset({person_id("Ines Varga")})
    )
    root = await stage.say(TOMAS, "promote")
    await stage.reply(TOMAS, root)
    assert await stage.proposals() == []

    root = await stage.say(INES, "promote")
    await stage.press(INES, await offer(stage, INES, root, "Change rights"), "Change rights")
    await stage.reply_with(INES, root, "Before:")
    stored = await profile(stage, "miguel.duarte@lanternfish.example")
    assert stored is not None
    assert stored["is_admin"]

    root = await stage.say(INES, "demote")
    await stage.press(INES, await offer(stage, INES, root, "Change rights"), "Change rights")
    await stage.reply_with(INES, root, "somebody else has to do that")


async def test_only_a_super_admin_archives_an_admin_or_links_a_super_admins_account(
    acting: Acting,
) -> None:
    """A super admin by the settings is one whatever their record says, and has their account."""
    mention = f"Sara Lindqvist is <@{NOOR}>"
    leaving = "cc_team_member_archive"
    stage = await acting(
        asking("Ines leaves", leaving, person="Ines Varga", leave_open=True),
        asking("Sara Lindqvist leaves", leaving, person="Sara Lindqvist", leave_open=True),
        asking(mention, "cc_team_member_update", person="Sara Lindqvist", slack=f"<@{NOOR}>"),
        asking("Tomas leaves", leaving, person="Tomas Reed", leave_open=True),
        super_admin_profile_ids=frozenset(map(person_id, ("Ines Varga", "Sara Lindqvist"))),
    )
    for said in ("Ines leaves", "Sara Lindqvist leaves", mention):
        await stage.reply(TOMAS, await stage.say(TOMAS, said))
    refused = await stage.events("tool_refused")
    assert [one["reason"] for one in refused] == ["admin_skill_denied"] * 3
    assert await stage.proposals() == []

    root = await stage.say(INES, "Tomas leaves")
    await stage.press(INES, await offer(stage, INES, root, "Archive"), "Archive")
    await stage.reply_with(INES, root, "Tomas Reed is archived")

    await stage.press(INES, await offer(stage, INES, root, "Undo"), "Undo")
    await stage.reply_with(INES, root, "Undone.")
    stored = await profile(stage, "tomas.reed@lanternfish.example")
    assert stored is not None
    assert (stored["employment_status"], stored["is_admin"]) == ("active", True)


async def test_somebody_who_was_made_an_admin_meanwhile_is_not_archived_by_another_one(
    acting: Acting,
) -> None:
    stage = await acting(
        asking("Yuki leaves", "cc_team_member_archive", person="Yuki", leave_open=True)
    )
    root = await stage.say(TOMAS, "Yuki leaves")
    card = await offer(stage, TOMAS, root, "Archive")
    await make_admin(stage, "Yuki Tan")

    await stage.press(TOMAS, card, "Archive")
    await stage.reply_with(TOMAS, root, "were changed since")
    stored = await profile(stage, "yuki.tan@lanternfish.example")
    assert stored is not None
    assert stored["employment_status"] == "active"


async def test_an_account_of_somebody_made_an_admin_meanwhile_is_asked_for_anew(
    acting: Acting,
) -> None:
    said, linking = f"Hana is <@{NOOR}>", "cc_team_member_update"
    stage = await acting(asking(said, linking, person="Hana Idris", slack=f"<@{NOOR}>"))
    root = await stage.say(TOMAS, said)
    card = await offer(stage, TOMAS, root, "Change person")
    await make_admin(stage, "Hana Idris")

    await stage.press(TOMAS, card, "Change person")
    await stage.reply_with(TOMAS, root, "ask me again for a new proposal")
    await stage.settled()
    assert [one["state"] for one in await stage.proposals()] == ["cancelled"]


async def test_an_account_linked_meanwhile_is_not_linked_twice(acting: Acting) -> None:
    stage = await acting(
        asking(
            f"Hana is <@{NOOR}>", "cc_team_member_update", person="Hana Idris", slack=f"<@{NOOR}>"
        )
    )
    root = await stage.say(INES, f"Hana is <@{NOOR}>")
    card = await offer(stage, INES, root, "Change person")
    await stage.db.pool.execute(
        "update profiles set slack_user_id = $2 where id = $1", person_id("Leo Ferri"), NOOR
    )

    await stage.press(INES, card, "Change person")
    await stage.reply_with(INES, root, "is linked to Leo Ferri already")
    stored = await profile(stage, "hana.idris@lanternfish.example")
    assert stored is not None
    assert stored["slack_user_id"] is None


async def test_members_look_colleagues_up_and_see_the_roles_of_their_own_clients(
    acting: Acting,
) -> None:
    stage = await acting(
        asking("who is Tomas", "cc_team_member_lookup", person="Tomas"),
        asking("add Marta", "cc_team_member_create", **MARTA),
    )
    root = await stage.say(YUKI, "who is Tomas")
    await stage.reply(YUKI, root)
    [person] = (await stage.result("cc_team_member_lookup"))["people"]
    assert (person["email"], person["rights"]) == ("tomas.reed@lanternfish.example", "admin")
    assert person["roles"] == ["Customer Success Lead of Hearthlane"]

    for who in (SARA_L, MIGUEL):
        root = await stage.say(who, "add Marta")
        await stage.reply(who, root)
    refused = await stage.events("tool_refused")
    assert {one["reason"] for one in refused} == {"admin_skill_denied"}


async def test_a_part_of_an_account_that_was_written_is_not_an_account(acting: Acting) -> None:
    marta = {**MARTA, "slack": NOOR[:-1]}
    asked = f"add Marta, <@{NOOR}>"
    stage = await acting(asking(asked, "cc_team_member_create", **marta))
    await stage.reply(INES, await stage.say(INES, asked))

    assert (await stage.result("cc_team_member_create"))["reason"] == "bad_slack_account"
