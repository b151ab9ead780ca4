"""Alerts to admins: once, in the channel they chose, else to each; none is lost with a channel."""

from __future__ import annotations

from acting import (
    INES,
    MIGUEL,
    OPS,
    SARA_L,
    TOMAS,
    Acting,
    ScriptedModel,
    call,
    creating,
    minded,
    offer_in,
    text,
    turn,
)
from pydantic_ai.exceptions import ModelHTTPError
from stage import Stage, dm, whole_text
from test_creation_flow import confirmed
from test_home_flow import home_with
from test_member_lifecycle_flow import no_belief

from agencyclaw.store.admin_notices import raise_alert, tell_admins
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

HERE, AWAY = "send admins' alerts here", "stop sending admins' alerts here"
ASK = "make the task"
_MADE_ADMINS = "select slack_user_id from profiles where is_admin and slack_user_id is not null"


def choosing(say: str = HERE, *, here: bool = True) -> dict[str, object]:
    find = call("search_tools", queries=["where admins' alerts go"])
    return turn(say, find, call("set_alert_channel", here=here), text("It is on the card."))


async def decide(stage: Stage, say: str = HERE, label: str = "Set") -> None:
    """Have an admin decide in the operations channel where alerts go."""
    root = await stage.bench.post_message(OPS, INES, f"<@U01CLAW> {say}")
    card = await offer_in(stage, OPS, root, label)
    assert "Send admins' alerts to" in whole_text(card)
    await stage.bench.interact(OPS, card["ts"], INES, label)
    await stage.settled()


async def told(stage: Stage, words: str) -> list[str]:
    """Where messages with these words are in Slack, in each person's and the channel."""
    admins = [row["slack_user_id"] for row in await stage.db.pool.fetch(_MADE_ADMINS)]
    places = [OPS, *map(dm, sorted({*admins, SARA_L, MIGUEL}))]
    return [
        place
        for place in places
        for one in await stage.bench.messages(place)
        if words in whole_text(one)
    ]


async def to_each(stage: Stage) -> list[str]:
    return sorted(dm(row["slack_user_id"]) for row in await stage.db.pool.fetch(_MADE_ADMINS))


async def alert(stage: Stage, key: str = "fault:1") -> None:
    team_id = await stage.db.pool.fetchval("select team_id from slack_event_receipts limit 1")
    async with stage.db.transaction() as conn:
        await tell_admins(conn, team_id, key, "Glintly is late.", "Something is late.")
    await stage.settled()


async def test_alerts_go_once_to_the_chosen_channel_without_a_clients_name(acting: Acting) -> None:
    stage = await acting(choosing())
    await decide(stage)
    await alert(stage)
    await alert(stage)

    assert await told(stage, "Something is late.") == [OPS]
    assert await told(stage, "Glintly is late.") == []
    await stage.bench.open_home(INES)
    await home_with(stage, INES, f"alerts go to <#{OPS}>")


async def test_alerts_go_to_each_admin_again_when_that_is_taken_back(acting: Acting) -> None:
    stage = await acting(choosing(), choosing(AWAY, here=False))
    await decide(stage)
    await alert(stage)
    await decide(stage, AWAY, "Remove")
    await alert(stage)
    await alert(stage, "fault:2")

    assert await told(stage, "Something is late.") == [OPS]
    assert await told(stage, "Glintly is late.") == await to_each(stage)


async def fault(stage: Stage, days_later: int) -> None:
    """Have a fault told of on the clock of schedules, moved by so many days."""
    team_id = await stage.db.pool.fetchval("select team_id from slack_event_receipts limit 1")
    async with stage.db.transaction() as conn:
        moved = f"{days_later} days"
        await conn.execute("select set_config('agencyclaw.clock_ahead', $1, true)", moved)
        await raise_alert(conn, team_id, "token", "The token is refused.")
    await stage.settled()


async def test_a_fault_is_told_of_once_within_seven_days_whichever_weekday_it_began_on(
    acting: Acting,
) -> None:
    stage = await acting()
    await stage.reply(SARA_L, await stage.say(SARA_L, "hello"))
    for day in range(8):
        await fault(stage, day)
    once = await to_each(stage)
    assert await told(stage, "The token is refused.") == once

    await fault(stage, 8)
    assert await told(stage, "The token is refused.") == sorted([*once, *once])


