"""The websocket's route: a ticket from `apps.connections.open`, then hello, envelopes and acks."""

import json
import secrets
from typing import Any

from aiohttp import WSMsgType, web

from workbench.clock import MachineClock
from workbench.slack.records import APP
from workbench.slack.socket_connections import MOST_CONNECTIONS, SocketConnection
from workbench.slack.socket_hub import Hub
from workbench.slack.texts import as_object
from workbench.storage import Storage

_TICKETS = "slack/tickets"
_TICKET_TTL = 30.0


class Tickets:
    """Addresses that work once, and for a short time.

    They are stored, because a client whose ticket is refused retries the same one for ever.
    """

    def __init__(self, storage: Storage, clock: MachineClock) -> None:
        self._storage = storage
        self._clock = clock

    def issue(self) -> str:
        ticket = secrets.token_urlsafe(16)
        self._storage.put(_TICKETS, ticket, {"expires": self._clock.now() + _TICKET_TTL})
        return ticket

    def redeem(self, ticket: str) -> bool:
        issued = self._storage.get(_TICKETS, ticket)
        self._storage.delete(_TICKETS, ticket)
        return issued is not None and issued["expires"] > self._clock.now()


HUB: web.AppKey[Hub] = web.AppKey("hub", Hub)
TICKETS: web.AppKey[Tickets] = web.AppKey("tickets", Tickets)


async def serve_socket(request: web.Request) -> web.StreamResponse:
    if not request.app[TICKETS].redeem(request.match_info["ticket"]):
        raise web.HTTPForbidden(text="the ticket is unknown, used or expired")
    socket = web.WebSocketResponse(timeout=1.0)
    await socket.prepare(request)
    connection, hub = SocketConnection(socket, request), request.app[HUB]
    if len(hub.connections) >= MOST_CONNECTIONS:
        await connection.send({"type": "disconnect", "reason": "too_many_websockets"})
        await connection.close()
        return socket
    await connection.send(_hello(request, len(hub.connections) + 1))
    hub.attach(connection)
    try:
        await _read_acks(socket, hub)
    except ConnectionError:
        pass  # it went away while it was being answered
    finally:
        hub.detach(connection)
    return socket


async def _read_acks(socket: web.WebSocketResponse, hub: Hub) -> None:
    async for message in socket:
        if message.type is WSMsgType.TEXT:
            frame = _parse(message.data)
            if isinstance(frame.get("envelope_id"), str):
                hub.acknowledge(frame["envelope_id"], as_object(frame.get("payload")))


def _parse(text: str) -> dict[str, Any]:
    try:
        frame = json.loads(text)
    except ValueError:
        return {}
    return as_object(frame)


def _hello(request: web.Request, connections: int) -> dict[str, Any]:
    return {
        "type": "hello",
        "num_connections": connections,
        "connection_info": {"app_id": APP},
        "debug_info": {
            "host": request.host,
            "build_number": 1,
            "approximate_connection_time": 18060,
        },
    }


def add_socket_routes(
    app: web.Application, hub: Hub, storage: Storage, clock: MachineClock
) -> Tickets:
    app[HUB] = hub
    tickets = app[TICKETS] = Tickets(storage, clock)
    app.router.add_get("/socket/{ticket}", serve_socket)
    return tickets
