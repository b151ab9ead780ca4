"""Builds the workbench's aiohttp application: Slack, ClickUp, the control API and the page."""

from collections.abc import AsyncIterator, Sequence

from aiohttp import web

from workbench.clickup.api import add_clickup_routes
from workbench.clock import MachineClock
from workbench.control.routes import add_control_routes, add_unknown_control_route
from workbench.events import EVENTS, Broadcaster
from workbench.faults import Faults
from workbench.guard import guarded_by
from workbench.page import add_page_routes
from workbench.slack.rate import SlackRate
from workbench.slack.routes import add_slack_routes
from workbench.slack.socket_hub import Hub, Timeouts
from workbench.slack.socket_routes import HUB, add_socket_routes
from workbench.slack.workspace import open_workspace
from workbench.storage import Storage
from workbench.traces.collector import add_trace_routes

_LARGEST_BODY = 16 * 1024 * 1024


def build_app(
    storage: Storage,
    *,
    retry_delays: Sequence[float] = (0.0, 60.0, 300.0),
    ack_timeout: float = 3.0,
    answer_timeout: float | None = None,
    trigger_ttl: float = 3.0,
    clock: MachineClock | None = None,
    token: str = "",
) -> web.Application:
    """Return the workbench over one storage, without seeding it.

    `answer_timeout` is how many seconds a press or a command waits; unless given, as long as an
    event.
    """
    clock, events, faults = clock or MachineClock(), Broadcaster(), Faults()
    timeouts = Timeouts(ack_timeout, ack_timeout if answer_timeout is None else answer_timeout)
    hub = Hub(storage, clock, faults, events, retry_delays, timeouts)
    workspace = open_workspace(storage, clock, events, hub, trigger_ttl)
    app = web.Application(client_max_size=_LARGEST_BODY, middlewares=[guarded_by(token)])
    app[EVENTS] = events
    tickets = add_socket_routes(app, hub, storage, clock)
    rate = SlackRate(clock)
    add_slack_routes(app, workspace, faults, tickets, rate)
    add_control_routes(app, workspace, faults, rate)
    add_clickup_routes(app, storage, faults, clock)
    add_trace_routes(app, storage)
    add_page_routes(app)
    add_unknown_control_route(app)
    app.cleanup_ctx.append(_run_hub)
    app.on_shutdown.append(_stop_hub)
    return app


async def _run_hub(app: web.Application) -> AsyncIterator[None]:
    app[HUB].start()
    yield
    await app[HUB].stop()


async def _stop_hub(app: web.Application) -> None:
    """Close the websockets before the server waits for open requests."""
    await app[HUB].stop()
