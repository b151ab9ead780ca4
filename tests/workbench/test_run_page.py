"""Runs in the workbench: spans come from the real exporter, and a real browser shows them."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace import Status, StatusCode, Tracer

from tests.browser import Browser, why_no_browser
from workbench.server import build_app
from workbench.storage import Storage

MESSAGES = [
    {"role": "user", "parts": [{"type": "text", "content": "an earlier question"}]},
    {
        "role": "user",
        "parts": [
            {"type": "text", "content": "[Situation] Today is Monday."},
            {"type": "text", "content": "a coupon for <b>Copperleaf</b>"},
        ],
    },
    {"role": "assistant", "parts": [{"type": "text", "content": "It is prepared."}]},
]


@pytest.fixture
async def origin() -> AsyncIterator[str]:
    runner = web.AppRunner(build_app(Storage(":memory:")))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    yield f"http://{host}:{port}"
    await runner.cleanup()


@pytest.fixture
def tracer(origin: str) -> Iterator[Tracer]:
    provider = TracerProvider()
    exporter = OTLPSpanExporter(f"{origin}/v1/traces", timeout=60)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield provider.get_tracer("test")
    provider.shutdown()


def message(tracer: Tracer, run: str) -> None:
    """A turn with one model request and one tool that prepared something."""
    tokens = {"gen_ai.usage.input_tokens": 90, "gen_ai.usage.output_tokens": 7}
    told = {"pydantic_ai.all_messages": json.dumps(MESSAGES), "pydantic_ai.new_message_index": 1}
    told |= {"gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be brief."}])}
    within = tracer.start_as_current_span
    with (
        within("turn"),
        within("agent.act", attributes={"run": run, "outcome": "Answered"}),
        within("invoke_agent agencyclaw", attributes=told),
    ):
        with within("chat some-model"):
            tracer.start_span("model request", attributes=tokens).end()
        with within("execute_tool create_task"):
            tracer.start_span("tool", attributes={"outcome": "proposed"}).end()


def effect(tracer: Tracer, run: str) -> None:
    attributes = {"run": run, "outcome": "Done"}
    tracer.start_span("effect", attributes=attributes).end()


async def look(origin: str, path: str) -> tuple[int, dict[str, Any]]:
    async with aiohttp.ClientSession() as session, session.get(f"{origin}/_control/{path}") as got:
        return got.status, await got.json()


async def test_a_run_is_everything_that_names_it_across_traces(origin: str, tracer: Tracer) -> None:
    await asyncio.to_thread(message, tracer, "run-1")
    await asyncio.to_thread(effect, tracer, "run-1")
    await asyncio.to_thread(message, tracer, "run-2")

    _, listed = await look(origin, "runs")
    _, found = await look(origin, "runs/run-1")

    assert [run["id"] for run in listed["runs"]] == ["run-2", "run-1"]
    short = {k: v for k, v in found["run"].items() if k not in {"id", "start", "took"}}
    assert short == {
        "parent": None,
        "is_faulty": False,
        "outcome": "Answered",
        "text": "a coupon for <b>Copperleaf</b>",
        "tools": 1,
        "prepared": 1,
        "carried_out": 1,
        "requests": 1,
        "tokens_in": 90,
        "tokens_out": 7,
        "cost_usd": None,
    }
    assert [trace["spans"][0]["name"] for trace in found["traces"]] == ["turn", "effect"]


def delegation(tracer: Tracer) -> None:
    """A turn that sent two others to look something up."""
    within = tracer.start_as_current_span
    with within("turn"), within("agent.act", attributes={"run": "run-1", "outcome": "Answered"}):
        tracer.start_span("tool", attributes={"run": "run-1"}).end()
        for child in ("child-1", "child-2"):
            with within("agent.child", attributes={"run": child, "outcome": "Finding"}):
                begun = {"run": child, "parent_run": "run-1"}
                tracer.start_span("agent.child.begin", attributes=begun).end()
                tracer.start_span("tool", attributes={"run": child}).end()


async def test_those_a_run_sent_stand_below_it_with_what_is_their_own(
    origin: str, tracer: Tracer
) -> None:
    await asyncio.to_thread(delegation, tracer)
    await asyncio.to_thread(message, tracer, "run-2")

    _, listed = await look(origin, "runs")

    assert [(run["id"], run["parent"]) for run in listed["runs"]] == [
        ("run-2", None),
        ("run-1", None),
        ("child-1", "run-1"),
        ("child-2", "run-1"),
    ]
    assert [run["tools"] for run in listed["runs"]] == [1, 3, 1, 1]
    assert [run["outcome"] for run in listed["runs"]] == ["Answered", "Answered", *["Finding"] * 2]


async def test_a_click_on_proposals_of_two_runs_belongs_to_both(
    origin: str, tracer: Tracer
) -> None:
    def click() -> None:
        tracer.start_span("consent", attributes={"runs": ["run-1", "run-2"]}).end()

    await asyncio.to_thread(click)

    assert (await look(origin, "runs/run-1"))[0] == (await look(origin, "runs/run-2"))[0] == 200


async def test_only_the_newest_runs_are_kept(origin: str, tracer: Tracer) -> None:
    def many() -> None:
        for number in range(303):
            effect(tracer, f"run-{number}")

    await asyncio.to_thread(many)

    assert (await look(origin, "runs/run-2"))[0] == 404
    assert (await look(origin, "runs/run-3"))[0] == 200


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [("application/x-protobuf", b"\xff\xff", 400), ("application/json", b"{}", 415)],
)
async def test_what_is_no_export_is_refused(
    origin: str, kind: str, body: bytes, status: int
) -> None:
    async with aiohttp.ClientSession() as session:
        sent = session.post(f"{origin}/v1/traces", data=body, headers={"Content-Type": kind})
        async with sent as answer:
            assert answer.status == status


async def test_the_page_shows_words_calls_and_a_waterfall(origin: str, tracer: Tracer) -> None:
    if reason := why_no_browser():
        pytest.skip(reason)
    await asyncio.to_thread(message, tracer, "run-1")
    async with Browser() as page:
        await page.goto(f"{origin}/runs")
        await page.wait_for_text("[data-testid=transcript]", "It is prepared.")
        words = await page.text("[data-testid=transcript]")
        rows = await page.evaluate(
            "[...document.querySelectorAll('[data-span]')].map((row) => row.dataset.span)"
        )
        await page.click("summary", "execute_tool create_task")
        await page.wait_for_text("[data-span^=execute_tool]", "proposed")
        await asyncio.to_thread(message, tracer, "run-2")
        await page.wait_for("document.querySelectorAll('[data-testid=runs] li').length === 2")
        await page.type("input[type=search]", "RUN-1")
        await page.wait_for("document.querySelectorAll('[data-testid=runs] li').length === 1")

        assert page.errors == []
    assert "a coupon for <b>Copperleaf</b>" in words
    assert "Instructions\nBe brief." in words
    assert "an earlier question" not in words
    assert rows == [
        "turn",
        "agent.act",
        "invoke_agent agencyclaw",
        "chat some-model",
        "execute_tool create_task",
    ]


async def test_a_failed_span_shows_what_failed(origin: str, tracer: Tracer) -> None:
    def fail() -> None:
        with tracer.start_as_current_span("agent.act", attributes={"run": "run-1"}) as span:
            span.set_status(Status(StatusCode.ERROR, "the model is away"))

    await asyncio.to_thread(fail)
    _, found = await look(origin, "runs/run-1")

    assert found["run"]["is_faulty"]
    assert found["traces"][0]["spans"][0]["fault"] == "the model is away"
