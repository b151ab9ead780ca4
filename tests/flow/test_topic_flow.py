"""What a conversation is about: the client that later messages mean when they name none."""

from __future__ import annotations

import pytest
from acting import ASKED, INES, Acting, ScriptedModel, call, calls, minded, text, turn
from pydantic_ai.messages import ModelResponse
from stage import Stage, buttons, whole_text

from agencyclaw.store.demo_agency import client_id
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

GLINTLY = turn("who is on Glintly Inc", call("get_client_context", client="Glintly"), text("Sara."))
BANNER = "refresh the banner for the spring launch with three photos"
NAMELESS = turn("and what is open", call("list_tasks", client="", window="any_time"), text("Some."))
LAST = "The client that they last wrote about is Glintly Inc; it is not settled for this thread"
TAKEN = "Taken to be about Glintly Inc, as before."


async def active(stage: Stage) -> object:
    return await stage.db.pool.fetchval(
        "select active_client_id from playbook_sessions where slack_user_id = $1"
        " order by last_message_at desc limit 1",
        INES,
    )


async def ask(stage: Stage, words: str) -> str:
    answer = whole_text(await stage.reply(INES, await stage.say(INES, words)))
    await stage.settled()
    return answer


async def test_a_message_that_names_no_client_means_the_one_before_and_says_so(
    acting: Acting,
) -> None:
    stage = await acting(GLINTLY, NAMELESS)
    assert TAKEN not in await ask(stage, "who is on Glintly Inc")
    assert await active(stage) == client_id("Glintly Inc")
    assert TAKEN in await ask(stage, "and what is open")
    assert len(await stage.bench.log(target="clickup", operation="list_tasks")) > 0


async def test_another_client_takes_its_place_and_a_look_at_all_frees_it(acting: Acting) -> None:
    stage = await acting(
        GLINTLY,
        turn("who is on Pawtrail", call("get_client_context", client="Pawtrail"), text("Miguel.")),
        turn("which clients are there", call("lookup_client"), text("Seven.")),
        turn("thanks a lot for that", text("Gladly.")),
        NAMELESS,
    )
    await ask(stage, "who is on Glintly Inc")
    await ask(stage, "thanks a lot for that")
    assert await active(stage) == client_id("Glintly Inc")
    await ask(stage, "who is on Pawtrail")
    assert await active(stage) == client_id("Pawtrail")
    await ask(stage, "which clients are there")
    assert await active(stage) is None
    assert "Taken to be about" not in await ask(stage, "and what is open")


async def test_two_clients_in_one_message_are_no_topic(acting: Acting) -> None:
    both = turn(
        "compare Glintly Inc and Pawtrail",
        call("get_client_context", client="Glintly"),
        call("get_client_context", client="Pawtrail"),
        text("Both are well."),
    )
    stage = await acting(GLINTLY, both)
    await ask(stage, "who is on Glintly Inc")
    await ask(stage, "compare Glintly Inc and Pawtrail")
    assert await active(stage) is None


async def test_a_new_session_is_about_nothing_yet(acting: Acting) -> None:
    stage = await acting(GLINTLY)
    await ask(stage, "who is on Glintly Inc")
    await ask(stage, "new session")
    assert await active(stage) is None


