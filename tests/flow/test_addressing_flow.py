"""In a thread of people it speaks when it is spoken to, and is silent otherwise."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acting import CLAW, INES, OPS, SARA_L, TASK, TOMAS, ScriptedModel, calls, minded, whispered
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, eventually, whole_text

from agencyclaw.domain.replies import NOT_FOR_ME
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

CALL = f"<@{CLAW}> hello"


def silent() -> ModelResponse:
    """The model's word that a message is for somebody else."""
    return calls(NOT_FOR_ME)


class Endings:
    """A mind that answers, and notes with which tools it might have ended the run."""

    def __init__(self) -> None:
        self.offered: list[set[str]] = []

    async def answer(self, _: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.offered.append({tool.name for tool in info.output_tools})
        return ModelResponse(parts=[TextPart("Hello.")])


async def called(stage: Stage) -> str:
    """A thread of people into which it was called, and has answered."""
    root = await stage.bench.post_message(OPS, INES, CALL)
    await stage.reply_in(OPS, root)
    await stage.settled()
    return root


async def say(stage: Stage, root: str, user: str, text: str) -> None:
    """Say something in a thread, and wait until it was heard and all is quiet."""
    ts = await stage.bench.post_message(OPS, user, text, root)
    heard = "select exists (select from slack_event_receipts where slack_ts = $1)"
    await eventually(lambda: stage.db.pool.fetchval(heard, ts))
    await stage.settled()


async def shown(stage: Stage) -> list[str]:
    """The threads and lines that Slack was asked to show as work, apart from what clears them."""
    await stage.at_rest()
    lines = await stage.bench.log(target="slack", method="assistant.threads.setStatus")
    states = await stage.bench.log(target="slack", method="agents.sessions.setStatus")
    return [one["arguments"]["status"] for one in (*lines, *states) if one["arguments"]["status"]]


async def test_what_code_can_tell_is_for_others_costs_no_model_and_is_not_answered(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.")
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        before = await shown(stage)

        await say(stage, root, SARA_L, f"<@{INES}> do you have the banner?")
        await say(stage, root, INES, "yes, in the folder")
        await say(stage, root, TOMAS, "the one from May?")
        await say(stage, root, INES, "yes")
        await say(stage, root, SARA_L, "<!here> lunch?")
        await say(stage, root, TOMAS, "stop")

        assert len(mind.told) == 1
        assert len(await stage.replies_in(OPS, root)) == 1
        assert await shown(stage) == before


async def test_what_is_said_to_others_is_noted_without_its_words(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello.")) as stage:
        root = await called(stage)

        await say(stage, root, SARA_L, f"<@{INES}> do you have the banner?")

        row = await agency.pool.fetchrow(
            "select * from slack_event_receipts where slack_user_id = $1", SARA_L
        )
    assert (row["event_type"], row["status"], row["reason"]) == (
        *("overheard", "ignored"),
        "said_to_others",
    )
    assert "banner" not in str(row["payload"])


async def test_a_message_directly_after_its_own_words_is_answered(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.", "Two are due.", "Both are Glintly's.")
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)

        await say(stage, root, INES, "and what is due?")
        await say(stage, root, TOMAS, "whose are they?")

        answers = [whole_text(one) for one in await stage.replies_in(OPS, root)]
    assert ["Two are due." in answers[1], "Glintly's" in answers[2]] == [True, True]


async def test_a_call_is_answered_wherever_it_stands_in_the_thread(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.", "Two are due.")
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        await say(stage, root, SARA_L, f"<@{INES}> do you have the banner?")

        await say(stage, root, TOMAS, f"<@{CLAW}> <@{INES}> what is due?")

        assert "Two are due." in whole_text((await stage.replies_in(OPS, root))[-1])


async def test_it_may_say_by_a_type_that_a_message_is_for_somebody_else(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.", silent(), "Two are due.")
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        before = await shown(stage)

        await say(stage, root, TOMAS, "nice, I'd never have found that")

        assert len(await stage.replies_in(OPS, root)) == 1
        assert await shown(stage) == before
        # What follows is not directly after its own words any more.
        await say(stage, root, TOMAS, "shall we go?")
        assert len(mind.told) == 2
        row = await agency.pool.fetchrow(
            "select r.status, r.reason, a.status as run from slack_event_receipts r"
            " join agent_runs a on a.receipt_id = r.id where r.slack_user_id = $1",
            TOMAS,
        )
        assert tuple(row) == ("ignored", "not_for_us", "completed")

        await say(stage, root, TOMAS, f"<@{CLAW}> what is due?")
        assert "Two are due." in whole_text((await stage.replies_in(OPS, root))[-1])


async def test_what_was_prepared_for_a_message_of_others_is_dropped(
    bench: Bench, agency: Database
) -> None:
    wish = {"client": "Glintly Inc", "title": "Refresh the banner", "objective": "refresh it"}
    mind = ScriptedModel("Hello.", calls("create_task", **wish), silent())
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)

        await say(stage, root, INES, "somebody should refresh the banner")

        assert len(mind.told) == 3
        assert len(await stage.replies_in(OPS, root)) == 1
        assert await stage.proposals() == []


async def test_a_yes_below_ones_own_card_shows_it_again_even_where_the_model_keeps_silent(
    bench: Bench, agency: Database
) -> None:
    """Words do not count here; whose card waits must not wait for nothing."""
    objective = "the storefront banner for Glintly needs three new photos"
    wish = {"client": "Glintly Inc", "title": TASK, "objective": objective}
    mind = ScriptedModel(calls("create_task", **wish), "It is on the card.", silent())
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        before = len(await stage.replies_in(OPS, root))

        await say(stage, root, INES, "yes")

        [card] = (await stage.replies_in(OPS, root))[before:]
        assert TASK in whole_text(card)
        assert [one["state"] for one in await stage.proposals()] == ["open"]


async def test_what_was_refused_in_a_silent_run_is_in_the_audit(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.", calls("update_brand", client="Glintly"), silent())
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)

        await say(stage, root, TOMAS, "somebody should rename the brand")

        refused = "select payload ->> 'skill' from agent_events where event_type = 'tool_refused'"
        assert await agency.pool.fetchval(refused) == "update_brand"
        assert len(await stage.replies_in(OPS, root)) == 1


async def test_a_question_stays_open_while_people_talk_to_each_other(
    bench: Bench, agency: Database
) -> None:
    offered = {"choices": [{"label": "Glintly", "kind": "client", "id": "x"}]}
    mind = ScriptedModel("Hello.", silent())
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        asking = "update outbox set body = body || $1::jsonb where channel_id = $2"
        await agency.pool.execute(asking, offered, OPS)

        await say(stage, root, INES, "thanks, Sara")

        body = await agency.pool.fetchval("select body from outbox where channel_id = $1", OPS)
        assert body["answered"] is None
    assert len(mind.told) == 2


async def test_that_it_failed_on_what_may_be_for_others_is_told_to_its_author_alone(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.", ModelHTTPError(401, "mind"))
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)

        await say(stage, root, INES, "thanks, and for whom is the banner?")

        assert len(await stage.replies_in(OPS, root)) == 1
        [told] = await stage.whispers(INES)
    assert "I couldn't answer that" in told


async def test_what_is_set_aside_and_may_be_for_others_is_told_to_its_author_alone(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.", RuntimeError("a bug in a client library"))
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)

        await say(stage, root, INES, "thanks, and for whom is the banner?")

        assert len(await stage.replies_in(OPS, root)) == 1
        [told] = await stage.whispers(INES)
    assert "set it aside" in told


async def test_who_talks_to_others_too_quickly_is_told_so_alone(
    bench: Bench, agency: Database
) -> None:
    limit = {"agencyclaw_messages_per_minute": 1}
    async with minded(bench, agency, ScriptedModel("Hello."), **limit) as stage:
        root = await called(stage)

        await say(stage, root, INES, "thanks, and for whom is the banner?")

        assert len(await stage.replies_in(OPS, root)) == 1
        [told] = await stage.whispers(INES)
    assert "more than 1 messages within a minute" in told


async def test_who_says_yes_to_others_is_not_told_that_it_comes_next(
    bench: Bench, agency: Database
) -> None:
    go_on = asyncio.Event()

    async def think(*_: object) -> ModelResponse:
        await go_on.wait()
        return ModelResponse(parts=[TextPart("Two are due.")])

    mind = ScriptedModel("Hello.", think, "Fine.")
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        await stage.bench.post_message(OPS, INES, f"<@{CLAW}> what is due?", root)
        await eventually(lambda: _has_begun(mind))
        await stage.bench.post_message(OPS, TOMAS, "yes", root)
        await stage.bench.post_message(OPS, SARA_L, f"<@{CLAW}> and for whom?", root)

        # Who spoke to it is told, and not that she had asked something before.
        note = await whispered(stage, SARA_L, "comes next")
        assert "somebody else" in note
        assert "stop" not in note

        go_on.set()
        await stage.settled()
        assert await stage.whispers(TOMAS) == []


async def _has_begun(mind: ScriptedModel) -> bool:
    return len(mind.told) == 2


async def test_what_it_had_prepared_when_it_failed_is_shown_to_all(
    bench: Bench, agency: Database
) -> None:
    objective = "the storefront banner for Glintly Inc needs three new photos"
    wish = {"client": "Glintly Inc", "title": TASK, "objective": objective}
    mind = ScriptedModel("Hello.", calls("create_task", **wish), ModelHTTPError(401, "mind"))
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)

        await say(stage, root, INES, objective)

        [_, told, card] = await stage.replies_in(OPS, root)
        assert "What I prepared is on the card." in whole_text(told)
        assert TASK in whole_text(card)
        assert await stage.whispers(INES) == []


async def test_whom_it_asked_is_heard_although_others_spoke_in_between(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Which brand do you mean?", "Two are due for it.", "Hello.")
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        await say(stage, root, SARA_L, f"<@{TOMAS}> do you have the banner?")
        await say(stage, root, TOMAS, "in the folder")
        assert len(mind.told) == 1

        await say(stage, root, INES, "the second one")

        assert "Two are due" in whole_text((await stage.replies_in(OPS, root))[-1])
        # It is answered: what she says to others afterwards is theirs again.
        await say(stage, root, SARA_L, f"<@{INES}> lunch?")
        await say(stage, root, INES, "gladly")
        assert len(mind.told) == 2


async def test_a_question_waits_while_the_one_who_was_asked_talks_to_others_and_not_for_ever(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Which brand do you mean?", silent())
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        for words in ("one moment, Sara", "yes, that one", "in the blue folder"):
            await say(stage, root, SARA_L, f"<@{INES}> do you have the banner?")
            await say(stage, root, INES, words)
        assert len(mind.told) == 4

        await say(stage, root, SARA_L, f"<@{INES}> and the photos?")
        await say(stage, root, INES, "those too")
        assert len(mind.told) == 4


async def test_an_answer_that_asks_nothing_waits_for_nobody(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel("Two are due.")
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        await say(stage, root, SARA_L, f"<@{INES}> do you have the banner?")
        await say(stage, root, INES, "the second one")

    assert len(mind.told) == 1


@pytest.mark.parametrize("is_direct", [True, False])
async def test_whoever_speaks_to_it_is_answered_whatever_the_model_calls(
    bench: Bench, agency: Database, *, is_direct: bool
) -> None:
    mind = ScriptedModel(silent(), "Hello.")
    async with minded(bench, agency, mind) as stage:
        if is_direct:
            told = await stage.reply(INES, await stage.say(INES, "hello"))
        else:
            told = await stage.reply_in(OPS, await bench.post_message(OPS, INES, CALL))

    assert "Hello." in whole_text(told)


async def test_silence_is_on_offer_only_where_code_can_not_tell(
    bench: Bench, agency: Database
) -> None:
    endings = Endings()
    async with minded(bench, agency, ScriptedModel(endings.answer)) as stage:
        await stage.reply(INES, await stage.say(INES, "hello"))
        root = await called(stage)
        await say(stage, root, INES, "and what is due?")

    assert [NOT_FOR_ME in offered for offered in endings.offered] == [False, False, True]


@pytest.mark.parametrize("in_thread", [True, False])
async def test_a_bare_call_gets_help_without_a_model(
    bench: Bench, agency: Database, *, in_thread: bool
) -> None:
    mind = ScriptedModel("Hello.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, SARA_L, "lunch?") if in_thread else None

        said = await bench.post_message(OPS, INES, f"<@{CLAW}>", root)

        told = await stage.reply_in(OPS, root or said)
    assert "I look things up and prepare work" in whole_text(told)
    assert mind.told == []


async def test_a_guest_after_its_words_is_told_nothing_and_one_who_calls_it_is_told_why(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.")
    async with minded(bench, agency, mind) as stage:
        root = await called(stage)
        await bench.change_membership(SARA_L, "guest")

        await say(stage, root, SARA_L, "what a clever thing")
        assert len(await stage.replies_in(OPS, root)) == 1

        await say(stage, root, SARA_L, f"<@{CLAW}> make me a task")
        told: list[dict[str, Any]] = await stage.replies_in(OPS, root)
    assert "guest" in whole_text(told[1]).lower()
    assert len(mind.told) == 1
