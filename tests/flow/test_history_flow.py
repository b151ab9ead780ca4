"""What a thread remembers: by id, in order, condensed when it grows long."""

from __future__ import annotations

import re

from acting import CLAW, INES, OPS, SARA_L, TOMAS, ScriptedModel, calls, minded, offer
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from stage import whole_text

from agencyclaw.agents.prompts import load_prompt
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

CONDENSED = "They went through the spring plan for Glintly."


async def talk(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Answers at length; condenses when asked to."""
    is_summary = info.instructions == load_prompt("summary").text
    return ModelResponse(
        parts=[TextPart(CONDENSED if is_summary else "As you say. " + "We plan on. " * 60)]
    )


async def test_the_same_words_twice_are_both_heard_once_each(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello to you.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "tell me about Glintly")
        await stage.reply(INES, root)
        await stage.say(INES, "tell me about Glintly", thread=root)
        await stage.reply(INES, root, index=1)

    assert mind.heard(0).count("tell me about Glintly") == 1
    assert mind.heard(1).count("tell me about Glintly") == 2


async def test_in_a_shared_thread_the_model_hears_who_said_what(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("Hello.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(OPS, SARA_L, f"<@{CLAW}> the banner is for me")
        await stage.reply_in(OPS, root)
        await bench.post_message(OPS, INES, f"<@{CLAW}> whose is it?", root)
        await stage.reply_in(OPS, root, index=1)

    assert "(Sara Lindqvist said) the banner is for me" in mind.heard()
    assert mind.heard().rstrip().endswith("\nwhose is it?")


async def test_a_colleague_who_is_mentioned_is_heard_by_name_and_can_be_assigned(
    bench: Bench, agency: Database
) -> None:
    wish = {
        "client": "Glintly Inc",
        "title": "Refresh the storefront banner",
        "objective": "refresh the storefront banner with three new photos of the spring launch",
        "assignee": "@Miguel Duarte",
    }
    mind = ScriptedModel(calls("create_task", **wish), "It is on the card.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "banner task for <@U01MIG>, and ask <@U0NOBODY1> about it")
        card = await offer(stage, INES, root)

        assert "Miguel Duarte" in whole_text(card)
    assert "banner task for @Miguel Duarte, and ask <@U0NOBODY1> about it" in mind.heard(0)


async def test_a_long_thread_is_condensed_once_stored_and_used_again(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(talk)
    async with minded(bench, agency, mind, agencyclaw_history_tokens=900) as stage:
        root = await stage.say(INES, "plan number 0")
        await stage.reply(INES, root)
        for n in range(1, 7):
            await stage.say(INES, f"plan number {n}", thread=root)
            await stage.reply(INES, root, index=n)
        rows = await agency.pool.fetch("select text from thread_summaries")
        stages = await agency.pool.fetch("select distinct stage from ai_token_usage")

    assert {row["text"] for row in rows} == {CONDENSED}
    assert 1 <= len(rows) < 4
    assert {row["stage"] for row in stages} == {"main", "summary"}
    assert f"[Earlier in this thread, condensed] {CONDENSED}" in mind.heard()
    assert "plan number 0" not in mind.heard()


async def test_a_question_of_short_words_is_answered_with_what_was_said_before(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("The banner is ready.", "Yes, it is.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "the storefront banner is ready for review")
        await stage.reply(INES, root)
        await stage.say(INES, "is it ok?", thread=root)
        await stage.reply(INES, root, index=1)

    assert "The banner is ready." in mind.heard(1)


async def test_a_fresh_conversation_leaves_the_summary_behind(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(talk)
    async with minded(bench, agency, mind, agencyclaw_history_tokens=900) as stage:
        root = await stage.say(INES, "plan number 0")
        await stage.reply(INES, root)
        for n in range(1, 6):
            await stage.say(INES, f"plan number {n}", thread=root)
            await stage.reply(INES, root, index=n)
        await stage.say(INES, "new session", thread=root)
        await stage.reply(INES, root, index=6)
        await stage.say(INES, "what now?", thread=root)
        await stage.reply(INES, root, index=7)

    assert CONDENSED not in mind.heard()


async def test_pasted_notes_go_out_of_sight_after_a_few_turns(
    bench: Bench, agency: Database
) -> None:
    notes = f"Notes of the call. {'They liked the photos. ' * 30}The budget is 4,321 dollars."
    mind = ScriptedModel(
        *(f"As you say, {turn}." for turn in ("one", "two", "three", "four", "five"))
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, notes)
        await stage.reply(INES, root)
        for at in range(1, 5):
            await stage.say(INES, "go on", thread=root)
            await stage.reply(INES, root, index=at)

        assert "4,321" in mind.heard(3)
        assert "4,321" not in mind.heard(4)
        [key] = re.findall(
            r"out of sight by now; whole text: (ev:[0-9a-f]{8}/0{8})\]", mind.heard(4)
        )

        mind.answers(calls("load_prior_skill_result", key=key), "The budget is 4,321 dollars.")
        await stage.say(INES, "what was the budget?", thread=root)
        await stage.reply_with(INES, root, "The budget is 4,321 dollars.")
        assert "4,321" in mind.heard()

        # Somebody else's paste can't be brought back by its key.
        mind.answers(calls("load_prior_skill_result", key=key), "There is none.")
        theirs = await stage.say(TOMAS, "what was the budget?")
        await stage.reply_with(TOMAS, theirs, "There is none.")
        assert "4,321" not in mind.heard()


async def test_what_was_sent_once_begins_the_next_turns_to_the_letter(
    bench: Bench, agency: Database
) -> None:
    """Providers keep a request's beginning; what is volatile comes last."""
    look = calls("search_kb", query="coupon")
    named = "By the Coupons Promotion SOP"
    mind = ScriptedModel(look, f"{named}.", look, f"{named}, still.", "You are welcome.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "how do coupons go?")
        await stage.reply(INES, root)
        await stage.say(INES, "and now?", thread=root)
        await stage.reply(INES, root, index=1)
        await stage.say(INES, "thanks", thread=root)
        await stage.reply(INES, root, index=2)

    [_, _, second, _, third] = [_sent(messages) for messages in mind.told]
    assert "[Situation]" in second[-1]
    assert third[: len(second) - 1] == second[:-1]
    assert mind.offered[0] == mind.offered[2] == mind.offered[4]


def _sent(messages: list[ModelMessage]) -> list[str]:
    """What goes out of each part, in its order."""
    return [
        str((getattr(part, "tool_name", None), getattr(part, "content", None)))
        for message in messages
        for part in message.parts
    ]
