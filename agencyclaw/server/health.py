"""`/healthz` and `/readyz`: whether the process is alive, and whether it can do its work."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import logfire
from aiohttp import web

from agencyclaw.domain.errors import AgencyClawError, Broken, Misconfigured
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.store.engine import TROUBLE

Check = Callable[[], Awaitable[bool]]
_PATIENCE_S = 2.0
_GOOD_S, _BAD_S = 300.0, 15.0


@dataclass
class Neighbour:
    """An external service that is asked now and then; `ask` raises what is wrong."""

    name: str
    ask: Callable[[], Awaitable[object]]
    good_s: float = _GOOD_S
    bad_s: float = _BAD_S
    fault: AgencyClawError | None = None
    _asked_at: float | None = field(default=None, init=False)
    _asking: asyncio.Task[None] | None = field(default=None, init=False)

    async def is_usable(self, patience_s: float) -> bool | None:
        """Return whether it accepted our settings; None while that is unknown.

        An old answer is refreshed; the caller waits at most `patience_s` seconds for the new one.
        """
        if self._is_old() and self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        if self._asking is not None:
            await asyncio.wait({self._asking}, timeout=patience_s)
        return None if self._asked_at is None else self.fault is None

    async def close(self) -> None:
        """Cancel a question that is still open."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait({self._asking})

    def _is_old(self) -> bool:
        if self._asked_at is None:
            return True
        return time.monotonic() - self._asked_at > (self.bad_s if self.fault else self.good_s)

    async def _ask(self) -> None:
        # What stands if a bug ends the question.
        fault: AgencyClawError | None = Broken("Asking it failed.")
        try:
            await self.ask()
            fault = None
        except AgencyClawError as error:
            fault = error
            if str(error) != str(self.fault or ""):
                logfire.warn("{name} is not usable: {why}", name=self.name, why=why_of(error))
        finally:
            self.fault = fault
            self._asked_at = time.monotonic()
            self._asking = None


class Health:
    """Serves `/healthz`, for restarts, and `/readyz`, for traffic."""

    def __init__(
        self, checks: Mapping[str, Check], neighbours: Mapping[str, Neighbour] | None = None
    ) -> None:
        self._checks = checks
        self._neighbours = neighbours or {}

    async def alive(self, _: web.Request) -> web.Response:
        """Answer 200: the event loop runs."""
        return web.json_response({"alive": True})

    async def ready(self, _: web.Request) -> web.Response:
        """Answer 200 if everything is there, else 503, with each check by name.

        An unavailable service is reported but no reason to stop traffic, as messages wait for it.
        One that refuses our settings is.
        """
        checks = [_holds(check) for check in self._checks.values()]
        answers = [service.is_usable(_PATIENCE_S) for service in self._neighbours.values()]
        passed = await asyncio.gather(*checks, *answers)
        results = dict(zip([*self._checks, *self._neighbours], passed, strict=True))
        faults = {name: service.fault for name, service in self._neighbours.items()}
        why = {name: why_of(fault) for name, fault in faults.items() if fault}
        is_misconfigured = any(isinstance(fault, Misconfigured) for fault in faults.values())
        is_ready = all(results[name] for name in self._checks) and not is_misconfigured
        body = {"ready": is_ready, **results, **({"why": why} if why else {})}
        return web.json_response(body, status=200 if is_ready else 503)


def why_of(fault: AgencyClawError) -> str:
    """Return what is wrong, for an operator's log."""
    return redacted(str(fault)) or type(fault).__name__


async def _holds(check: Check) -> bool:
    try:
        async with asyncio.timeout(_PATIENCE_S):
            return await check()
    except (*TROUBLE, AgencyClawError):
        return False
