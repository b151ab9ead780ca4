"""Slack's requests over HTTP: what a repeated one says of the first."""

from __future__ import annotations

import asyncio
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

from workbench.clock import MachineClock
from workbench.slack.http_delivery import HttpConnection


class App:
    """Drops the connection of one event the first time, and refuses another."""

    def __init__(self) -> None:
        self.dropped = asyncio.Event()
        self.again: dict[str, str] = {}

    async def handle(self, request: web.Request) -> web.Response:
        if (await request.json())["name"] == "refused":
            return web.Response(status=503)
        if self.dropped.is_set():
            self.again = dict(request.headers)
        elif request.transport:
            request.transport.abort()
            self.dropped.set()
        return web.Response()


def frame(name: str, attempt: int = 0) -> dict[str, Any]:
    sent = {"envelope_id": f"{name} {attempt}", "type": "events_api", "retry_attempt": attempt}
    return sent | {"payload": {"name": name}}


async def test_a_repeated_request_says_nothing_of_another_that_failed() -> None:
    app, log, acknowledged = App(), asyncio.Queue[Any](), asyncio.Queue[Any]()
    site = web.Application()
    site.router.add_post("/", app.handle)
    async with TestServer(site) as server:
        connection = HttpConnection(
            str(server.make_url("/")),
            MachineClock(),
            lambda envelope, _: acknowledged.put_nowait(envelope),
            log.put_nowait,
            patience_s=60,
        )
        await connection.send(frame("dropped"))
        await app.dropped.wait()
        await connection.send(frame("refused"))
        assert (await log.get())["status"] == 503

        await connection.send(frame("dropped", attempt=1))

        assert await acknowledged.get() == "dropped 1"
        await connection.close()
    assert app.again["X-Slack-Retry-Num"] == "1"
    assert app.again.get("X-Slack-Retry-Reason") in (None, "connection_failed")