async def test_the_model_is_told_what_the_last_messages_were_about(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(calls("get_client_context", client="Glintly"), "Sara is.", "Nothing is.")
    async with minded(bench, agency, mind) as stage:
        await ask(stage, "who is on Glintly Inc")
        await ask(stage, "and what is open")
    assert "about the client Glintly Inc" not in mind.heard(0)
    assert LAST in mind.heard(-1)


async def test_what_was_said_in_this_thread_too_is_not_told_to_be_of_another_one(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("get_client_context", client="Glintly"),
        "Sara is.",
        calls("list_tasks", client="", window="any_time"),
        "Some are.",
        "Good to know.",
    )
    async with minded(bench, agency, mind) as stage:
        await ask(stage, "who is on Glintly Inc")
        root = await stage.say(INES, "and what is open")
        assert TAKEN in whole_text(await stage.reply(INES, root))
        await stage.say(INES, "thursday is fine", thread=root)
        await stage.reply_with(INES, root, "Good to know.")
    assert LAST in mind.heard()
    assert "another thread, were" not in mind.heard()


async def test_what_a_thread_is_about_is_its_own_and_no_other_threads(
    bench: Bench, agency: Database
) -> None:
    wish = {"client": "", "title": "Ask for reviews", "objective": ASKED}
    mind = ScriptedModel(
        calls("get_client_context", client="Glintly Inc"),
        "Sara is.",
        calls("get_client_context", client="Pawtrail"),
        "Miguel is.",
        calls("create_task", **wish),
        "It is on the card.",
        calls("create_task", **wish),
        "Which client?",
    )
    async with minded(bench, agency, mind) as stage:
        own = await stage.say(INES, "who is on Glintly Inc")
        await stage.reply_with(INES, own, "Sara is.")
        other = await stage.say(INES, "who is on Pawtrail")
        await stage.reply_with(INES, other, "Miguel is.")
        await stage.say(INES, "make a task to ask for reviews", thread=own)
        await stage.reply_with(INES, own, "It is on the card.")
        assert (
            "Where they name no client, Glintly Inc is meant: this thread is about it."
            in mind.heard()
        )
        fresh = await stage.say(INES, "make a task to ask for reviews")
        await stage.reply_with(INES, fresh, "Which client?")
        await stage.settled()

        [row] = await stage.proposals()
    assert row["arguments"]["client"]["name"] == "Glintly Inc"
    assert "Which client is this for? Glintly Inc, " in mind.heard()


async def test_an_answered_question_which_client_stays_answered_in_its_thread(
    bench: Bench, agency: Database
) -> None:
    wish = {"title": "Refresh the banner", "objective": BANNER}
    mind = ScriptedModel(
        calls("create_task", **wish, client="Glintly"),
        "Which client?",
        calls("create_task", **{**wish, "objective": ""}, client="Casa Mundo"),
        "What is to be done?",
        calls("create_task", **wish, client="Glintly"),
        "It is on the card.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "banner task for Glintly")
        await stage.reply_with(INES, root, "Which client?")
        await stage.say(INES, "the Mexican one", thread=root)
        await stage.reply_with(INES, root, "What is to be done?")
        await stage.say(INES, BANNER, thread=root)
        await stage.reply_with(INES, root, "It is on the card.")
        await stage.settled()

        [row] = await stage.proposals()
    assert row["arguments"]["client"]["name"] == "Casa Mundo"


@pytest.mark.parametrize(
    "first",
    [
        calls("reply", text="That is of Glintly Inc.", question="Glintly Inc or Casa Mundo?"),
        calls("reply", text="That is of Glintly Inc. Casa Mundo has one, too."),
    ],
)
async def test_a_client_chosen_in_other_words_while_reading_is_meant_by_the_next_change(
    bench: Bench, agency: Database, first: ModelResponse
) -> None:
    mind = ScriptedModel(
        calls("list_tasks", client="Glintly"),
        first,
        calls("list_tasks", client="Casa Mundo"),
        "That is of the other one.",
        calls("create_task", title="Refresh the banner", objective=BANNER, client="Casa Mundo"),
        "It is on the card.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "what is due for Glintly?")
        await stage.reply_with(INES, root, "That is of Glintly Inc.")
        await stage.say(INES, "the Mexican one", thread=root)
        await stage.reply_with(INES, root, "That is of the other one.")
        await stage.say(INES, BANNER, thread=root)
        await stage.reply_with(INES, root, "It is on the card.")
        await stage.settled()

        [row] = await stage.proposals()
    assert row["arguments"]["client"]["name"] == "Casa Mundo"


async def test_of_two_names_that_fit_several_those_that_the_answer_asks_about_are_buttons(
    bench: Bench, agency: Database
) -> None:
    await agency.pool.execute(
        "insert into brands (client_id, name) select id, 'Pawtrail' from agency_clients"
        " where name = 'Brightkettle Group'"
    )
    question = "Glintly Inc or Casa Mundo?"
    mind = ScriptedModel(
        calls("list_tasks", client="Pawtrail"),
        calls("list_tasks", client="Glintly"),
        calls("reply", text="Those of the other are late.", question=question),
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "what is due for Pawtrail and for Glintly?")
        answer = await stage.reply_with(INES, root, question)
        await stage.settled()

    assert [one for one in buttons(answer) if one.strip()] == ["Glintly Inc", "Casa Mundo"]


def _reads(*names: str) -> tuple[ModelResponse, ...]:
    return tuple(calls("list_tasks", client=name) for name in names)


PPC = "Glintly Inc has Miguel, Casa Mundo has Sara."


@pytest.mark.parametrize(
    ("read", "said", "offered"),
    [
        (_reads("Glintly"), calls("reply", text="Of Glintly Inc; Casa Mundo has one, too."), True),
        (_reads("Glintly"), calls("reply", text="Three are late."), False),
        (_reads("Glintly Inc", "Casa Mundo"), calls("reply", text=PPC), False),
        (_reads("Glintly"), calls("reply", text=PPC, question="Which Sara is it?"), False),
    ],
)
async def test_an_answer_about_one_of_those_whom_a_name_fits_offers_the_others(
    bench: Bench,
    agency: Database,
    read: tuple[ModelResponse, ...],
    said: ModelResponse,
    offered: bool,
) -> None:
    mind = ScriptedModel(*read, said)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "what is the status of Glintly?")
        answer = await stage.reply(INES, root)
        await stage.settled()

    shown = [one for one in buttons(answer) if one.strip()]
    assert shown == (["Glintly Inc", "Casa Mundo"] if offered else [])


@pytest.mark.parametrize(
    ("say", "read"),
    [
        ("compare Glintly and Casa Mundo", ("Glintly", "Casa Mundo")),
        ("compare Glintly Inc and Casa Mundo", ("Glintly", "Casa Mundo")),
        ("how is Glintly Inc, unlike Casa Mundo?", ("Glintly",)),
    ],
)
async def test_an_answer_that_compares_whom_a_person_named_offers_nobody(
    bench: Bench, agency: Database, say: str, read: tuple[str, ...]
) -> None:
    mind = ScriptedModel(*_reads(*read), calls("reply", text=PPC))
    async with minded(bench, agency, mind) as stage:
        answer = await stage.reply(INES, await stage.say(INES, say))
        await stage.settled()

    assert [one for one in buttons(answer) if one.strip()] == []
