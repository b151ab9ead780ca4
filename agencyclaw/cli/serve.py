"""`agencyclaw serve`: the assistant on Slack, with an optional HTTP server, until it is stopped."""

from __future__ import annotations

import argparse
import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import logfire

from agencyclaw.agents.prompts import require_prompts
from agencyclaw.app import Assistant, Services, assistant, terminal
from agencyclaw.cli.checks import check_clickup, check_models
from agencyclaw.cli.database import open_with_tools
from agencyclaw.cli.eventloop import end_at_eof, freeze_loaded_objects
from agencyclaw.conversation.deliveries import Deliveries
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.server import debug_chat, results_endpoint
from agencyclaw.server.debug_chat import ChatRequest, DebugChat, Talk
from agencyclaw.server.health import Health, Neighbour
from agencyclaw.server.http import Handler, serving
from agencyclaw.server.metrics import Metrics
from agencyclaw.server.results_endpoint import ResultsEndpoint
from agencyclaw.server.terminal import TerminalLine, talk
from agencyclaw.settings import Settings
from agencyclaw.slack.over_http import PATH
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import DEBUG, TERMINAL
from agencyclaw.store.stats import Stats

Neighbours = dict[str, Neighbour]
_MODEL_PATIENCE_S = 5.0


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Answer until a signal arrives or standard input ends."""
    settings.require_slack(over_http=options.http)
    settings.require_clickup()
    if not options.demo_agency:
        settings.require_model()
    require_prompts()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    if options.until_eof:
        end_at_eof(stop.set)
    listens = asyncio.Event()
    service = asyncio.create_task(_serve_until(stop, listens, settings, options))
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({service, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not listens.is_set() and not service.done():
            # Nothing is promised to anybody yet, and the start may wait for long.
            service.cancel()
        await asyncio.wait({service})
    finally:
        stopped.cancel()
    return 0 if service.cancelled() else service.result()


async def _serve_until(
    stop: asyncio.Event, listens: asyncio.Event, settings: Settings, options: argparse.Namespace
) -> int:
    async with (
        start_checks(settings) as neighbours,
        open_with_tools(settings, fresh=options.fresh) as db,
    ):
        if options.demo_agency:
            from agencyclaw.store.seed import seed

            await seed(db)
        await require_model_answer(neighbours)
        async with (
            assistant(settings, db, over_http=options.http) as running,
            serving_http(settings, db, running, neighbours),
        ):
            listens.set()
            freeze_loaded_objects()
            transport = "http" if options.http else "socket"
            team = running.edge.me.team_id
            logfire.info("started", model=settings.model, slack=transport, team=team)
            if not options.until_eof:
                print(f"AgencyClaw is listening ({settings.model}). Stop with Ctrl-C.", flush=True)
            await stop.wait()
            logfire.info("draining", at_most_s=settings.agencyclaw_drain_s)
            # Keep listening meanwhile: Slack does not resend a press that nobody took.
            await running.queue.stop()
    logfire.info("stopped")
    return 0


@asynccontextmanager
async def start_checks(settings: Settings) -> AsyncGenerator[Neighbours]:
    """Check ClickUp and the model while the assistant starts, and keep the answers."""
    neighbours = {"clickup": Neighbour("ClickUp", partial(check_clickup, settings))}
    if settings.models:
        neighbours["model"] = Neighbour("The language model", partial(check_models, settings))
    for neighbour in neighbours.values():
        await neighbour.is_usable(0)
    try:
        yield neighbours
    finally:
        await asyncio.gather(*(neighbour.close() for neighbour in neighbours.values()))


async def require_model_answer(neighbours: Neighbours) -> None:
    """Raise Misconfigured if the provider refuses our settings: every message would fail.

    A provider that is unavailable or slow does not delay the start.
    """
    model = neighbours.get("model")
    if model is None:
        return
    await model.is_usable(_MODEL_PATIENCE_S)
    if isinstance(model.fault, Misconfigured):
        raise model.fault


@asynccontextmanager
async def serving_http(
    settings: Settings, db: Database, running: Assistant, neighbours: Neighbours | None = None
) -> AsyncGenerator[None]:
    """Serve HTTP if a port is set: health, metrics, and Slack's requests if configured."""
    if not settings.agencyclaw_http_port:
        yield
        return
    stats = Stats(db)
    health = Health(
        {
            "database": stats.is_reachable,
            "schema": stats.is_migrated,
            "worker": running.queue.is_working,
            "slack": running.edge.is_connected,
        },
        neighbours,
    )
    routes: dict[tuple[str, str], Handler] = {
        ("GET", "/healthz"): health.alive,
        ("GET", "/readyz"): health.ready,
        ("GET", "/metrics"): Metrics(stats).show,
    }
    if settings.agencyclaw_results_token:
        deliveries = Deliveries(db, settings.super_admin_profile_ids)
        endpoint = ResultsEndpoint(settings.agencyclaw_results_token, deliveries.take)
        routes["POST", results_endpoint.PATH] = endpoint.receive
    if running.endpoint is not None:
        routes["POST", PATH] = running.endpoint.handle
    async with AsyncExitStack() as stack:
        if settings.agencyclaw_debug_token:
            services = await stack.enter_async_context(terminal(settings, db))
            chat = DebugChat(settings.agencyclaw_debug_token, _talk_with(settings, services))
            routes["POST", debug_chat.PATH] = chat.answer
        await stack.enter_async_context(
            serving(
                settings.agencyclaw_http_host,
                settings.agencyclaw_http_port,
                routes,
                drain_s=settings.agencyclaw_drain_s,
            )
        )
        yield


def _talk_with(settings: Settings, services: Services) -> Talk:
    """Return the debug chat's way into the pipeline: read-only unless changes are allowed."""

    async def send(text: str, request: ChatRequest) -> list[TerminalLine]:
        return await talk(
            services,
            text,
            person=request.person,
            thread=request.thread,
            super_admins=settings.super_admin_profile_ids,
            team=TERMINAL if settings.agencyclaw_debug_changes else DEBUG,
        )

    return send
