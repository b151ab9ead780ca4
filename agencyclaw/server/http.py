"""One small HTTP server beside the work: built from handlers, closed before anything else ends."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

from agencyclaw.domain.errors import Misconfigured

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_LARGEST_BODY = 4 * 1024 * 1024


@asynccontextmanager
async def serving(
    host: str, port: int, routes: Mapping[tuple[str, str], Handler], *, drain_s: float
) -> AsyncGenerator[int]:
    """Serve handlers by method and path, and give the port; at the end open requests finish.

    Port 0 takes any free one. Raises Misconfigured when the address can't be had.
    """
    app = web.Application(client_max_size=_LARGEST_BODY)
    for (method, path), handler in routes.items():
        app.router.add_route(method, path, handler)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=drain_s)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise Misconfigured(
                f"Nothing can listen on {host}, port {port} ({error.strerror}): "
                "AGENCYCLAW_HTTP_HOST and AGENCYCLAW_HTTP_PORT say where."
            ) from error
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
