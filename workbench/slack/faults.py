"""Applies a planned fault to a Slack call, before or after its work is done."""

import asyncio
import math

from aiohttp import web

from workbench.clock import MachineClock
from workbench.faults import Fault
from workbench.requests import reset_connection
from workbench.slack.refusals import SlackRefusal

_HANG_S = 60.0


async def strike_before(
    fault: Fault | None, request: web.Request, clock: MachineClock
) -> web.Response | None:
    """Return the answer that replaces the work."""
    match fault.kind if fault else None:
        case "rate_limited":
            return rate_limited(math.ceil((fault.delay_s if fault else None) or 1))
        case "error_before":
            return _broken()
        case "html":
            page = "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>"
            return web.Response(status=502, text=page, content_type="text/html")
        case "reset_before":
            return _reset(request)
        case "hang_before":
            await clock.sleep((fault.delay_s if fault else None) or _HANG_S)
            return None
        case "unauthorized":
            return web.json_response(SlackRefusal("invalid_auth").body())
        case _:
            return None


async def strike_after(
    fault: Fault | None, request: web.Request, answer: web.Response, clock: MachineClock
) -> web.Response:
    """Return what becomes of the answer to finished work."""
    match fault.kind if fault else None:
        case "error_after":
            return _broken()
        case "reset_after":
            return _reset(request)
        case "hang_after":
            await _hang(request, clock, (fault.delay_s if fault else None) or _HANG_S)
            return answer
        case _:
            return answer


def rate_limited(seconds: int) -> web.Response:
    """Return the answer to a call beyond the limit."""
    body = {"ok": False, "error": "ratelimited"}
    return web.json_response(body, status=429, headers={"Retry-After": str(seconds)})


def _broken() -> web.Response:
    return web.json_response({"ok": False, "error": "internal_error"}, status=500)


async def _hang(request: web.Request, clock: MachineClock, seconds: float) -> None:
    """Hold the answer back, at most until the caller disconnects."""
    waited = asyncio.ensure_future(clock.sleep(seconds))
    try:
        while not waited.done() and request.transport is not None:
            await asyncio.wait({waited}, timeout=0.05)
    finally:
        waited.cancel()


def _reset(request: web.Request) -> web.Response:
    reset_connection(request)
    return web.Response(status=500)
