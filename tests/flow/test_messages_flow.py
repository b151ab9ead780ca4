"""It reads and searches what people wrote in Slack, as far as the person may see it there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from acting import (
    BRIGHT,
    CLAW,
    INES,
    MIGUEL,
    OPS,
    RANDOM,
    SARA_L,
    TASK,
    TOMAS,
    YUKI,
    ScriptedModel,
    calls,
    minded,
    offer_in,
)
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart
from stage import Stage, dm, whole_text

from agencyclaw.conversation.place_messages import CONVERSATIONS
from agencyclaw.store.engine import Database
from agencyclaw.tools.messages import SlackMessages
from workbench.fixture import Bench
from workbench.slack.conversations import group_of, new_channel
from workbench.slack.records import BOT_USER
from workbench.slack.workspace import WORKSPACE

GLINTLY = "C01GLINTLY"
AGREED = (
    (SARA_L, "the storefront banner for Glintly needs three new photos"),
    (MIGUEL, "the banner budget is 4,321 dollars, from the spring campaign"),
    (YUKI, "I do the banner by the 4th of December"),
)
FIND = calls("search_tools", queries=["search messages in Slack", "read this channel"])
SEARCH = calls("search_messages", words="banner budget")
READ = calls("read_conversation", since="this_week")
HISTORY, REPLIES = "conversations.history", "conversations.replies"


def private(bench: Bench, channel_id: str, *people: str) -> None:
    """Make a private channel of these people."""
    records = bench.app[WORKSPACE].records
    made = new_channel(channel_id, f"private-{channel_id.lower()}", [*people], 1)
    records.save_channel(made | {"is_private": True})


async def say(bench: Bench, channel: str, *said: tuple[str, str], root: str | None = None) -> str:
    """Let people talk in a channel; returns the stamp of the last."""
    ts = ""
    for user, text in said:
        ts = await bench.post_message(channel, user, text, root)
    return ts


def results(told: Sequence[ModelMessage]) -> list[Any]:
    """What tools gave back in a request."""
    return [
        part.content
        for one in told
        if isinstance(one, ModelRequest)
        for part in one.parts
        if isinstance(part, ToolReturnPart)
    ]


def texts(mind: ScriptedModel) -> list[str]:
    """What the newest result of a search or a reading quotes."""
    [*_, talk] = results(mind.told[-1])
    assert isinstance(talk, SlackMessages), talk
    return [one.text for one in talk.messages]


async def asked(stage: Stage, channel: str, user: str = INES) -> dict[str, Any]:
    """Ask in a channel or in direct messages; returns the answer."""
    if channel.startswith("D"):
        root = await stage.say(user, "what was agreed?")
        return await stage.reply(user, root)
    root = await stage.bench.post_message(channel, user, f"<@{CLAW}> what was agreed?")
    return await stage.reply_in(channel, root)


async def link(bench: Bench, channel: str, client: str) -> None:
    await bench.command(channel, INES, "/claw", f"link {client}")


@asynccontextmanager
async def reading(bench: Bench, agency: Database) -> AsyncIterator[tuple[Stage, ScriptedModel]]:
    """A stage on which the agency's own channel is read."""
    mind = ScriptedModel(FIND, READ, "They agreed on Yuki.")
    async with minded(bench, agency, mind) as stage:
        await link(bench, OPS, "internal")
        yield stage, mind


async def only_ines_finds_it(stage: Stage, mind: ScriptedModel) -> None:
    """Whoever is in a conversation finds what was said there, and nobody else does."""
    await asked(stage, dm(INES))
    assert texts(mind) == [AGREED[1][1]]
    mind.answers(FIND, SEARCH, "Nothing.")
    await asked(stage, dm(TOMAS), TOMAS)
    assert texts(mind) == []


async def test_an_answer_that_rests_on_no_message_that_was_found_names_none(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, SEARCH, "I found nothing of that.")
    async with minded(bench, agency, mind) as stage:
        await link(bench, OPS, "internal")
        await say(bench, OPS, *AGREED)
        answer = await asked(stage, dm(INES))

    assert len(mind.told) == 3
    assert "Rests on" not in whole_text(answer)


