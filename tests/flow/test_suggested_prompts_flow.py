"""Opening the conversation: sentences to begin with, of one's own work."""

# ruff: noqa: E501 - what is shown stands here as it is shown

from __future__ import annotations

from typing import Any

from acting import (
    ASKED,
    CLAW,
    INES,
    LEO,
    MIGUEL,
    NOOR,
    OPS,
    PAUL,
    RANDOM,
    SARA_L,
    TASK,
    YUKI,
    ScriptedModel,
    calls,
    minded,
    offer,
    whispered,
)
from inline_snapshot import snapshot
from pydantic_ai.exceptions import ModelHTTPError
from stage import Stage, dm, whole_text

from agencyclaw.domain.messages import message
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

# A script would answer no sentence but its own, so with one nothing is offered.
A_MODEL = {"agencyclaw_model": "test"}


async def offered(stage: Stage, user: str, words: str) -> list[dict[str, Any]]:
    """Wait until a person is offered a sentence with these words; returns all they are offered."""

    async def there() -> list[dict[str, Any]] | None:
        found = [one for one in await stage.bench.prompts() if one["channel_id"] == dm(user)]
        return found if found and words in str(found) else None

    [one] = await stage.bench.until(there)
    return one["prompts"]


async def test_who_opens_the_conversation_is_offered_sentences_of_their_own_work(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        await bench.open_home(SARA_L, "messages")
        assert await offered(stage, SARA_L, "due") == snapshot(
            [
                {"title": "What can you do for me?", "message": "help"},
                {
                    "title": "Due for Brightkettle Group",
                    "message": "What is due this week for Brightkettle Group?",
                },
                {
                    "title": "Due for Glintly Inc",
                    "message": "What is due this week for Glintly Inc?",
                },
                {"title": "Find a procedure", "message": "How do we set up a coupon?"},
            ]
        )


async def test_what_waits_for_a_person_is_offered_first(bench: Bench, agency: Database) -> None:
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    async with minded(
        bench, agency, ScriptedModel(create, "It is on the card."), **A_MODEL
    ) as stage:
        await offer(stage, INES, await stage.say(INES, f"make the task: {ASKED}"))
        await bench.open_home(INES, "messages")
        first, *_ = await offered(stage, INES, "waits")
        assert first["message"] == "What is waiting for my yes?"


async def test_whom_we_would_not_answer_is_offered_nothing(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        await bench.open_home(LEO, "messages")
        await bench.open_home(SARA_L, "messages")
        await offered(stage, SARA_L, "due")
        await stage.settled()
        assert [one["channel_id"] for one in await bench.prompts()] == [dm(SARA_L)]


async def test_an_admin_adds_somebody_unknown_who_wrote_with_two_presses(
    bench: Bench, agency: Database
) -> None:
    noor = {"email": "noor.haddad@lanternfish.example", "name": "Noor Haddad", "slack": NOOR}
    find = calls("search_tools", queries=["add somebody to the team"])
    add_noor = calls("cc_team_member_create", **noor)
    mind = ScriptedModel(find, add_noor, "It is on the card.", "Hello.")
    async with minded(bench, agency, mind, **A_MODEL) as stage:
        await stage.reply_with(NOOR, await stage.say(NOOR, "hello"), "I offer to add you")
        await bench.open_home(SARA_L, "messages")
        assert "Noor" not in str(await offered(stage, SARA_L, "due"))
        await bench.open_home(INES, "messages")
        prompts = await offered(stage, INES, "Noor Haddad")
        [add] = [one for one in prompts if one["title"] == "Add Noor Haddad"]

        root = await stage.say(INES, add["message"])
        await stage.press(INES, await offer(stage, INES, root, "Add person"), "Add person")
        await stage.reply_with(INES, root, "Before: none")
        await stage.reply_with(NOOR, await stage.say(NOOR, "hello again"), "Hello.")


async def test_guests_who_wrote_later_do_not_hide_somebody_to_add(
    bench: Bench, agency: Database
) -> None:
    guests = [PAUL, YUKI]
    await agency.pool.execute(
        "update profiles set slack_user_id = null where slack_user_id = any($1)", guests
    )
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        for guest in guests:
            await bench.change_membership(guest, "guest")
        for user in (NOOR, *guests):
            await stage.reply_with(user, await stage.say(user, "hello"), "I offer to add you")
        await bench.open_home(INES, "messages")
        assert "Add Noor Haddad" in str(await offered(stage, INES, "Add"))


async def test_an_admin_is_offered_the_rest_if_slack_does_not_say_who_somebody_is(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        await stage.reply_with(NOOR, await stage.say(NOOR, "hello"), "I offer to add you")
        await stage.reply_with(INES, await stage.say(INES, "hello"), "Hello.")
        await stage.settled()
        await bench.set_fault("slack", "error_before", method="users.info", times=1_000)
        await bench.open_home(INES, "messages")
        assert "Noor" not in str(await offered(stage, INES, "Find a procedure"))


async def test_an_account_that_an_admin_keeps_separate_is_not_offered(
    bench: Bench, agency: Database
) -> None:
    await agency.pool.execute(
        "insert into separate_accounts (account, name) values ($1, 'Noor Haddad')", NOOR
    )
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        await stage.reply_with(NOOR, await stage.say(NOOR, "hello"), "I offer to add you")
        await bench.open_home(INES, "messages")
        assert "Noor" not in str(await offered(stage, INES, "due"))


async def test_who_never_wrote_before_is_offered_the_help_first(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        await bench.open_home(MIGUEL, "messages")
        first, *_ = await offered(stage, MIGUEL, "What can you do")
        assert first == {"title": "What can you do for me?", "message": "help"}

        root = await stage.say(MIGUEL, first["message"])
        await stage.reply_with(MIGUEL, root, "To say no, press Cancel or answer no")


async def welcomed(stage: Stage, user: str) -> list[str]:
    """Wait until somebody is welcomed; returns what they were told."""

    async def there() -> list[str]:
        return [one["text"] for one in await stage.bench.messages(dm(user))]

    return await stage.bench.until(there)


async def test_who_is_new_is_told_once_what_they_may_do_for_whom_and_how_to_say_no(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        await bench.open_home(SARA_L, "messages")
        [told] = await welcomed(stage, SARA_L)
        assert told.splitlines() == snapshot(
            [
                "Hello Sara Lindqvist. I look things up and prepare work; you decide.",
                "I show you the work for your clients: Brightkettle Group, Glintly Inc, Northwater, Pawtrail, Roderick Ltd.",
                "You may ask me questions, and have me prepare tasks, notes and reminders. The agency's records are changed by admins.",
                "Nothing is done until you press the button of a card; a yes right below it does as well where the card says so. To say no, press Cancel or answer no; a card that you leave alone ends by itself. `help` says this again, and `/claw where` says exactly what I may do for you.",
                "You could begin with one of these:",
                "• What is due this week for Brightkettle Group?",
                "• What is due this week for Glintly Inc?",
                "• How do we set up a coupon?",
            ]
        )

        await bench.open_home(SARA_L, "messages")
        await bench.open_home(INES, "messages")
        [admins] = await welcomed(stage, INES)
        assert "every client" in admins
        await stage.reply(SARA_L, await stage.say(SARA_L, "hello"))
        assert [told] == [one for one in await welcomed(stage, SARA_L) if "you decide" in one]


async def test_whom_we_would_not_answer_is_not_welcomed_and_who_has_no_client_is_told_who_can_help(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        await agency.pool.execute("delete from client_assignments")
        await bench.open_home(NOOR, "messages")
        await bench.open_home(MIGUEL, "messages")
        [told] = await welcomed(stage, MIGUEL)
        assert "You are assigned to no client yet" in told
        assert "Ines Varga" in told
        assert await stage.bench.messages(dm(NOOR)) == []


NOTE = "Hello Sara Lindqvist. I look things up and prepare work; you decide."


async def test_who_writes_first_is_welcomed_once_below_their_first_answer(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        root = await stage.say(SARA_L, "hello")
        note = await stage.reply_with(SARA_L, root, NOTE)
        assert [one["text"].splitlines()[0] for one in await stage.replies(SARA_L, root)] == [
            "Hello.",
            NOTE,
        ]
        assert "Glintly Inc" in note["text"]
        assert "To say no, press Cancel or answer no" in note["text"]
        assert "You could begin" not in note["text"]

        await bench.open_home(SARA_L, "messages")
        await stage.reply(SARA_L, await stage.say(SARA_L, "hello again"))
        await stage.settled()
        told = [one for one in await bench.messages(dm(SARA_L)) if "you decide" in one["text"]]
        assert len(told) == 1


async def test_who_mentions_it_first_in_a_channel_is_welcomed_there_unseen_by_others(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        root = await bench.post_message(OPS, SARA_L, f"<@{CLAW}> hello")
        assert (await stage.reply_in(OPS, root))["text"] == "Hello."
        await whispered(stage, SARA_L, NOTE)
        await stage.settled()
        assert "you decide" not in str(await bench.messages(OPS))

        await stage.reply(SARA_L, await stage.say(SARA_L, "hello"))
        await bench.open_home(SARA_L, "messages")
        await stage.settled()
        assert "you decide" not in str(await bench.messages(dm(SARA_L)))
        assert len(await bench.ephemerals(SARA_L)) == 1


async def test_a_welcome_below_a_card_that_takes_a_press_alone_promises_no_yes(
    bench: Bench, agency: Database
) -> None:
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    mind = ScriptedModel(create, "It is on the card.")
    async with minded(bench, agency, mind, **A_MODEL) as stage:
        root = await bench.post_message(OPS, SARA_L, f"<@{CLAW}> make the task: {ASKED}")
        card = await stage.reply_in(OPS, root, index=1)
        told = await whispered(stage, SARA_L, NOTE)

    assert "Only Sara Lindqvist can confirm" in whole_text(card)
    assert "by answering" not in whole_text(card)
    assert "a yes right below it does as well where the card says so" in told


def test_wherever_a_newcomer_reads_of_a_yes_it_is_said_that_the_card_tells() -> None:
    for key in ("welcome.no", "talk.help", "commands.introduction"):
        said = message(key)
        assert "where the card says so" in said
        assert " yes" in said.partition("where the card says so")[0]


async def test_who_was_welcomed_on_opening_the_conversation_is_not_welcomed_again(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        await bench.open_home(SARA_L, "messages")
        await welcomed(stage, SARA_L)
        await stage.reply(SARA_L, await stage.say(SARA_L, "hello"))
        await stage.settled()
        told = [one for one in await bench.messages(dm(SARA_L)) if "you decide" in one["text"]]
        assert len(told) == 1
        root = await bench.post_message(OPS, SARA_L, f"<@{CLAW}> hello")
        await stage.reply_in(OPS, root)
        await stage.settled()
        assert await bench.ephemerals(SARA_L) == []


async def test_strangers_and_who_got_an_apology_are_not_welcomed_yet(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(ModelHTTPError(401, "mind"))
    async with minded(bench, agency, mind, **A_MODEL) as stage:
        await stage.reply(NOOR, await stage.say(NOOR, "hello"))
        await stage.reply(SARA_L, await stage.say(SARA_L, "hello"))
        await stage.settled()
        assert "you decide" not in str(await bench.messages(dm(NOOR)))
        assert "you decide" not in str(await bench.messages(dm(SARA_L)))

        mind.answers("Hello.")
        root = await stage.say(SARA_L, "hello again")
        await stage.reply_with(SARA_L, root, NOTE)


async def test_a_yes_below_the_card_counts_although_the_answer_had_a_welcome(
    bench: Bench, agency: Database
) -> None:
    create = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
    mind = ScriptedModel(create, "It is on the card.")
    async with minded(bench, agency, mind, **A_MODEL) as stage:
        root = await stage.say(SARA_L, f"make the task: {ASKED}")
        await offer(stage, SARA_L, root)
        await stage.reply_with(SARA_L, root, NOTE)
        await stage.settled()
        await stage.say(SARA_L, "yes", thread=root)
        await stage.created(TASK)


async def test_an_answer_that_moves_to_the_direct_messages_has_its_welcome_there(
    bench: Bench, agency: Database
) -> None:
    listing = calls("list_tasks", client="Glintly Inc")
    mind = ScriptedModel(listing, listing, "Four are due.")
    async with minded(bench, agency, mind, **A_MODEL) as stage:
        await bench.post_message(RANDOM, SARA_L, f"<@{CLAW}> what is due for Glintly Inc?")

        async def there() -> bool:
            return "you decide" in str(await bench.messages(dm(SARA_L)))

        await bench.until(there)
        await stage.settled()
        assert await bench.ephemerals(SARA_L) == []
        texts = [one["text"] for one in await bench.messages(dm(SARA_L))]
        assert texts.index("Four are due.") < next(
            at for at, text in enumerate(texts) if text.startswith(NOTE)
        )


async def test_who_was_answered_before_is_no_newcomer(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        root = await stage.say(SARA_L, "hello")
        await stage.reply_with(SARA_L, root, NOTE)
        await stage.settled()
    # As if they had been answered before there were welcomes.
    await agency.pool.execute("delete from outbox where key like 'welcome:%'")
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        root = await stage.say(SARA_L, "hello")
        await stage.reply(SARA_L, root)
        await stage.settled()
        assert len(await stage.replies(SARA_L, root)) == 1


async def test_after_a_restart_nobody_is_welcomed_again(bench: Bench, agency: Database) -> None:
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        root = await stage.say(SARA_L, "hello")
        await stage.reply_with(SARA_L, root, NOTE)
        await stage.settled()
    async with minded(bench, agency, ScriptedModel("Hello."), **A_MODEL) as stage:
        await stage.reply(SARA_L, await stage.say(SARA_L, "hello"))
        await stage.settled()
        told = [one for one in await bench.messages(dm(SARA_L)) if "you decide" in one["text"]]
        assert len(told) == 1
