"""The people of Slack and ClickUp brought in line with the team: shown, prepared, pressed."""

from __future__ import annotations

from typing import Any

import pytest
from acting import INES, MIGUEL, TOMAS, Acting, Turn, call, offer, text, turn
from stage import Stage, whole_text

from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database

ASK = "compare our people with Slack and ClickUp"
SYNC = "bring them in line"
_ACCOUNTS = "select slack_user_id, clickup_user_id from profiles where full_name = $1"


def searching(say: str, tool: str, **arguments: Any) -> Turn:
    found = call("search_tools", queries=["identity sync accounts"])
    return turn(say, found, call(tool, **arguments), text("There it is."))


async def unlink(db: Database, name: str, column: str) -> str:
    """Take an account off a profile; returns it."""
    account = await db.pool.fetchval(f"select {column} from profiles where full_name = $1", name)
    await db.pool.execute(f"update profiles set {column} = null where full_name = $1", name)
    return str(account)


async def accounts(stage: Stage, name: str) -> tuple[str | None, str | None]:
    row = await stage.db.pool.fetchrow(_ACCOUNTS, name)
    assert row is not None
    return row["slack_user_id"], row["clickup_user_id"]


async def test_a_comparison_shows_what_differs_and_changes_nothing(
    acting: Acting, agency: Database
) -> None:
    await unlink(agency, "Miguel Duarte", "clickup_user_id")
    await unlink(agency, "Tomas Reed", "clickup_user_id")
    stage = await acting(searching(ASK, "compare_accounts"))
    before = await agency.pool.fetch("select * from profiles order by id")
    await stage.reply(INES, await stage.say(INES, ASK))
    shown = await stage.result("compare_accounts")
    assert [one["name"] for one in shown["missing_links"]] == ["Miguel Duarte"]
    assert [one["name"] for one in shown["of_admins"]] == ["Tomas Reed"]
    assert shown["missing_links"][0]["accounts"] == ["ClickUp"]
    assert "Noor Haddad" in [one["name"] for one in shown["new_people"]]
    assert "Yuki Tan" in shown["without_clickup"]
    assert "Miguel Duarte" not in shown["without_clickup"]
    assert await agency.pool.fetch("select * from profiles order by id") == before
    assert await stage.proposals() == []


@pytest.mark.parametrize("tool", ["compare_accounts", "sync_accounts"])
async def test_while_slack_lists_nobody_it_is_not_clickup_that_is_said_to_fail(
    acting: Acting, tool: str
) -> None:
    stage = await acting(searching(ASK, tool))
    await stage.bench.set_fault("slack", "rate_limited", method="users.list", delay_s=60.0)
    await stage.reply_with(INES, await stage.say(INES, ASK), "There it is.")

    refused = await stage.result(tool)
    assert refused["message"] == "Slack does not list its people now."


async def test_the_account_of_a_super_admin_by_the_settings_takes_a_super_admin(
    acting: Acting, agency: Database
) -> None:
    await unlink(agency, "Miguel Duarte", "clickup_user_id")
    supers = frozenset(map(person_id, ("Ines Varga", "Miguel Duarte")))
    stage = await acting(searching(ASK, "compare_accounts"), super_admin_profile_ids=supers)
    await stage.reply(INES, await stage.say(INES, ASK))

    shown = await stage.result("compare_accounts")
    assert "missing_links" not in shown
    assert [one["name"] for one in shown["of_admins"]] == ["Miguel Duarte"]


async def test_what_the_rules_match_is_linked_by_the_press_and_who_is_new_only_if_named(
    acting: Acting, agency: Database
) -> None:
    account = await unlink(agency, "Miguel Duarte", "clickup_user_id")
    admins = await unlink(agency, "Tomas Reed", "clickup_user_id")
    stage = await acting(searching(SYNC, "sync_accounts", add=["Noor Haddad"]))
    root = await stage.say(INES, SYNC)
    card = await offer(stage, INES, root, "Take 2 records over")
    whole = "\n".join([whole_text(one) for one in await stage.replies_in("D01INES", root)])
    assert "Miguel Duarte" in whole
    assert admins not in whole
    assert (await accounts(stage, "Miguel Duarte"))[1] is None

    await stage.press(INES, card, "Take 2 records over")
    await stage.reply_with(INES, root, "Imported 2 records")
    assert (await accounts(stage, "Miguel Duarte"))[1] == account
    assert (await accounts(stage, "Noor Haddad"))[0] == "U01NOOR"
    assert (await accounts(stage, "Tomas Reed"))[1] is None
    [event] = await stage.events("effect_done")
    assert len(event["payload"]["after"]) == 2


