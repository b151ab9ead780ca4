"""Traces as operators read them: saved queries find what they name, a run links to its own."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path

import asyncpg
import logfire
import pytest
from acting import ASKED, INES, TASK, Acting, ScriptedModel, calls, offer, text, turn
from aiohttp import web
from aiohttp.test_utils import TestServer
from fakes.judges import Reader
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.models.function import FunctionModel
from stage import on_stage

from agencyclaw.agents.main import Models
from agencyclaw.cli.reports import show_run
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import load_settings
from agencyclaw.store.engine import Database
from agencyclaw.telemetry.tracing import trace_link
from workbench.fixture import Bench

PAGE = (Path(__file__).parents[2] / "docs" / "observability.md").read_text(encoding="utf-8")
QUERIES = [
    one for one in re.findall(r"^```sql\n(.*?)^```", PAGE, re.S | re.M) if "FROM records" in one
]
RECORDS = """
create temp table records (start_timestamp timestamptz, trace_id text, span_name text,
  duration double precision, attributes jsonb)
"""


@pytest.fixture
async def records(
    bench: Bench, agency: Database, spans: InMemorySpanExporter
) -> AsyncGenerator[asyncpg.Connection]:
    """A table as Logfire's explorer has it, with the spans of a few eventful messages."""
    await play(bench, agency)
    connection = await asyncpg.connect(agency.dsn)
    await connection.execute(RECORDS)
    await connection.executemany(
        "insert into records values (to_timestamp($1), $2, $3, $4, $5::jsonb)",
        [row(span) for span in spans.get_finished_spans()],
    )
    yield connection
    await connection.close()


def row(span: ReadableSpan) -> tuple[float, str, str, float, str]:
    start, end = span.start_time or 0, span.end_time or 0
    context = span.get_span_context()
    assert context is not None
    # Logfire stores what the SDK wrote as JSON as what it is.
    told = {name: unpacked(value) for name, value in (span.attributes or {}).items()}
    trace = f"{context.trace_id:032x}"
    return start / 1e9, trace, span.name, (end - start) / 1e9, json.dumps(told)


def unpacked(value: object) -> object:
    if isinstance(value, str) and value.startswith(('["', '{"', "[]")):
        return json.loads(value)
    return value


async def play(bench: Bench, agency: Database) -> None:
    """A task that is created, an answer sent back, one that the judge reads, a fault, no answer."""
    mind = ScriptedModel(
        calls("lookup_client", query="Glintly"),
        calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED),
        "I used create_task for you.",
        "It is on the card.",
    )
    judge = Reader()
    models = Models(FunctionModel(mind.answer, model_name="mind"), judge=judge.model())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agencyclaw.app.choose_models", lambda _: (models, "mind"))
        async with on_stage(bench, agency) as stage:
            root = await stage.say(INES, "make a task for the Glintly Inc banner")
            await stage.press(INES, await offer(stage, INES, root), "Create task")
            await stage.reply_with(INES, root, "Created “")
            await bench.set_fault("clickup", "unauthorized", times=1)
            mind.answers(calls("list_tasks", client="Glintly Inc"), "Hello there, Ines.")
            await stage.reply_with(INES, await stage.say(INES, "hello there"), "Hello there")
            judge.is_away = True
            await stage.reply_with(INES, await stage.say(INES, "hello again"), "Hello there")
            mind.answers(ModelHTTPError(401, "mind"))
            await stage.reply_with(INES, await stage.say(INES, "what is new?"), "refuses me")
            await stage.settled()


async def test_every_saved_query_finds_what_it_names(records: asyncpg.Connection) -> None:
    """No query reads an attribute that no span of its name carries, and each runs as it is told."""
    assert len(QUERIES) >= 8
    for query in QUERIES:
        [name] = re.findall(r"span_name = '([^']+)'", query)
        for attribute in set(re.findall(r"attributes->>'([^']+)'", query)):
            carried = await records.fetchval(
                "select count(*) from records where span_name = $1 and attributes ? $2",
                name,
                attribute,
            )
            assert carried, f"no span “{name}” carries {attribute}"
        assert await records.fetch(query), query


async def test_a_run_links_to_the_trace_its_spans_are_in(
    agency: Database, records: asyncpg.Connection
) -> None:
    run, trace = await agency.pool.fetchrow("select id, trace_id from agent_runs limit 1")

    assert await records.fetchval(
        "select trace_id from records where span_name = 'turn' and trace_id = $1", trace
    )
    assert await link_to(str(run), trace, agencyclaw_trace_url=JAEGER) == (
        f"https://jaeger.example/trace/{trace}?run={run}"
    )


JAEGER = "https://jaeger.example/trace/{trace}?run={run}"
TOKEN = "pylf_v1_us_nobodys"
BARE = {"logfire_token": "", "otel_exporter_otlp_endpoint": "", "agencyclaw_trace_url": ""}


async def link_to(run: str, trace: str, **settings: str) -> str:
    return await trace_link(load_settings({**BARE, **settings}), run=run, trace=trace)


@pytest.fixture
async def logfire_page() -> AsyncGenerator[str]:
    """Something that knows, as Logfire does, which project a token writes to."""

    async def info(request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == TOKEN
        return web.json_response({"project_name": "claw", "project_url": PROJECT})

    app = web.Application()
    app.router.add_get("/v1/info", info)
    async with TestServer(app) as server:
        yield str(server.make_url(""))


PROJECT = "https://logfire.example/lanternfish/claw"


async def test_logfire_is_asked_for_the_page_of_the_project(logfire_page: str) -> None:
    logfire.configure(
        send_to_logfire=False,
        console=False,
        advanced=logfire.AdvancedOptions(base_url=logfire_page),
    )

    link = await link_to("r1", "ab12", logfire_token=TOKEN)

    assert link == f"{PROJECT}?q=trace_id%3D%27ab12%27"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({}, False),
        ({"otel_exporter_otlp_endpoint": "http://127.0.0.1:4318"}, True),
        ({"otel_exporter_otlp_traces_endpoint": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"logfire_token": TOKEN}, True),
    ],
    ids=["nothing leaves", "a collector whose pages nobody knows", "one for spans", "Logfire away"],
)
async def test_without_a_link_it_says_how_to_have_one(
    acting: Acting, settings: dict[str, str], says: bool
) -> None:
    stage = await acting(turn("hello", text("Hello!")))
    await stage.reply(INES, await stage.say(INES, "hello"))
    nowhere = logfire.AdvancedOptions(base_url="http://127.0.0.1:1")
    logfire.configure(send_to_logfire=False, console=False, advanced=nowhere)

    run = str(await stage.db.pool.fetchval("select id from agent_runs"))
    loaded = load_settings({**BARE, **settings})

    shown = await show_run(stage.db, run, loaded, as_json=False)
    data = json.loads(await show_run(stage.db, run, loaded, as_json=True))

    assert ("  no link: set AGENCYCLAW_TRACE_URL" in shown) is says
    assert "trace_url" not in data


async def test_an_address_without_a_place_for_the_id_is_refused() -> None:
    with pytest.raises(Misconfigured, match="AGENCYCLAW_TRACE_URL"):
        load_settings({"agencyclaw_trace_url": "https://jaeger.example/"})
