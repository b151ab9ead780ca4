"""Whether the process lives, and whether it can do its work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.store.engine import TROUBLE

Check = Callable[[], Awaitable[bool]]
_PATIENCE_S = 2.0


class Health:
    """Answers whoever decides about restarts (`/healthz`) and about traffic (`/readyz`)."""

    def __init__(self, checks: Mapping[str, Check]) -> None:
        self._checks = checks

    async def alive(self, _: web.Request) -> web.Response:
        """Answer at all: the event loop turns."""
        return web.json_response({"alive": True})

    async def ready(self, _: web.Request) -> web.Response:
        """Answer 200 when everything is there, else 503; each check by its name."""
        held = await asyncio.gather(*(_holds(check) for check in self._checks.values()))
        found = dict(zip(self._checks, held, strict=True))
        is_ready = all(held)
        return web.json_response({"ready": is_ready, **found}, status=200 if is_ready else 503)


async def _holds(check: Check) -> bool:
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await check()
    except (*TROUBLE, AgencyClawError):
        return False