async def test_a_channel_is_read_with_its_threads_by_name_and_with_links(
    bench: Bench, agency: Database
) -> None:
    async with reading(bench, agency) as (stage, mind):
        root = await say(bench, OPS, AGREED[0])
        await say(bench, OPS, *AGREED[1:], root=root)

        await asked(stage, OPS)

    [*_, talk] = results(mind.told[-1])
    assert [(one.who, one.text) for one in talk.messages[:3]] == [
        ("Sara Lindqvist", AGREED[0][1]),
        ("Miguel Duarte", AGREED[1][1]),
        ("Yuki Tan", AGREED[2][1]),
    ]
    assert talk.messages[0].url.endswith(f"/archives/{OPS}/p{root.replace('.', '')}")
    assert f"?thread_ts={root}&cid={OPS}" in talk.messages[1].url
    assert talk.period.startswith("since Mon ")


@pytest.mark.parametrize("lacks", [[], ["search:read.public"]])
async def test_messages_are_searched_by_slack_or_by_us_and_the_answer_links_what_it_rests_on(
    bench: Bench, agency: Database, lacks: list[str]
) -> None:
    says = ("The budget is 4,321 dollars.",)
    mind = ScriptedModel(FIND, SEARCH, *says)
    async with minded(bench, agency, mind) as stage:
        await bench.change_install(lacks=lacks)
        await say(bench, OPS, *AGREED)

        told = await asked(stage, dm(INES))
        slack_searched = await bench.log(target="slack", method="assistant.search.context")

    assert AGREED[1][1] == texts(mind)[0]
    # What Slack has found may not be all there is.
    [*_, talk] = results(mind.told[-1])
    assert ("There may be more than was read." in talk.note) is not bool(lacks)
    assert len(slack_searched) == 1
    assert slack_searched[0]["ok"] is not bool(lacks)
    unsearched = "not looked at: public channels that I'm not in"
    assert (unsearched in whole_text(told)) is bool(lacks)


