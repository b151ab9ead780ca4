"""What admins decided about tools holds when it is offered, called, confirmed and carried out."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from acting import (
    ASKED,
    CLAW,
    INES,
    MIGUEL,
    PAUL,
    RANDOM,
    SARA_L,
    TASK,
    TOMAS,
    YUKI,
    Acting,
    ScriptedModel,
    call,
    calls,
    count,
    creating,
    minded,
    offer,
    states,
    text,
    turn,
)
from stage import Stage, dm, whole_text

from agencyclaw.store.demo_agency import brand_id, client_id, person_id
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import defer, queue_of
from workbench.fixture import Bench

GLINTLY_CHANNEL = "C01GLINTLY"
LIST = "clickup_task_list_weekly"
CREATE = "clickup_task_create"
REPAIR = "cc_brand_mapping_remediation_apply"
GLINTLY = str(client_id("Glintly Inc"))
TOLD = turn("what is due", call("list_tasks", client="Glintly Inc"), text("${list_tasks.message}"))


async def decide(
    db: Database, skill: str, scope: str = "global", scope_id: str | None = None, **more: Any
) -> None:
    """Store an override, as an admin would."""
    names = ["skill_id", "scope_type", "scope_id", *more]
    places = ", ".join(f"${at}" for at in range(1, len(names) + 1))
    statement = f"insert into skill_policy_overrides ({', '.join(names)}) values ({places})"
    await db.pool.execute(statement, skill, scope, scope_id, *more.values())


async def refusals(stage: Stage) -> list[tuple[str, str]]:
    """The tools that were refused, and why."""
    return [(e["payload"]["skill"], e["reason"]) for e in await stage.events("tool_refused")]


async def test_what_an_override_switches_off_is_neither_offered_nor_run(
    bench: Bench, agency: Database
) -> None:
    await decide(agency, CREATE, "team", "T0LANTERN", enabled=False)
    a_create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    mind = ScriptedModel(a_create, "An admin has switched that off.")

    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the task")
        await stage.reply_with(INES, root, "switched that off")
        await stage.settled()

        assert "create_task" not in mind.offered[0]
        assert await stage.proposals() == []
        assert await refusals(stage) == [("create_task", "skill_disabled")]


async def test_a_tool_closed_for_one_client_is_refused_for_it_and_serves_the_others(
    acting: Acting, agency: Database
) -> None:
    await decide(agency, LIST, "client", GLINTLY, enabled=False)
    other = turn(
        "and Pawtrail",
        call("list_tasks", client="Pawtrail", brand="Pawtrail Pro"),
        text("${list_tasks.total} are due for ${list_tasks.client}."),
    )
    stage = await acting(TOLD, other)

    closed = await stage.say(INES, "what is due")
    served = await stage.say(INES, "and Pawtrail")

    await stage.reply_with(INES, closed, "An admin has switched that off")
    await stage.reply_with(INES, served, "are due for Pawtrail")
    await stage.settled()
    assert await refusals(stage) == [("list_tasks", "skill_disabled")]


async def test_a_tier_raised_after_the_card_stops_the_press(
    acting: Acting, agency: Database
) -> None:
    stage = await acting(creating())
    root = await stage.say(MIGUEL, "make the task")
    card = await offer(stage, MIGUEL, root)
    await decide(agency, CREATE, min_role_tier="admin")

    await stage.press(MIGUEL, card, "Create task")

    assert await stage.refused_press() == "admin_skill_denied"
    assert await states(stage) == ["open"]


async def test_channels_hold_for_what_is_offered_and_for_the_press(
    acting: Acting, agency: Database
) -> None:
    stage = await acting(creating())
    root = await stage.say(MIGUEL, "make the task")
    card = await offer(stage, MIGUEL, root)
    await decide(agency, CREATE, allowed_channels=["C01OPS"])

    await stage.press(MIGUEL, card, "Create task")

    assert await stage.refused_press() == "channel_not_allowed"


async def test_calls_per_hour_are_counted_for_each_person_across_restarts(
    bench: Bench, agency: Database
) -> None:
    await decide(agency, LIST, max_calls_per_hour=1)
    a_list = calls("list_tasks", client="Glintly Inc")
    for mind, hint in (
        (ScriptedModel(a_list, "Four."), "first"),
        (ScriptedModel(a_list, "Not now."), "again"),
    ):
        async with minded(bench, agency, mind) as stage:
            await stage.reply(SARA_L, await stage.say(SARA_L, f"what is due, {hint}"))

    assert "You have used that once within the last hour" in mind.heard()
    async with minded(bench, agency, ScriptedModel(a_list, "Six.")) as stage:
        await stage.reply(TOMAS, await stage.say(TOMAS, "what is due"))
        await stage.settled()
        assert await refusals(stage) == [("list_tasks", "rate_limited")]


async def test_who_floods_is_told_to_wait_and_the_others_are_served(
    acting: Acting,
) -> None:
    hello = turn("hello there", text("Hello!"))
    stage = await acting(hello, agencyclaw_messages_per_minute=2)

    roots = [await stage.say(SARA_L, "hello there") for _ in range(3)]
    served = await stage.say(TOMAS, "hello there")

    said = [whole_text(await stage.reply(SARA_L, root)) for root in roots]
    [refused] = [one for one in said if "Hello!" not in one]
    assert "more than 2 messages within a minute" in refused
    assert "Hello!" in whole_text(await stage.reply(TOMAS, served))
    await stage.settled()
    [event] = await stage.events("guard_reply")
    assert event["reason"] == "too_many_messages"
    assert await count(stage, "agent_runs") == 3


async def test_who_floods_can_still_say_no(acting: Acting) -> None:
    stage = await acting(creating(), agencyclaw_messages_per_minute=1)
    root = await stage.say(SARA_L, "make the task")
    await offer(stage, SARA_L, root)

    await stage.say(SARA_L, "cancel", thread=root)

    await stage.reply_with(SARA_L, root, "Cancelled")
    assert await states(stage) == ["cancelled"]


async def test_a_list_says_by_code_how_far_it_reaches(bench: Bench, agency: Database) -> None:
    """Whatever the model says: the line under the answer is not its own."""
    mind = ScriptedModel(calls("lookup_client"), "You have all the clients there are.")
    async with minded(bench, agency, mind) as stage:
        own = whole_text(await stage.reply(SARA_L, await stage.say(SARA_L, "my clients?")))
        mind.answers(calls("lookup_brand"), "These are all brands.")
        brands = whole_text(await stage.reply(SARA_L, await stage.say(SARA_L, "my brands?")))
        mind.answers(calls("lookup_client"), "These are all.")
        every = whole_text(await stage.reply(TOMAS, await stage.say(TOMAS, "all clients?")))
        mind.answers(calls("lookup_client"), "Only this one.")
        asked = await bench.post_message(GLINTLY_CHANNEL, TOMAS, f"<@{CLAW}> all clients?")
        bound = whole_text(await stage.reply_in(GLINTLY_CHANNEL, asked))
        mind.answers(calls("lookup_client", query="Glintly"), "There it is.")
        found = whole_text(await stage.reply(SARA_L, await stage.say(SARA_L, "Glintly?")))

    assert "Only the clients you are assigned to were looked at." in own
    assert "Only the clients you are assigned to were looked at." in brands
    assert "were looked at" not in every
    assert "Only Glintly Inc was looked at: this channel is theirs." in bound
    assert "were looked at" not in found


async def test_a_clients_channel_tells_nothing_to_who_is_not_assigned(
    bench: Bench, agency: Database
) -> None:
    """Neither a tool nor what is gathered beforehand."""
    tools = (
        calls("lookup_client"),
        calls("lookup_brand"),
        calls("list_tasks", client="Glintly Inc"),
        calls("get_client_context", client="Glintly Inc"),
        calls("search_tools", queries=["which list a brand's tasks go to"]),
        calls("resolve_brand", client="Glintly Inc", about_products=False),
        calls("search_kb", query="coupon", client="Glintly Inc"),
        calls("search_tools", queries=["targets of a brand"]),
        calls("kpi_target_lookup", client="Glintly Inc"),
    )
    await agency.pool.execute(
        "insert into brand_market_kpi_targets (brand_id, marketplace_code, period_granularity,"
        " period_start, acos_target_pct)"
        " values ($1, 'US', 'annual', date_trunc('year', now())::date, 27.31)",
        brand_id("Glintly Inc", "Glintly"),
    )
    mind = ScriptedModel(*tools, "There was nothing to tell.")
    async with minded(bench, agency, mind) as stage:
        asked = await bench.post_message(GLINTLY_CHANNEL, YUKI, f"<@{CLAW}> what is new?")
        await stage.reply_in(GLINTLY_CHANNEL, asked)

    told = mind.heard()
    assert "This channel belongs to a client you are not assigned to" in told
    for secret in ("Sara Okafor", "Glintly [", "901005000", "Casa Mundo", "27.31"):
        assert secret not in told


async def test_what_one_may_do_is_explained_with_what_would_change_it(
    bench: Bench, agency: Database
) -> None:
    await decide(agency, LIST, max_calls_per_hour=5)
    search = calls("search_tools", queries=["cc_policy_explain"])
    mind = ScriptedModel(search, calls("cc_policy_explain"), "You may look things up.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(MIGUEL, await stage.say(MIGUEL, "what may I do here?"))
        told = mind.heard()
        mind.answers(search, calls("cc_policy_explain", about="tasks"), "You may only read.")
        await stage.reply(PAUL, await stage.say(PAUL, "may I create tasks?"))
        viewer = mind.heard()

    assert '"rights":"member"' in told
    assert '"may_prepare":["preparing ' in told
    assert '"preparing a task"' in told
    assert "reading ClickUp tasks: 5 times an hour" in told
    assert '"reason":"admin_skill_denied"' in told
    assert "An admin can do it for you, or make you an admin." in told
    assert '"reason":"viewer_mutation_denied"' in viewer
    assert "An admin can change your role from viewer to member." in viewer
    assert "may_prepare" not in viewer
    assert "preparing an assignment" not in viewer.lower()


REPAIRING = turn(
    "repair the links",
    call("search_tools", queries=["apply_remediation"]),
    call("apply_remediation"),
    text("${apply_remediation.summary}"),
)


async def unlinked(db: Database, brand: UUID) -> bool:
    return await db.pool.fetchval("select clickup_list_id is null from brands where id = $1", brand)


async def another_gap(db: Database) -> UUID:
    """Let a brand of another client lack a list that its sibling has; returns that brand."""
    brand = brand_id("Roderick Ltd", "Rodric Home")
    sibling = await db.pool.fetchval(
        "select id from brands where client_id = $1 and id <> $2 and clickup_list_id is not null"
        " order by name limit 1",
        client_id("Pawtrail"),
        brand,
    )
    await db.pool.execute(
        "update brands set clickup_list_id = null where id <> $1 and client_id = $2",
        sibling,
        client_id("Pawtrail"),
    )
    return brand


async def test_what_is_closed_for_one_client_stops_an_effect_on_several(
    acting: Acting, agency: Database
) -> None:
    brand = await another_gap(agency)
    stage = await acting(REPAIRING)
    root = await stage.say(INES, "repair the links")
    card = await offer(stage, INES, root, "Repair links")
    [row] = await stage.proposals()
    touched = {one["client"]["name"] for one in row["arguments"]["repairs"]}
    assert {"Roderick Ltd", "Pawtrail"} <= touched

    closed = str(client_id("Roderick Ltd"))
    await decide(agency, REPAIR, "client", closed, enabled=False)
    await stage.press(INES, card, "Repair links")

    await stage.bench.until(lambda: stage.events("consent_confirm"))
    [event] = await stage.events("consent_confirm")
    assert event["reason"] == "skill_disabled"
    assert await states(stage) == ["open"]
    assert await unlinked(agency, brand)


async def test_an_effect_on_several_clients_uses_up_the_calls_of_each(
    acting: Acting, agency: Database
) -> None:
    await another_gap(agency)
    roderick = str(client_id("Roderick Ltd"))
    await decide(agency, REPAIR, "client", roderick, max_calls_per_hour=0)
    told = turn(
        "repair the links",
        call("search_tools", queries=["apply_remediation"]),
        call("apply_remediation"),
        text("${apply_remediation.message}"),
    )
    stage = await acting(told)

    root = await stage.say(INES, "repair the links")

    await stage.reply_with(INES, root, "no uses at all for now")
    await stage.settled()
    assert await stage.proposals() == []


async def test_a_yes_is_not_carried_out_in_another_persons_name(acting: Acting) -> None:
    stage = await acting(creating("make the task"))
    root = await stage.say(MIGUEL, "make the task")
    await offer(stage, MIGUEL, root)
    # Confirmed a moment ago; then the Slack account went over to another profile.
    await stage.db.pool.execute(
        "update profiles set slack_user_id = case when id = $1 then $2 end"
        " where id = $1 or slack_user_id = $2",
        person_id("Ines Varga"),
        MIGUEL,
    )
    async with stage.db.transaction() as conn:
        [row] = await conn.fetch(
            "update proposals set state = 'confirmed', confirmed_by = actor_profile_id,"
            " confirming_receipt_id = receipt_id returning id, team_id"
        )
        args = {"proposal_id": str(row["id"])}
        await defer(conn, "execute", args, queue=queue_of(row["team_id"]))

    await stage.reply_with(MIGUEL, root, "belongs to another person by now")
    assert await stage.tasks_named(TASK) == []
    assert [one["reason"] for one in await stage.proposals()] == ["wrong_actor"]


async def test_a_refusal_at_a_press_names_who_can_help_and_at_execution_too(
    acting: Acting, agency: Database
) -> None:
    stage = await acting(creating())
    root = await stage.say(MIGUEL, "make the task")
    card = await offer(stage, MIGUEL, root)
    await decide(agency, CREATE, min_role_tier="admin")

    await stage.press(MIGUEL, card, "Create task")

    assert await stage.refused_press() == "admin_skill_denied"
    [told] = await stage.whispers(MIGUEL)
    assert "That needs an admin of your agency. An admin can do it for you" in told
    assert "Admins: Ines Varga" in told


async def typed(stage: Stage, channel: str, words: str) -> str:
    """What Miguel is told after `/claw` and these words."""
    reply = await stage.bench.command(channel, MIGUEL, "/claw", words)
    return whole_text(reply["response"])


async def test_a_refusal_of_a_command_names_who_can_help(acting: Acting) -> None:
    stage = await acting()
    linking = await typed(stage, GLINTLY_CHANNEL, "link Pawtrail")
    consent = await typed(stage, dm(MIGUEL), "consent press everywhere")
    feedback = await typed(stage, dm(MIGUEL), "feedback")
    pausing = await typed(stage, dm(MIGUEL), "pause")

    assert all("Admins: Ines Varga" in one for one in (linking, consent, feedback))
    assert "Super admins: Ines Varga." in pausing


async def test_what_an_admin_switched_off_is_not_linked_by_a_typed_command_either(
    acting: Acting, agency: Database
) -> None:
    await decide(agency, "link_channel", "team", "T0LANTERN", enabled=False)
    stage = await acting()

    linked = await stage.bench.command(RANDOM, INES, "/claw", "link Pawtrail")
    unlinked = await stage.bench.command(GLINTLY_CHANNEL, INES, "/claw", "unlink")

    told = [whole_text(one["response"]) for one in (linked, unlinked)]
    assert all("An admin has switched that off" in one for one in told)
    assert [one["reason"] for one in await stage.events("command_refused")] == [
        "skill_disabled"
    ] * 2


async def test_nobody_is_named_in_a_refusal_where_another_company_reads_along(
    acting: Acting, agency: Database
) -> None:
    stage = await acting()
    await stage.bench.change_channel(GLINTLY_CHANNEL, "share")
    await stage.settled()

    told = await typed(stage, GLINTLY_CHANNEL, "consent press")

    assert "Only an admin can decide" in told
    assert "An admin can do it for you, or make you an admin." in told
    assert "Ines" not in told