async def test_an_account_that_no_rule_decides_on_is_linked_as_the_admin_says(
    acting: Acting, agency: Database
) -> None:
    account = await unlink(agency, "Miguel Duarte", "clickup_user_id")
    await agency.pool.execute(
        "update profiles set clickup_user_id = '777' where full_name = 'Miguel Duarte'"
    )
    decided = [{"account": "Miguel Duarte", "person": "Miguel Duarte"}]
    stage = await acting(
        searching(ASK, "compare_accounts"), searching(SYNC, "sync_accounts", decided=decided)
    )
    await stage.reply(INES, await stage.say(INES, ASK))
    [undecided] = [
        one
        for one in (await stage.result("compare_accounts"))["undecided"]
        if one["name"] == "Miguel Duarte"
    ]
    assert (undecided["account"], undecided["why"]) == (account, "conflicting_clickup_id")

    root = await stage.say(INES, SYNC)
    card = await offer(stage, INES, root, "Take 1 record over")
    whole = "\n".join([whole_text(one) for one in await stage.replies_in("D01INES", root)])
    assert f"{account} is the account of “Miguel Duarte”" in whole
    await stage.press(INES, card, "Take 1 record over")
    await stage.reply_with(INES, root, "Imported 1 record")
    assert (await accounts(stage, "Miguel Duarte"))[1] == account


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "no_changes"),
        ({"add": ["Nobody Atall"]}, "nobody"),
        ({"decided": [{"account": " ", "person": "Miguel Duarte"}]}, "nobody"),
        ({"decided": [{"account": "Tomas Reed", "person": "Tomas Reed"}]}, "admin"),
        ({"decided": [{"account": "Tomas Reed", "person": "Miguel Duarte"}]}, "account_taken"),
    ],
)
async def test_what_nobody_decided_or_may_decide_is_refused(
    acting: Acting, agency: Database, arguments: dict[str, Any], reason: str
) -> None:
    if reason in ("admin", "account_taken"):
        account = await unlink(agency, "Tomas Reed", "clickup_user_id")
        statement = "update profiles set clickup_user_id = $1 where full_name = $2"
        await agency.pool.execute(statement, "777", "Tomas Reed")
        if reason == "account_taken":
            await agency.pool.execute(statement, account, "Paul Brandt")
    stage = await acting(searching(SYNC, "sync_accounts", **arguments))
    await stage.reply(TOMAS, await stage.say(TOMAS, SYNC))
    assert (await stage.result("sync_accounts"))["reason"] == reason
    assert await stage.proposals() == []


async def test_a_member_compares_nothing(acting: Acting) -> None:
    stage = await acting(turn(ASK, call("compare_accounts"), text("Only an admin may.")))
    await stage.reply(MIGUEL, await stage.say(MIGUEL, ASK))
    assert [one["reason"] for one in await stage.events("tool_refused")] == ["admin_skill_denied"]


async def test_who_lacks_an_account_that_the_rules_match_and_one_that_they_do_not_gets_both(
    acting: Acting, agency: Database
) -> None:
    slack = await unlink(agency, "Miguel Duarte", "slack_user_id")
    account = await unlink(agency, "Miguel Duarte", "clickup_user_id")
    await agency.pool.execute(
        "update profiles set clickup_user_id = '777' where full_name = 'Miguel Duarte'"
    )
    decided = [{"account": account, "person": "Miguel Duarte"}]
    stage = await acting(searching(SYNC, "sync_accounts", decided=decided))
    root = await stage.say(INES, SYNC)
    await stage.press(
        INES, await offer(stage, INES, root, "Take 1 record over"), "Take 1 record over"
    )
    await stage.reply_with(INES, root, "Imported 1 record")
    assert await accounts(stage, "Miguel Duarte") == (slack, account)


async def test_one_account_is_not_linked_to_two_people(acting: Acting, agency: Database) -> None:
    statement = "update profiles set clickup_user_id = '777' where full_name = 'Miguel Duarte'"
    account = await unlink(agency, "Miguel Duarte", "clickup_user_id")
    await agency.pool.execute(statement)
    people = ("Miguel Duarte", "Paul Brandt")
    decided = [{"account": account, "person": person} for person in people]
    stage = await acting(searching(SYNC, "sync_accounts", decided=decided))
    await stage.reply(INES, await stage.say(INES, SYNC))
    refused = await stage.result("sync_accounts")
    assert refused["message"] == "One account can't belong to Miguel Duarte and to Paul Brandt."


async def test_of_two_undecided_accounts_of_one_name_the_ids_are_told(
    acting: Acting, agency: Database
) -> None:
    await agency.pool.execute(
        "update profiles set clickup_user_id = '777', slack_user_id = 'U0OLD'"
        " where full_name = 'Miguel Duarte'"
    )
    decided = [{"account": "Miguel Duarte", "person": "Miguel Duarte"}]
    stage = await acting(searching(SYNC, "sync_accounts", decided=decided))
    await stage.reply(INES, await stage.say(INES, SYNC))
    refused = await stage.result("sync_accounts")
    assert "Several accounts are called “Miguel Duarte”: U01MIG, 100005." in refused["message"]