async def test_where_the_event_brought_no_token_the_conversations_of_both_are_read(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.slack.posts.with_action_token", lambda _, event: event)
    mind = ScriptedModel(FIND, SEARCH, "4,321 dollars.")
    async with minded(bench, agency, mind) as stage:
        root = await say(bench, OPS, (SARA_L, "who pays for the banner?"))
        await say(bench, OPS, (MIGUEL, "4,321 dollars, agreed"), root=root)

        told = await asked(stage, dm(INES))
        assert await bench.log(target="slack", method="assistant.search.context") == []

    assert texts(mind) == ["who pays for the banner?", "4,321 dollars, agreed"]
    [*_, talk] = results(mind.told[-1])
    assert "No other conversation was looked at" not in talk.note
    assert "Looked at: #client-brightkettle, #client-glintly, #ops, #random" in whole_text(told)


async def test_a_private_conversation_is_searched_for_its_members_only_and_shown_in_private(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        FIND, SEARCH, "4,321 dollars.", FIND, SEARCH, "Nothing.", FIND, SEARCH, "No."
    )
    async with minded(bench, agency, mind) as stage:
        await link(bench, OPS, "internal")
        private(bench, "C0SECRET", INES, MIGUEL, BOT_USER)
        await say(bench, "C0SECRET", AGREED[1])

        await only_ines_finds_it(stage, mind)
        mind.answers(FIND, SEARCH, "Nothing.")
        await asked(stage, OPS)
        assert texts(mind) == []


async def test_direct_messages_of_somebody_else_are_never_found(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("All right.", SEARCH, "Nothing.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(MIGUEL, AGREED[1][1])
        await stage.reply(MIGUEL, root)
        mind.answers(FIND, SEARCH, "Nothing.")

        await asked(stage, dm(INES))

    assert texts(mind) == []


async def test_a_clients_channel_shows_nothing_of_another_clients_and_nothing_of_ours(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, SEARCH, "4,321 dollars.")
    async with minded(bench, agency, mind) as stage:
        await link(bench, GLINTLY, "Glintly Inc")
        await link(bench, BRIGHT, "Brightkettle Group")
        for channel, words in ((GLINTLY, "of Glintly"), (BRIGHT, "of Brightkettle"), (OPS, "ours")):
            await say(bench, channel, (MIGUEL, f"the banner budget {words}"))

        await asked(stage, GLINTLY)
        assert texts(mind) == ["the banner budget of Glintly"]
        mind.answers(FIND, SEARCH, "4,321 dollars.")
        await asked(stage, dm(INES))
        assert len(texts(mind)) == 3


async def test_a_person_is_shown_no_channel_of_a_client_they_are_not_assigned_to(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, SEARCH, "Nothing.")
    async with minded(bench, agency, mind) as stage:
        clients = await agency.pool.fetchval(
            "select count(*) from client_assignments a join profiles p on p.id = a.team_member_id"
            " join agency_clients c on c.id = a.client_id where p.slack_user_id = $1"
            " and c.name like 'Brightkettle%'",
            YUKI,
        )
        assert clients == 0
        await link(bench, BRIGHT, "Brightkettle Group")
        await say(bench, BRIGHT, AGREED[1])

        await asked(stage, dm(YUKI), YUKI)

    assert texts(mind) == []


async def test_in_an_unlinked_channel_a_search_goes_to_direct_messages_and_reading_does_not(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, SEARCH, "Nothing.")
    async with minded(bench, agency, mind) as stage:
        await say(bench, OPS, AGREED[1])
        told = await asked(stage, RANDOM)
        assert "4,321" not in whole_text(told)
        await stage.settled()
        mind.answers(FIND, READ, "They said nothing.")
        await say(bench, RANDOM, (LUNCH := (TOMAS, "lunch at one")))
        await asked(stage, RANDOM)

    assert LUNCH[1] in texts(mind)


async def test_one_conversation_is_read_by_its_name_from_elsewhere(
    bench: Bench, agency: Database
) -> None:
    read = calls("search_messages", where="#ops", since="today")
    mind = ScriptedModel(FIND, read, "They agreed.")
    async with minded(bench, agency, mind) as stage:
        await say(bench, OPS, *AGREED)
        await say(bench, RANDOM, (TOMAS, "lunch at one"))

        told = await asked(stage, dm(INES))
        assert texts(mind) == [text for _, text in AGREED]
        assert "Looked at: #ops, since " in whole_text(told)

        private(bench, "C0SECRET", MIGUEL, BOT_USER)
        mind.answers(FIND, calls("search_messages", where="private-c0secret"), "There is none.")
        await asked(stage, dm(INES))
        [*_, refused] = results(mind.told[-1])
        assert refused.reason == "conversation_not_found"


async def test_a_group_conversation_is_found_by_who_is_in_it(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, SEARCH, "4,321 dollars.")
    async with minded(bench, agency, mind) as stage:
        group = group_of(bench.app[WORKSPACE], [INES, MIGUEL])
        await say(bench, group["id"], AGREED[1])

        await only_ines_finds_it(stage, mind)


async def test_a_card_made_from_found_messages_names_whose_words_it_rests_on_and_takes_a_press(
    bench: Bench, agency: Database
) -> None:
    made = calls("create_task", client="Glintly Inc", title=TASK, objective=AGREED[0][1])
    mind = ScriptedModel(FIND, calls("search_messages", words="photos"), made, "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        await bench.command(OPS, INES, "/claw", "link internal")
        await bench.command(OPS, INES, "/claw", "consent words")
        await say(bench, OPS, AGREED[0])
        root = await bench.post_message(OPS, INES, f"<@{CLAW}> make a task of what was agreed")
        card = await offer_in(stage, OPS, root)

        assert "words of Sara Lindqvist: “the storefront banner" in whole_text(card)
        await bench.post_message(OPS, INES, "yes", root)
        await stage.settled()
        assert [one["state"] for one in await stage.proposals()] == ["open"]


async def test_while_slack_does_not_let_us_read_it_says_so(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(FIND, READ, "I could not read it.")
    async with minded(bench, agency, mind) as stage:
        await bench.change_install(lacks=["channels:history"])

        await asked(stage, dm(INES))

    [*_, refused] = results(mind.told[-1])
    assert (refused.reason, refused.message) == (
        "slack_unread",
        "I lack Slack's permission to read those messages. Please ask an admin to install me in "
        "Slack again.",
    )


async def test_a_conversation_that_slack_holds_back_keeps_no_other_back_and_is_named(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, SEARCH, "4,321 dollars.")
    async with minded(bench, agency, mind) as stage:
        await bench.change_install(lacks=["search:read.public"])
        await say(bench, OPS, *AGREED)
        # The first conversation is the direct message itself.
        await bench.set_fault("slack", "rate_limited", method=HISTORY, delay_s=60.0)

        told = await asked(stage, dm(INES))

    assert AGREED[1][1] in texts(mind)
    [*_, talk] = results(mind.told[-1])
    assert "not looked at: this conversation and public channels that I'm not in." in talk.note
    assert "not looked at: " in whole_text(told)


async def test_while_slack_searches_a_held_back_conversation_is_no_refusal(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, SEARCH, "4,321 dollars.")
    async with minded(bench, agency, mind) as stage:
        await say(bench, OPS, *AGREED)
        await bench.set_fault("slack", "rate_limited", method=HISTORY, delay_s=60.0)

        told = await asked(stage, dm(INES))

    assert AGREED[1][1] in texts(mind)
    assert "public channels that may be shown here; not looked at: this conversation, since" in (
        whole_text(told)
    )


async def test_slack_asking_for_a_moment_is_waited_for(bench: Bench, agency: Database) -> None:
    async with reading(bench, agency) as (stage, mind):
        await say(bench, OPS, *AGREED)
        await bench.set_fault("slack", "rate_limited", method=HISTORY, delay_s=0.2)

        await asked(stage, OPS)

    assert AGREED[1][1] in texts(mind)


async def test_a_thread_that_slack_holds_back_leaves_the_others_to_be_read(
    bench: Bench, agency: Database
) -> None:
    async with reading(bench, agency) as (stage, mind):
        root = await say(bench, OPS, AGREED[0])
        await say(bench, OPS, AGREED[1], root=root)
        await bench.set_fault("slack", "rate_limited", method=REPLIES, delay_s=60.0)

        await asked(stage, OPS)

    assert AGREED[0][1] in texts(mind)
    [*_, talk] = results(mind.told[-1])
    assert "There may be more than was read." in talk.note


@pytest.mark.parametrize("lacks", [[], ["search:read.public"]])
@pytest.mark.parametrize("channel", [dm(INES), OPS])
async def test_the_question_itself_is_not_found_and_an_earlier_one_is_no_source(
    bench: Bench, agency: Database, channel: str, lacks: list[str]
) -> None:
    mind = ScriptedModel(FIND, (find := calls("search_messages", words="agreed")), "Nothing.")
    async with minded(bench, agency, mind) as stage:
        await link(bench, OPS, "internal")
        await bench.change_install(lacks=lacks)
        await asked(stage, channel)
        assert texts(mind) == []
        mind.answers(FIND, find, "Nothing.")

        await asked(stage, channel)

    assert [one.partition("> ")[2] or one for one in texts(mind)] == ["what was agreed?"]
    [*_, talk] = results(mind.told[-1])
    assert talk.opened == ()


async def test_a_conversation_read_as_a_whole_need_not_be_named_message_by_message(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, calls("search_messages", where="#ops"), "They agreed.")
    async with minded(bench, agency, mind) as stage:
        await say(bench, OPS, *AGREED)

        await asked(stage, dm(INES))

    [*_, talk] = results(mind.told[-1])
    assert (len(talk.messages), talk.opened) == (3, ())


async def test_of_more_conversations_than_are_read_the_answer_says_how_many_are_left_out(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, SEARCH, "Nothing.")
    async with minded(bench, agency, mind) as stage:
        for number in range(CONVERSATIONS + 1):
            private(bench, f"C0SECRET{number}", INES, BOT_USER)

        told = await asked(stage, dm(INES))

    # This conversation is read as well.
    assert "not looked at: 2 more conversations" in whole_text(told)


@pytest.mark.parametrize("lacks", [[], ["search:read.public"]])
async def test_where_only_this_conversation_could_be_read_the_model_is_told(
    bench: Bench, agency: Database, lacks: list[str]
) -> None:
    mind = ScriptedModel(FIND, SEARCH, "Nothing here.")
    async with minded(bench, agency, mind) as stage:
        await bench.change_install(lacks=lacks)
        await bench.set_fault("slack", "error_before", method="users.conversations", times=2)

        told = await asked(stage, dm(INES))

    [*_, talk] = results(mind.told[-1])
    assert ("No other conversation was looked at: say so" in talk.note) is bool(lacks)
    assert "this conversation; not looked at: conversations that Slack did not list" in (
        whole_text(told)
    )


async def test_a_channel_that_slack_does_not_list_is_not_waited_for_as_clickup_is(
    bench: Bench, agency: Database
) -> None:
    found = calls("search_tools", queries=["link a channel to a client"])
    link = calls("link_channel", client="Glintly Inc", where="agency-ops")
    mind = ScriptedModel(found, link, "Slack does not say.")
    async with minded(bench, agency, mind) as stage:
        await bench.set_fault("slack", "rate_limited", method="users.conversations", delay_s=60.0)
        await asked(stage, dm(INES))

    [*_, refused] = results(mind.told[-1])
    assert (refused.reason, refused.message) == (
        "slack_unread",
        "Slack did not let me read those messages.",
    )
