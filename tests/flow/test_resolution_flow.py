"""Which client is meant: names as people write them, questions as buttons, nothing leaked."""

from __future__ import annotations

from acting import (
    INES,
    MIGUEL,
    PAUL,
    TASK,
    YUKI,
    Acting,
    ScriptedModel,
    call,
    create,
    minded,
    offer,
    text,
    turn,
)
from stage import buttons, dm, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

WHICH = "Which client is this for?"


async def test_names_as_people_write_them(acting: Acting) -> None:
    hints = {
        "Glintly?": "Glintly Inc",
        "roderick ltd.": "Roderick Ltd",
        "Hearthlane": "Hearthlane",
        "Brightkettle Group!": "Brightkettle Group",
    }
    said = text("It is “${get_client_context.client}”.")
    turns = [
        turn(f"show {name}", call("get_client_context", client=hint), said)
        for hint, name in hints.items()
    ]
    stage = await acting(*turns)

    for name in hints.values():
        root = await stage.say(INES, f"show {name}")
        assert f"It is “{name}”." in whole_text(await stage.reply(INES, root))


async def test_a_name_nobody_has_is_said_and_not_widened(acting: Acting) -> None:
    asking = turn(
        "what is due for Zirconia",
        call("list_tasks", client="Zirconia"),
        text("${list_tasks.message}"),
    )
    stage = await acting(asking)

    root = await stage.say(INES, "what is due for Zirconia")

    await stage.reply_with(INES, root, "couldn't find a client called “Zirconia”")
    assert await stage.bench.log(target="clickup") == []


async def test_several_clients_are_buttons_and_one_press_goes_on(acting: Acting) -> None:
    stage = await acting(
        turn("make the task", create(client=""), text("${create_task.question}")),
        turn("Glintly Inc", create(), text("It is on the card.")),
    )
    root = await stage.say(MIGUEL, "make the task")
    question = await stage.reply_with(MIGUEL, root, WHICH)
    assert "Glintly Inc" in buttons(question)
    assert "Oldfern" not in buttons(question)

    await stage.press(MIGUEL, question, "Glintly Inc")

    await stage.reply_with(MIGUEL, root, "It is on the card.")
    card = await offer(stage, MIGUEL, root)
    assert TASK in whole_text(card)


async def test_without_any_client_an_admin_is_named_and_nothing_is_offered(
    acting: Acting,
) -> None:
    asking = turn("what is due", call("list_tasks", client=""), text("${list_tasks.message}"))
    stage = await acting(asking)

    root = await stage.say(PAUL, "what is due")

    answer = await stage.reply_with(PAUL, root, "An admin has to assign you")
    assert buttons(answer) == []


async def test_a_member_sees_only_the_own_clients(acting: Acting) -> None:
    mine = text(
        "${lookup_client.total}: ${lookup_client.clients.0.name}. ${lookup_client.scope_note}"
    )
    stage = await acting(
        turn("which clients", call("lookup_client"), mine),
        turn("which brands", call("lookup_brand"), text("${lookup_brand.total} brands")),
        turn(
            "brands of Pawtrail",
            call("lookup_brand", client="Pawtrail"),
            text("${lookup_brand.message}"),
        ),
    )

    clients = await stage.say(YUKI, "which clients")
    brands = await stage.say(YUKI, "which brands")
    others = await stage.say(YUKI, "brands of Pawtrail")

    await stage.reply_with(YUKI, clients, "1: Hearthlane. Only the clients this person is assigned")
    await stage.reply_with(YUKI, brands, "2 brands")
    answer = await stage.reply_with(YUKI, others, "couldn't find a client called “Pawtrail”")
    assert "Lite" not in whole_text(answer)


async def test_an_admin_sees_all_active_clients(acting: Acting) -> None:
    stage = await acting(
        turn("which clients", call("lookup_client"), text("There are ${lookup_client.total}."))
    )

    root = await stage.say(INES, "which clients")

    await stage.reply_with(INES, root, "There are 7.")


async def test_after_a_long_silence_a_dm_starts_afresh(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel("The magpie brief is due on Friday.", "Hello!", "Hello again!")

    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "when is the magpie brief due"))
        await stage.reply(INES, await stage.say(INES, "hello"))
        assert "magpie" in mind.heard()
        await agency.pool.execute("update agent_runs set started_at = now() - interval '2 hours'")
        await agency.pool.execute(
            "update playbook_sessions set last_message_at = now() - interval '2 hours'"
        )

        await stage.reply(INES, await stage.say(INES, "hello"))

        assert "magpie" not in mind.heard()
        assert await agency.pool.fetchval("select count(*) from playbook_sessions") == 2


async def test_a_choice_that_was_not_offered_is_ignored(acting: Acting) -> None:
    stage = await acting(
        turn("make the task", create(client=""), text("${create_task.question}")),
        turn("Oldfern", text("This must not be answered.")),
    )
    root = await stage.say(MIGUEL, "make the task")
    question = await stage.reply_with(MIGUEL, root, WHICH)
    [block] = [b for b in question["blocks"] if b["type"] == "actions"]
    forged = {**block["elements"][0], "value": "Oldfern", "block_id": block["block_id"]}

    await stage.bench.interact(dm(MIGUEL), question["ts"], MIGUEL, forged)

    await stage.settled()
    assert len(await stage.replies(MIGUEL, root)) == 1
    assert "Glintly Inc" in buttons(question)
