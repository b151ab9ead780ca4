"""Who may do what: people we know, people we don't, and places nobody vouched for."""

from __future__ import annotations

from acting import (
    ASKED,
    CLAW,
    INES,
    LEO,
    MIGUEL,
    NOOR,
    PAUL,
    RANDOM,
    SARA_L,
    TASK,
    TOMAS,
    Acting,
    ScriptedModel,
    call,
    calls,
    count,
    creating,
    minded,
    offer,
    receipts_done,
    text,
    turn,
)
from stage import whole_text

from agencyclaw.agents.situation import NO_CLIENTS
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "make the task"
A_CREATE = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)


async def test_a_profile_whose_time_zone_nobody_knows_is_served_all_the_same(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    await stage.db.pool.execute(
        "update profiles set timezone = 'Lisbon' where slack_user_id = $1", MIGUEL
    )

    card = await offer(stage, MIGUEL, await stage.say(MIGUEL, ASK))

    assert "(UTC)" in whole_text(card)


async def test_somebody_without_a_profile_is_told_who_can_help(acting: Acting) -> None:
    stage = await acting(creating(ASK))

    root = await stage.say(NOOR, ASK)

    answer = await stage.reply_with(NOOR, root, "ask an admin to link your Slack account")
    assert "no team profile" in whole_text(answer)
    await stage.settled()
    assert await count(stage, "agent_runs") == 0
    assert await stage.proposals() == []
    [event] = await stage.events("guard_reply")
    assert event["reason"] == "unlinked_actor"
    assert await receipts_done(stage)


async def test_an_inactive_and_a_doubly_linked_person_are_refused(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.db.pool.execute(
        "update profiles set slack_user_id = $1 where full_name = 'Hana Idris'", MIGUEL
    )

    inactive = await stage.say(LEO, ASK)
    doubled = await stage.say(MIGUEL, ASK)

    await stage.reply_with(LEO, inactive, "marked as inactive")
    await stage.reply_with(MIGUEL, doubled, "more than one team profile")
    await stage.settled()
    assert await count(stage, "agent_runs") == 0
    assert {e["reason"] for e in await stage.events("guard_reply")} == {
        "inactive_actor",
        "doubly_linked_actor",
    }


async def test_a_member_lists_and_prepares_tasks_in_a_dm(acting: Acting) -> None:
    listing = turn(
        "what is due",
        call("list_tasks", client="Glintly Inc"),
        text("${list_tasks.total} are due for ${list_tasks.client}."),
    )
    stage = await acting(listing, creating(ASK))

    listed = await stage.say(SARA_L, "what is due")
    made = await stage.say(SARA_L, ASK)

    await stage.reply_with(SARA_L, listed, "are due for Glintly Inc")
    card = await offer(stage, SARA_L, made)
    await stage.press(SARA_L, card, "Create task")
    await stage.reply_with(SARA_L, made, "Created “")


async def test_a_viewer_looks_up_but_prepares_nothing(bench: Bench, agency: Database) -> None:
    """Changing tools are hidden; the model is told why, so that it can say it."""
    mind = ScriptedModel(A_CREATE, "You have read access, so I can't prepare that.")

    async with minded(bench, agency, mind) as stage:
        made = await stage.say(PAUL, ASK)

        await stage.reply_with(PAUL, made, "You have read access")
        await stage.settled()
        assert await stage.proposals() == []
    assert "No change can be prepared for them here" in mind.heard(0)
    assert "from viewer to member. Admins: Ines Varga, Tomas Reed." in mind.heard(0)
    assert "create_task" not in mind.offered[0]
    assert "lookup_client" in mind.offered[0]


async def test_that_nothing_can_be_looked_up_for_somebody_is_told_where_they_begin(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.", "Hello.", "Hello.", "Not yet.")

    async with minded(bench, agency, mind) as stage:
        for person in (SARA_L, INES, PAUL):
            root = await stage.say(person, "what can you do for me?")
            await stage.reply_with(person, root, "Hello.")
        await stage.say(PAUL, "and now?", thread=root)
        await stage.reply_with(PAUL, root, "Not yet.")
    told = [NO_CLIENTS in mind.heard(at) for at in range(4)]
    assert told == [False, False, True, True]


async def test_an_unknown_skill_is_not_run_and_the_answer_is_a_sentence(
    acting: Acting,
) -> None:
    deleting = turn(
        "delete all tasks",
        call("clickup_task_delete", task="all"),
        text("I can't delete tasks; somebody has to do that in ClickUp."),
    )
    stage = await acting(deleting)

    root = await stage.say(INES, "delete all tasks")

    answer = await stage.reply_with(INES, root, "I can't delete tasks")
    assert "clickup_task_delete" not in whole_text(answer)
    assert await stage.bench.log(target="clickup") == []


async def test_every_run_carries_the_tier_of_who_asked(acting: Acting) -> None:
    stage = await acting(
        turn("hello there", text("Hello!")),
        super_admin_profile_ids=frozenset({person_id("Sara Lindqvist")}),
    )
    people = {SARA_L: "super_admin", TOMAS: "admin", MIGUEL: "member", PAUL: "viewer"}

    for person in people:
        await stage.reply(person, await stage.say(person, "hello there"))

    rows = await stage.db.pool.fetch(
        "select r.input_payload, p.slack_user_id from agent_runs r"
        " join profiles p on p.id = r.actor_profile_id"
    )
    assert {row["slack_user_id"]: row["input_payload"]["tier"] for row in rows} == people


async def test_a_refused_consent_leaves_its_reason(acting: Acting) -> None:
    """What a person may do is judged anew when they press."""
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.db.pool.execute(
        "update profiles set role = 'viewer' where slack_user_id = $1", SARA_L
    )

    await stage.press(SARA_L, card, "Create task")

    assert await stage.refused_press() == "viewer_mutation_denied"


async def test_an_unbound_channel_answers_but_prepares_no_changes(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        A_CREATE, "Nobody has said which client this channel belongs to.", "Hello!"
    )

    async with minded(bench, agency, mind) as stage:
        made = await stage.bench.post_message(RANDOM, INES, f"<@{CLAW}> {ASK}")
        await stage.reply_in(RANDOM, made)
        greeted = await stage.bench.post_message(RANDOM, INES, f"<@{CLAW}> hello")

        assert "Hello!" in whole_text(await stage.reply_in(RANDOM, greeted))
        await stage.settled()
        assert await stage.proposals() == []
    assert "/claw link internal" in mind.heard(0)
    assert "create_task" not in mind.offered[0]


async def test_a_message_that_begins_in_a_channel_is_noted_as_such(
    acting: Acting, bench: Bench
) -> None:
    barred = call("create_task", client="Glintly Inc", title="x", objective="y")
    stage = await acting(
        turn("make it", barred, text("I could not.")),
        turn("make it now", barred, text("I could not.")),
    )

    root = await bench.post_message(RANDOM, INES, f"<@{CLAW}> make it")
    await stage.reply_in(RANDOM, root)
    await stage.settled()
    await bench.post_message(RANDOM, INES, f"<@{CLAW}> make it now", root)
    await stage.reply_in(RANDOM, root, index=1)
    await stage.settled()

    refused = await stage.events("tool_refused")
    assert [event["payload"]["surface"] for event in refused] == ["channel", "thread"]