async def test_in_the_chosen_channel_a_fault_is_told_of_once_within_seven_days(
    acting: Acting,
) -> None:
    stage = await acting(choosing())
    await decide(stage)
    for day in (0, 1, 7, 8):
        await fault(stage, day)

    assert await told(stage, "The token is refused.") == [OPS, OPS]


async def test_an_admin_who_was_met_in_another_workspace_alone_is_not_told(
    acting: Acting, agency: Database
) -> None:
    stage = await acting(choosing())
    await stage.reply(SARA_L, await stage.say(SARA_L, "hello"))
    await agency.pool.execute(
        "insert into slack_members (team_id, slack_user_id, membership) values ('T0OTHER', $1,"
        " 'member') on conflict do nothing",
        TOMAS,
    )
    await alert(stage)

    everybody = await to_each(stage)
    assert dm(TOMAS) in everybody
    assert await told(stage, "Glintly is late.") == [one for one in everybody if one != dm(TOMAS)]


async def test_what_an_archived_channel_does_not_take_reaches_each_admin(acting: Acting) -> None:
    stage = await acting(choosing())
    await decide(stage)
    await stage.bench.change_channel(OPS, "archive")
    await alert(stage)
    await alert(stage, "fault:2")

    assert await told(stage, "I can't post to the channel") == await to_each(stage)
    assert await told(stage, "Something is late.") == await to_each(stage)
    assert await told(stage, "Glintly is late.") == await to_each(stage)


async def test_a_channel_that_was_shared_with_another_company_since_takes_none(
    acting: Acting,
) -> None:
    stage = await acting(choosing())
    await decide(stage)
    await stage.bench.change_channel(OPS, "share")
    await stage.bench.until(lambda: no_belief(stage, "slack_channels"))
    await alert(stage)

    assert await told(stage, "Something is late.") == []
    assert await told(stage, "Glintly is late.") == await to_each(stage)
    await stage.bench.open_home(INES)
    await home_with(stage, INES, "alerts go to each admin directly")


async def test_a_member_and_a_direct_message_choose_no_channel(acting: Acting) -> None:
    stage = await acting(choosing())
    root = await stage.bench.post_message(OPS, SARA_L, f"<@U01CLAW> {HERE}")
    await stage.reply_in(OPS, root)
    assert await stage.proposals() == []

    await stage.reply(INES, await stage.say(INES, HERE))
    assert (await stage.result("set_alert_channel"))["reason"] == "not_a_channel"
    assert await stage.proposals() == []


async def test_admins_hear_once_of_an_account_that_two_profiles_have(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.db.pool.execute(
        "update profiles set slack_user_id = $1 where full_name = 'Hana Idris'", MIGUEL
    )
    for _ in range(2):
        await stage.reply_with(MIGUEL, await stage.say(MIGUEL, ASK), "more than one team profile")
    await stage.settled()
    assert await told(stage, "have the same Slack account") == await to_each(stage)


async def test_admins_hear_of_a_task_that_was_created_unheard(acting: Acting) -> None:
    stage = await acting(choosing(), creating(ASK))
    await decide(stage)
    await stage.bench.set_fault("clickup", "error_after", method="create_task")
    await stage.reply_with(INES, await confirmed(stage), "Created “")
    await stage.settled()
    assert await told(stage, "A ClickUp task was created without my hearing of it.") == [OPS]


async def test_admins_hear_once_of_a_token_that_clickup_refuses(acting: Acting) -> None:
    listing = turn("what is due", call("list_tasks", client="Glintly Inc"), text("I can't see."))
    stage = await acting(listing)
    await stage.bench.set_fault("clickup", "unauthorized", times=50)
    for _ in range(2):
        await stage.reply(SARA_L, await stage.say(SARA_L, "what is due"))
    await stage.settled()
    assert await told(stage, "ClickUp refuses my token") == await to_each(stage)


async def test_admins_hear_once_of_a_model_that_refuses(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(ModelHTTPError(401, "mind"), ModelHTTPError(401, "mind"))
    async with minded(bench, agency, mind) as stage:
        for _ in range(2):
            await stage.reply(SARA_L, await stage.say(SARA_L, "hello"))
        await stage.settled()
        assert await told(stage, "The language model refuses to answer") == await to_each(stage)
