"""Gather, act, verify: what a trace shows, and what three answers come to."""

from __future__ import annotations

from acting import ASKED, INES, TASK, ScriptedModel, calls, minded, states
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from stage import whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ADDRESS = "ines.private@lanternfish.example"
MADE = {"client": "Glintly Inc", "title": TASK, "objective": ASKED}


def named(spans: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in spans.get_finished_spans() if span.name == name]


def attribute(span: ReadableSpan, name: str) -> object:
    return (span.attributes or {}).get(name)


async def test_one_root_with_the_phases_below_and_delivery_after(
    bench: Bench, agency: Database, spans: InMemorySpanExporter
) -> None:
    mind = ScriptedModel(
        "I asked lookup_client for you.", calls("lookup_client"), "There are seven clients."
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "how many clients are there?"))
        await stage.settled()

    [turn] = named(spans, "turn")
    [act] = named(spans, "agent.act")
    [gather] = named(spans, "agent.gather")
    first, second = named(spans, "agent.verify")
    [deliver] = named(spans, "deliver")
    [tool] = named(spans, "tool")
    assert turn.parent is None or turn.parent.span_id not in {act.context.span_id}
    for phase in (gather, act, first, second, deliver):
        assert phase.parent is not None
        assert phase.parent.span_id == turn.context.span_id
    assert tool.context.trace_id == turn.context.trace_id
    assert deliver.start_time >= second.end_time
    assert (attribute(first, "attempt"), attribute(first, "passed")) == (1, False)
    assert (attribute(second, "attempt"), attribute(second, "passed")) == (2, True)
    assert attribute(second, "length") == len("There are seven clients.")
    assert "tool_name" in str(attribute(first, "issues"))
    assert attribute(act, "history") == 0
    assert attribute(act, "feedback") is True
    assert attribute(act, "length") == len("There are seven clients.")


async def test_a_trace_holds_ids_and_sizes_and_nobodys_words(
    bench: Bench, agency: Database, spans: InMemorySpanExporter
) -> None:
    mind = ScriptedModel(
        calls("lookup_client", query=ADDRESS), f"Nothing about {ADDRESS} is on record."
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, f"who is {ADDRESS}?"))
        await stage.settled()

    assert named(spans, "agent.act")
    assert [span.name for span in spans.get_finished_spans() if ADDRESS in span.to_json()] == []


async def test_an_answer_that_passes_at_once_is_one_attempt_and_verified(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel("Hello there, Ines.")) as stage:
        await stage.reply(INES, await stage.say(INES, "hello there"))
        output = await agency.pool.fetchval("select output_payload from agent_runs")

    assert (output["attempts"], output["verified"]) == (1, True)


async def test_a_second_answer_repeats_no_change_and_knows_what_was_found(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        calls("lookup_client", query="Glintly"),
        calls("create_task", **MADE),
        "I used create_task for you.",
        calls("create_task", **MADE),
        "It is on the card.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make a task for the Glintly Inc banner")
        await stage.reply_with(INES, root, "It is on the card.")

        assert await states(stage) == ["open"]
    assert '"name":"Glintly Inc"' in mind.heard(3)
    assert "Nothing has been created yet." in mind.heard(3)


async def test_three_answers_that_fail_are_told_honestly(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel("Glintly sold 48,213 USD.")
    async with minded(bench, agency, mind) as stage:
        said = whole_text(await stage.reply(INES, await stage.say(INES, "what did Glintly sell?")))

    assert len(mind.told) == 3
    assert "I wrote 3: they gave figures that I have no evidence for." in said
    assert "48,213" not in said
    assert "reference" in said


async def test_bold_is_kept_for_slack_and_block_quotes_are_not(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("**Two** tasks are late.\n> Fix the listing\n")
    async with minded(bench, agency, mind) as stage:
        said = await stage.reply(INES, await stage.say(INES, "what is late?"))

    [block] = [one for one in said["blocks"] if one["type"] == "markdown"]
    assert block["text"] == "**Two** tasks are late.\nFix the listing"
    assert len(mind.told) == 1


async def test_an_answer_says_which_procedure_it_rests_on(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(
        calls("search_kb", query="coupon or discount or restock"),
        "The Coupons Promotion SOP has the steps.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "how do we set up a coupon?")
        said = whole_text(await stage.reply(INES, root))

    assert "Rests on: Coupons Promotion SOP." in said
