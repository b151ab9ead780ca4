"""The socket finds back, even when an address it was given leads nowhere."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from agencyclaw.slack.connection import PatientSocket
from agencyclaw.slack.web import Web


@dataclass
class Gatekeeper:
    """Gives out addresses that work once; the first ones it forgets at once."""

    forgets: int
    url: str = ""
    given: int = 0
    knocks: list[str] = field(default_factory=list)

    async def give(self, _: web.Request) -> web.Response:
        self.given += 1
        return web.json_response({"ok": True, "url": f"{self.url}/socket/{self.given}"})

    async def meet(self, request: web.Request) -> web.StreamResponse:
        ticket = request.match_info["ticket"]
        self.knocks.append(ticket)
        if int(ticket) <= self.forgets:
            return web.Response(status=404)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for _ in socket:
            pass
        return socket


@pytest.fixture
async def gate() -> AsyncIterator[Gatekeeper]:
    gate = Gatekeeper(forgets=2)
    app = web.Application()
    app.router.add_post("/api/apps.connections.open", gate.give)
    app.router.add_get("/socket/{ticket}", gate.meet)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    gate.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield gate
    await runner.cleanup()


async def test_an_address_that_leads_nowhere_is_given_up_for_a_new_one(gate: Gatekeeper) -> None:
    slack = Web("xoxb-test", f"{gate.url}/api/")
    await slack.open()
    socket = PatientSocket("xapp-test", web_client=slack.client, ping_interval=0.03)
    socket.proxy = None
    async with asyncio.timeout(300):
        await socket.connect()
    assert await socket.is_connected()
    assert gate.given == 3
    assert gate.knocks[-1] == "3"
    await socket.close()
    await slack.close()
