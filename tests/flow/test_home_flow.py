"""The Home tab: kept fresh by itself, and where an admin drops what waits for others."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from acting import (
    INES,
    MIGUEL,
    OPS,
    SARA_L,
    TASK,
    TOMAS,
    Acting,
    ScriptedModel,
    calls,
    creating,
    minded,
    offer,
    offer_in,
    states,
)
from stage import Stage, buttons, dm, whole_text

from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "make the task"
_BRANDS = """
select count(*) filter (where b.clickup_space_id is null or b.clickup_list_id is null), count(*)
from brands b join agency_clients c on c.id = b.client_id where c.status = 'active'
"""
NOTHING = "Nothing is waiting for your word."


async def home_with(stage: Stage, user: str, words: str) -> dict[str, Any]:
    """Wait until a person's Home tab says something."""

    async def there() -> dict[str, Any] | None:
        view = await stage.bench.home(user)
        return view if view and words in json.dumps(view, ensure_ascii=False) else None

    return await stage.bench.until(there)


async def drawn(stage: Stage, user: str) -> int:
    """How often a person's Home tab was published."""
    calls = await stage.bench.log(target="slack", operation="views.publish")
    return sum(user in json.dumps(call) for call in calls)


def withdrawing(view: dict[str, Any]) -> list[dict[str, Any]]:
    """The Cancel buttons beside other people's proposals."""
    return [
        {**block["accessory"], "block_id": block["block_id"]}
        for block in view["blocks"]
        if block.get("accessory", {}).get("action_id") == "claw_withdraw"
    ]


