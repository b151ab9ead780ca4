"""Clients' data in a channel that is no client's: answered to the asker alone, or not at all."""

from __future__ import annotations

import pytest
from acting import (
    BRIGHT,
    INES,
    MIGUEL,
    OPS,
    RANDOM,
    SARA_L,
    Acting,
    ScriptedModel,
    call,
    calls,
    count,
    minded,
    text,
    turn,
)
from stage import Stage, dm, whole_text

from agencyclaw.domain.receipts import Incoming
from agencyclaw.store.engine import Database
from agencyclaw.tools.catalogue import TOOLS
from workbench.fixture import Bench

DUE = "what is due for Brightkettle?"
LISTED = turn(DUE, call("list_tasks", client="Brightkettle"), text("${list_tasks.total} are due."))
LISTING = turn("which clients?", call("lookup_client"), text("${lookup_client}"))
OPEN_QUESTIONS = turn(
    "what did nobody answer?",
    call("search_tools", queries=["list_unanswered_questions"]),
    call("list_unanswered_questions"),
    text("Several."),
)
RULES = turn(
    "what may I do?",
    call("search_tools", queries=["cc_policy_explain"]),
    call("cc_policy_explain"),
    text("You may look things up."),
)
MOVED = "I answer you in our direct messages"


async def ask(stage: Stage, channel: str, user: str, words: str) -> str:
    """Ask in a channel; returns what everybody there reads."""
    root = await stage.bench.post_message(channel, user, f"<@U01CLAW> {words}")
    await stage.reply_in(channel, root)
    await stage.settled()
    [answer] = await stage.replies_in(channel, root)
    return whole_text(answer)


async def direct(stage: Stage, user: str) -> list[str]:
    """What the assistant wrote into a person's direct messages, oldest first."""
    found = await stage.bench.messages(dm(user))
    return [whole_text(one) for one in found if one["user"] == "U01CLAW"]


@pytest.mark.parametrize("user", [INES, SARA_L])
async def test_a_question_about_clients_in_nobodys_channel_is_answered_to_its_asker(
    acting: Acting, user: str
) -> None:
    stage = await acting(LISTED)

    assert MOVED in await ask(stage, RANDOM, user, DUE)

    question, answer = await direct(stage, user)
    assert "You asked (asked in a channel)" in question
    assert DUE in question
    assert "are due" in answer


async def test_so_it_is_in_a_group_conversation_which_is_never_linked(acting: Acting) -> None:
    stage = await acting(LISTED)
    group = await stage.bench.add_group(INES, SARA_L)

    assert MOVED in await ask(stage, group, SARA_L, DUE)

    assert len(await direct(stage, SARA_L)) == 2
    assert await direct(stage, INES) == []


async def test_it_is_answered_there_under_their_own_rights(acting: Acting) -> None:
    stage = await acting(turn(DUE, call("list_tasks", client="Northwater"), text("None.")))

    await ask(stage, RANDOM, MIGUEL, DUE)

    in_channel, in_direct = await stage.db.pool.fetch(
        "select input_payload from agent_runs order by started_at"
    )
    assert in_channel["input_payload"]["scope"] == "unknown"
    assert in_direct["input_payload"]["scope"] == "internal"
    refused = await stage.result("list_tasks")
    assert refused["kind"] == "refusal"


async def test_help_shows_nothing_of_clients_and_stays(acting: Acting) -> None:
    stage = await acting(RULES)

    assert "You may look things up" in await ask(stage, RANDOM, SARA_L, "what may I do?")
    assert await direct(stage, SARA_L) == []


async def test_the_rules_for_a_client_name_no_client_there(acting: Acting) -> None:
    search = call("search_tools", queries=["cc_policy_explain"])
    named = turn("may I?", search, call("cc_policy_explain", client="Bright"), text("x"))
    stage = await acting(named)

    assert MOVED in await ask(stage, RANDOM, INES, "may I?")


@pytest.mark.parametrize("channel", [OPS, RANDOM])
async def test_what_nobody_answered_is_told_in_no_channel_not_even_the_agencys(
    acting: Acting, channel: str
) -> None:
    stage = await acting(OPEN_QUESTIONS)

    assert MOVED in await ask(stage, channel, INES, "what did nobody answer?")
    assert "Several" in (await direct(stage, INES))[-1]


async def test_the_agencys_own_channel_answers_as_before(acting: Acting) -> None:
    stage = await acting(LISTED)

    assert "are due" in await ask(stage, OPS, SARA_L, DUE)


async def test_in_nobodys_channel_that_is_shared_nothing_is_said_or_forwarded(
    acting: Acting,
) -> None:
    stage = await acting(LISTING)
    await stage.bench.change_channel(RANDOM, "share")

    answer = await ask(stage, RANDOM, INES, "which clients?")
    typed = await stage.bench.command(RANDOM, INES, "/claw", "where")

    assert "People of another company read along" in answer
    for told in (answer, whole_text(typed["response"])):
        assert "Brightkettle" not in told
        assert "Copperleaf" not in told
    assert await direct(stage, INES) == []


async def test_a_shared_channel_of_a_client_shows_what_the_client_may_see(
    bench: Bench, agency: Database
) -> None:
    await bench.change_channel(BRIGHT, "share")
    mind = ScriptedModel(
        calls("lookup_brand", client="Brightkettle"),
        calls("get_client_context", client="Brightkettle"),
        "That is all.",
    )
    async with minded(bench, agency, mind) as stage:
        assert "That is all" in await ask(stage, BRIGHT, INES, "what do you know of us?")

        theirs = {name for name, spec in TOOLS.items() if spec.rule.shows in ("theirs", "nothing")}
        changing = {name for name, spec in TOOLS.items() if spec.rule.changes}
        assert {"lookup_brand", "lookup_client"} <= mind.offered[0]
        assert not changing & mind.offered[0]
        assert mind.offered[0] & TOOLS.keys() <= theirs
        assert (await stage.result("lookup_brand"))["brands"]
        assert [one["reason"] for one in await stage.events("tool_refused")] == ["shared_channel"]
        # What the agency knows of its client stands in no request that is made there.
        assert "assigned" not in mind.heard(0).lower()
        assert await direct(stage, INES) == []


async def test_a_question_is_forwarded_once_however_often_its_delivery_breaks_off(
    acting: Acting,
) -> None:
    stage = await acting(LISTED)
    await stage.bench.set_fault("slack", "error_after", method="chat.postMessage", times=2)

    await ask(stage, RANDOM, SARA_L, DUE)
    await stage.bench.until(lambda: answered(stage))

    assert len(await direct(stage, SARA_L)) == 2
    assert await count(stage, "agent_runs") == 2


async def answered(stage: Stage) -> bool:
    return len(await direct(stage, SARA_L)) >= 2


async def test_a_forwarded_question_is_no_word_of_consent(acting: Acting) -> None:
    """What was asked in a channel may read like a yes: in the direct messages it is a question."""
    stage = await acting(LISTED)
    await ask(stage, RANDOM, SARA_L, DUE)

    sources = await stage.db.pool.fetch(
        "select payload from slack_event_receipts where payload ->> 'key' like 'forward:%'"
    )

    [forwarded] = [Incoming.model_validate(row["payload"]) for row in sources]
    assert not forwarded.is_plain
    assert forwarded.text == DUE
