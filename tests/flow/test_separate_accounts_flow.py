"""An account that an admin keeps separate is offered no more, until that is taken back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from acting import INES, MIGUEL, SARA_L, Acting, Turn, call, offer, text, turn
from stage import Stage, whole_text

from agencyclaw.store.engine import Database

ASK = "compare our people with Slack and ClickUp"
ASK_AGAIN = "and now?"
KEEP = "that account isn't Miguel's, leave it"
AGAIN = "offer it again"
KIND = {"account": "Miguel Duarte", "not_of": "Miguel", "why": "the agency's ads robot"}


def searching(say: str, tool: str, **arguments: Any) -> Turn:
    queries = ["identity sync accounts", "keep an account separate"]
    found = call("search_tools", queries=queries)
    return turn(say, found, call(tool, **arguments), text("There it is."))


async def another_account(db: Database) -> str:
    """Give Miguel's profile another ClickUp account than the one of his e-mail; returns that."""
    account = await db.pool.fetchval(
        "select clickup_user_id from profiles where full_name = 'Miguel Duarte'"
    )
    await db.pool.execute(
        "update profiles set clickup_user_id = '777' where full_name = 'Miguel Duarte'"
    )
    return str(account)


async def undecided(stage: Stage, say: str) -> tuple[list[str], list[dict[str, Any]]]:
    await stage.reply(INES, await stage.say(INES, say))
    shown = await stage.result("compare_accounts")
    accounts = [one["account"] for one in shown.get("undecided", [])]
    return accounts, shown.get("kept_separate", [])


async def kept(stage: Stage, root: str, label: str) -> None:
    card = await offer(stage, INES, root, label)
    await stage.press(INES, card, label)


async def test_a_separate_account_is_offered_no_more_until_that_is_taken_back(
    acting: Acting, agency: Database
) -> None:
    account = await another_account(agency)
    stage = await acting(
        searching(ASK, "compare_accounts"),
        searching(KEEP, "keep_account_separate", **KIND),
        searching(ASK_AGAIN, "compare_accounts"),
        searching(AGAIN, "keep_account_separate", account=account, offer_again=True),
        searching("once more", "compare_accounts"),
    )
    assert account in (await undecided(stage, ASK))[0]
    root = await stage.say(INES, KEEP)
    await offer(stage, INES, root, "Keep separate")
    whole = "\n".join([whole_text(one) for one in await stage.replies_in("D01INES", root)])
    assert KIND["why"] in whole
    assert await agency.pool.fetchval("select count(*) from separate_accounts") == 0
    await kept(stage, root, "Keep separate")
    await stage.reply_with(INES, root, "separate account")
    await stage.settled()

    accounts, [decision] = await undecided(stage, ASK_AGAIN)
    assert account not in accounts
    assert (decision["account"], decision["why"]) == (account, KIND["why"])
    assert decision["decided"].startswith("Ines Varga")
    await kept(stage, await stage.say(INES, AGAIN), "Offer again")
    await stage.settled()
    accounts, decisions = await undecided(stage, "once more")
    assert account in accounts
    assert decisions == []
    assert len(await stage.events("effect_done")) == 2


async def test_home_tells_admins_what_the_last_comparison_left_and_asks_for_another(
    acting: Acting, agency: Database
) -> None:
    account = await another_account(agency)
    question = "Compare our people with Slack and ClickUp."
    stage = await acting(searching(question, "compare_accounts"))
    await stage.bench.open_home(INES)
    view = await home_with(stage, INES, "Nobody has compared")
    [ask] = [
        {**block["accessory"], "block_id": block["block_id"]}
        for block in view["blocks"]
        if block.get("accessory", {}).get("action_id") == "claw_compare_accounts"
    ]

    await stage.bench.interact_in_view(INES, view["id"], ask)

    async def compared() -> bool:
        said = [whole_text(one) for one in await stage.bench.messages("D01INES")]
        return any("There it is." in one for one in said)

    await stage.bench.until(compared)
    await stage.settled()
    shown = await stage.result("compare_accounts")
    waiting = len(shown["undecided"])
    assert account in [one["account"] for one in shown["undecided"]]
    await stage.bench.open_home(INES)
    await home_with(stage, INES, f"wait for a decision: {waiting}, as compared within the last")
    await agency.pool.execute(
        "insert into separate_accounts (account, name) values ($1, 'Robot')", account
    )
    await agency.pool.execute(
        "update agent_skill_events set created_at = now() - interval '3 days'"
    )
    await stage.bench.open_home(INES)
    await home_with(stage, INES, f"wait for a decision: {waiting - 1}, as compared 3 days ago")

    await stage.bench.open_home(MIGUEL)
    assert "ClickUp that wait" not in json.dumps(await home_with(stage, MIGUEL, "Waiting for you"))


async def home_with(stage: Stage, user: str, words: str) -> dict[str, Any]:
    """Wait until a person's Home tab says something."""

    async def there() -> dict[str, Any] | None:
        view = await stage.bench.home(user)
        return view if view and words in json.dumps(view, ensure_ascii=False) else None

    return await stage.bench.until(there)


async def test_more_separate_accounts_than_are_shown_are_not_passed_over_in_silence(
    acting: Acting, agency: Database
) -> None:
    stage = await acting(searching(ASK, "compare_accounts"))
    await agency.pool.execute(
        "insert into separate_accounts (account, name)"
        " select 'b' || (100 - one), 'Robot ' || (100 + one) from generate_series(1, 61) as one"
    )
    _, decisions = await undecided(stage, ASK)

    # By name, as people look for them: the ids run the other way.
    assert [one["name"] for one in decisions] == [f"Robot {100 + one}" for one in range(1, 61)]
    assert "At most 60 of each" in (await stage.result("compare_accounts"))["note"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"account": "Nobody Atall"}, "nobody"),
        ({"account": "U01SARAL"}, "account_taken"),
        ({"account": "Miguel Duarte", "offer_again": True}, "nobody"),
    ],
)
async def test_an_account_that_is_linked_or_unknown_is_not_kept_separate(
    acting: Acting, agency: Database, arguments: dict[str, Any], reason: str
) -> None:
    stage = await acting(searching(KEEP, "keep_account_separate", **arguments))
    linked = await agency.pool.fetchval(
        "select slack_user_id from profiles where slack_user_id = 'U01SARAL'"
    )
    assert linked == SARA_L == "U01SARAL"
    await stage.reply(INES, await stage.say(INES, KEEP))
    assert (await stage.result("keep_account_separate"))["reason"] == reason
    assert await stage.proposals() == []


async def test_a_member_keeps_no_account_separate(acting: Acting, agency: Database) -> None:
    await another_account(agency)
    call_it = call("keep_account_separate", **KIND)
    stage = await acting(turn(KEEP, call_it, text("Only an admin may.")))
    await stage.reply(MIGUEL, await stage.say(MIGUEL, KEEP))
    assert [one["reason"] for one in await stage.events("tool_refused")] == ["admin_skill_denied"]
    assert await stage.proposals() == []
