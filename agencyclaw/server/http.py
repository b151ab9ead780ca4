"""The HTTP server for health, metrics and Slack's requests; it closes before everything else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

from aiohttp import web
from aiohttp.typedefs import Middleware

from agencyclaw.domain.errors import Broken, Misconfigured

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True)
class HttpLimits:
    """Limits per caller: bytes of a body, simultaneous connections, seconds of silence.

    `takes_forms`: bodies are read as forms, which may have files.
    """

    body_bytes: int = 1024 * 1024
    connections: int = 256
    # From the connection, or the last response, to a complete request head.
    idle_s: float = 15.0
    body_s: float = 15.0
    takes_forms: bool = False


BOUNDS = HttpLimits()


@asynccontextmanager
async def serving(
    host: str,
    port: int,
    routes: Mapping[tuple[str, str], Handler],
    *,
    drain_s: float,
    bounds: HttpLimits = BOUNDS,
) -> AsyncGenerator[int]:
    """Serve handlers by method and path, and yield the port; open requests finish at the end.

    Port 0 takes any free one. Raises Misconfigured if the address can't be used.
    """
    app = web.Application(client_max_size=bounds.body_bytes, middlewares=[_whole_body(bounds)])
    for (method, path), handler in routes.items():
        app.router.add_route(method, path, handler)
    # Slack's signature covers the bytes as sent, so nothing is decompressed.
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=drain_s,
        keepalive_timeout=bounds.idle_s,
        lingering_time=1.0,
        auto_decompress=False,
    )
    await runner.setup()
    try:
        listener = await _listen(runner, host, port, bounds)
        try:
            yield int(listener.sockets[0].getsockname()[1])
        finally:
            listener.close()
    finally:
        await runner.cleanup()


def _whole_body(bounds: HttpLimits) -> Middleware:
    """Read a body before the handler runs, so that no slow caller occupies a handler."""

    @web.middleware
    async def read(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            async with asyncio.timeout(bounds.body_s):
                await (request.post() if bounds.takes_forms else request.read())
        except TimeoutError:
            late = web.Response(status=408)
            late.force_close()
            return late
        return await handler(request)

    return read


async def _listen(
    runner: web.AppRunner, host: str, port: int, bounds: HttpLimits
) -> asyncio.Server:
    server = runner.server
    if server is None:
        raise Broken("The HTTP server is used before it is set up.")

    def accept() -> asyncio.BaseProtocol:
        return server() if len(server.connections) < bounds.connections else _Full()

    try:
        return await asyncio.get_running_loop().create_server(accept, host, port)
    except OSError as error:
        raise Misconfigured(
            f"Nothing can listen on {host}, port {port} ({error.strerror}). Choose another port"
            " with --port, or for `serve` correct AGENCYCLAW_HTTP_PORT or AGENCYCLAW_HTTP_HOST."
        ) from error


class _Full(asyncio.Protocol):
    """Rejects a connection at once, because the maximum is reached."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Answer that we are full, and close."""
        caller = cast(asyncio.Transport, transport)
        caller.write(_FULL)
        caller.close()
