"""`GET /_control/stream`: every change as a server-sent event."""

import asyncio
import json
from typing import Any

from aiohttp import web

from workbench.events import EVENTS

_HEARTBEAT_S = 15.0
_HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}
CLOSING: web.AppKey[asyncio.Event] = web.AppKey("closing", asyncio.Event)


async def serve_stream(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers=_HEADERS)
    await response.prepare(request)
    with request.app[EVENTS].watch() as changes:
        await response.write(b": hello\n\n")
        try:
            while not request.app[CLOSING].is_set():
                await response.write(await _next_chunk(changes, request.app[CLOSING]))
        except ConnectionError:
            pass
    return response


async def _next_chunk(changes: asyncio.Queue[dict[str, Any]], closing: asyncio.Event) -> bytes:
    change = asyncio.ensure_future(changes.get())
    stop = asyncio.ensure_future(closing.wait())
    waits: set[asyncio.Future[Any]] = {change, stop}
    try:
        await asyncio.wait(waits, timeout=_HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED)
        return f"data: {json.dumps(change.result())}\n\n".encode() if change.done() else b": \n\n"
    finally:
        for wait in waits:
            wait.cancel()


async def close_streams(app: web.Application) -> None:
    app[CLOSING].set()


def add_stream_route(app: web.Application) -> None:
    app[CLOSING] = asyncio.Event()
    app.on_shutdown.append(close_streams)
    app.router.add_get("/_control/stream", serve_stream)