async def test_an_open_home_tab_changes_with_what_waits_and_a_burst_is_one_redraw(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.open_home(SARA_L)
    await home_with(stage, SARA_L, NOTHING)
    root = await stage.say(SARA_L, ASK)
    await home_with(stage, SARA_L, TASK)
    before = await drawn(stage, SARA_L)

    await stage.press(SARA_L, await offer(stage, SARA_L, root), "Create task")

    view = await home_with(stage, SARA_L, "Open it in ClickUp")
    assert NOTHING in json.dumps(view)
    await stage.settled()
    assert await drawn(stage, SARA_L) - before <= 2, "opened, confirmed, settled: close together"


async def test_a_home_tab_that_nobody_opened_is_not_drawn(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    await offer(stage, SARA_L, root)
    await stage.say(SARA_L, "no", thread=root)
    await stage.settled()

    assert await stage.bench.log(target="slack", operation="views.publish") == []


async def test_an_admin_drops_what_waits_for_somebody_else_who_is_told(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.open_home(INES)
    await home_with(stage, INES, "Waiting in the agency")
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    view = await home_with(stage, INES, "For Sara Lindqvist")
    [cancel] = withdrawing(view)

    await stage.bench.interact_in_view(INES, view["id"], cancel)

    said = await stage.reply_with(SARA_L, root, "an admin, cancelled")
    assert "Ines Varga" in said["text"]
    await home_with(stage, INES, "Nobody else's work is waiting")
    await stage.settled()
    assert await states(stage) == ["cancelled"]
    [shown] = [one for one in await stage.bench.messages(dm(SARA_L)) if one["ts"] == card["ts"]]
    assert buttons(shown) == []
    assert "Cancelled* by Ines Varga" in json.dumps(shown, ensure_ascii=False)
    [event] = await stage.events("consent_withdraw")
    [proposal] = await stage.proposals()
    assert event["reason"] == "withdrawn"
    assert event["slack_user_id"] == INES
    assert event["proposal_id"] == proposal["id"]
    assert await stage.creates_sent() == 0


async def test_who_is_told_of_a_dropped_proposal_is_its_requester_also_where_the_channel_is_closed(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.open_home(INES)
    await home_with(stage, INES, "Waiting in the agency")
    await offer_in(stage, OPS, await stage.bench.post_message(OPS, SARA_L, f"<@U01CLAW> {ASK}"))
    [cancel] = withdrawing(view := await home_with(stage, INES, "For Sara Lindqvist"))
    await stage.bench.change_channel(OPS, "archive", tells=False)

    await stage.bench.interact_in_view(INES, view["id"], cancel)

    async def told() -> list[str]:
        return [
            user
            for user in (SARA_L, INES)
            for one in await stage.bench.messages(dm(user))
            if "an admin, cancelled" in whole_text(one)
        ]

    assert await stage.bench.until(told) == [SARA_L]


async def test_an_admin_is_not_shown_what_others_keep_for_themselves(
    bench: Bench, agency: Database
) -> None:
    when = {"quote": "tomorrow at 9", "day": {"kind": "in", "count": 1}, "time": "09:00"}
    reminder = calls("remind", words="call the dentist", when=when)
    mind = ScriptedModel(calls("search_tools", queries=["reminder"]), reminder, "See the card.")
    async with minded(bench, agency, mind) as stage:
        await stage.bench.open_home(INES)
        root = await stage.say(SARA_L, "remind me tomorrow at 9 to call the dentist")
        await offer(stage, SARA_L, root, "Set reminder")
        task = {"client": "Glintly Inc", "title": TASK, "objective": ASK}
        mind.answers(calls("create_task", **task), "It is on the card.")
        root = await stage.say(SARA_L, ASK)
        await offer(stage, SARA_L, root)

        view = await home_with(stage, INES, TASK)
        assert "dentist" not in json.dumps(view)
        assert len(withdrawing(view)) == 1


async def test_an_admin_reads_how_many_more_wait_however_many_there_are(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    await offer(stage, SARA_L, root)
    changed = "jsonb_build_object('id', gen_random_uuid(), 'ordinal', n)"
    await stage.db.pool.execute(
        f"insert into proposals select (jsonb_populate_record(p, {changed})).*"
        " from proposals p, generate_series(101, 160) n"
    )

    await stage.bench.open_home(INES)

    await home_with(stage, INES, "… and 46 more.")


async def test_who_is_no_admin_sees_and_drops_nothing_of_others(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    for user in (INES, MIGUEL):
        await stage.bench.open_home(user)
    root = await stage.say(SARA_L, ASK)
    await offer(stage, SARA_L, root)
    admins = await home_with(stage, INES, "For Sara Lindqvist")
    theirs = await stage.bench.until(lambda: stage.bench.home(MIGUEL))
    assert "Waiting in the agency" not in json.dumps(theirs)

    await stage.bench.interact_in_view(MIGUEL, theirs["id"], withdrawing(admins)[0])

    async def noted() -> bool:
        return bool(await stage.events("consent_withdraw"))

    await stage.bench.until(noted)
    await stage.settled()
    [event] = await stage.events("consent_withdraw")
    assert event["reason"] == "admin_skill_denied"
    assert event["slack_user_id"] == MIGUEL
    assert await states(stage) == ["open"]


async def test_of_an_admins_press_and_the_own_yes_exactly_one_counts(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.open_home(INES)
    root = await stage.say(TOMAS, ASK)
    card = await offer(stage, TOMAS, root)
    view = await home_with(stage, INES, "For Tom")
    [cancel] = withdrawing(view)

    await asyncio.gather(
        stage.bench.interact_in_view(INES, view["id"], cancel),
        stage.press(TOMAS, card, "Create task"),
    )
    await stage.settled()

    [state] = await states(stage)
    assert state in ("cancelled", "done")
    assert await stage.creates_sent() == (1 if state == "done" else 0)


async def test_an_admin_reads_in_home_how_the_assistant_is_doing_and_nobody_else_does(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    await offer(stage, SARA_L, root)
    await stage.settled()
    await stage.db.pool.execute("update ai_token_usage set cost_usd = 0.75")
    requests = await stage.db.pool.fetchval("select count(*) from ai_token_usage")
    await stage.bench.open_home(INES)
    view = json.dumps(await home_with(stage, INES, "All is well"))
    assert f"Models have cost {0.75 * requests:.2f} USD this month." in view
    [(unmapped, brands)] = await stage.db.pool.fetch(_BRANDS)
    assert unmapped > 0
    assert f"Brands without their ClickUp space or list: {unmapped} of {brands}." in view
    assert "wait for approval: 0." in view
    await stage.bench.open_home(SARA_L)
    assert "All is well" not in json.dumps(await home_with(stage, SARA_L, "Waiting for you"))

    await stage.db.pool.execute("update agent_runs set status = 'failed'")
    await stage.bench.open_home(INES)
    await home_with(stage, INES, "1 failed answer, 0 undelivered messages")


@pytest.mark.parametrize(
    "lost",
    [
        "delete from client_assignments where team_member_id = $1",
        "update profiles set employment_status = 'inactive' where id = $1",
    ],
)
async def test_who_lost_a_client_or_left_the_team_sees_nothing_of_it_in_home(
    acting: Acting, lost: str
) -> None:
    other = "Order the spring samples"
    stage = await acting(creating(ASK), creating("another", title=other))
    card = await offer(stage, MIGUEL, await stage.say(MIGUEL, ASK))
    await stage.press(MIGUEL, card, "Create task")
    await stage.created(TASK)
    await offer(stage, MIGUEL, await stage.say(MIGUEL, "another"))
    await stage.bench.open_home(MIGUEL)
    before = json.dumps(await home_with(stage, MIGUEL, other))
    assert TASK in before

    await stage.db.pool.execute(lost, person_id("Miguel Duarte"))
    await stage.bench.open_home(MIGUEL)
    after = json.dumps(await home_with(stage, MIGUEL, NOTHING))
    assert other not in after
    assert TASK not in after
    assert "Glintly" not in after
