"""Deadlines that come when a test says so, and pauses that nobody sits out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from agencyclaw.clickup.limiter import Clock
from agencyclaw.domain.request_budget import Grant
from agencyclaw.slack.web import Method, Web
from workbench.fixture import Bench

# An allowance that nobody uses up, and that a test recognises its runs by.
AMPLE_S = 500.0


class SkippedTime:
    """Time that jumps over whatever somebody sleeps."""

    def __init__(self) -> None:
        self._skipped = 0.0

    def clock(self) -> Clock:
        return Clock(steady=self._steady, sleep=self._sleep)

    def _steady(self) -> float:
        return time.monotonic() + self._skipped

    async def _sleep(self, seconds: float) -> None:
        self._skipped += seconds
        await asyncio.sleep(0)


class AmpleBudget:
    """A budget of requests without an end, because the database's time can't be skipped."""

    def __init__(self, *_: object) -> None:
        """Take what the real one takes."""

    async def take(self, *, is_write: bool) -> Grant:
        return Grant(100)

    async def hold(self, seconds: float) -> None:
        pass


class Deadlines:
    """The agent runs that were given `AMPLE_S`, and the moment in which their time is over."""

    def __init__(self) -> None:
        self._timers: list[tuple[asyncio.TimerHandle, Callable[[], object]]] = []

    def note(self, delay: float, timer: asyncio.TimerHandle, expire: Callable[[], object]) -> None:
        if AMPLE_S - 60 < delay <= AMPLE_S:
            self._timers.append((timer, expire))

    def come(self) -> None:
        """The time of those that still run is over."""
        running = [expire for timer, expire in self._timers if not timer.cancelled()]
        assert running, "no run has such a deadline"
        for expire in running:
            expire()


@asynccontextmanager
async def watched_deadlines(patch: pytest.MonkeyPatch) -> AsyncGenerator[Deadlines]:
    """Learn of every run's deadline from the timer that the library starts for it."""
    loop, deadlines = asyncio.get_running_loop(), Deadlines()
    call_later = loop.call_later

    def noted(delay: float, callback: Any, *args: Any, **more: Any) -> asyncio.TimerHandle:
        timer = call_later(delay, callback, *args, **more)
        if getattr(callback, "__name__", "") == "expire":
            deadlines.note(delay, timer, callback)
        return timer

    with patch.context() as patched:
        patched.setattr(loop, "call_later", noted)
        yield deadlines


def clickup_gives_up(patch: pytest.MonkeyPatch, bench: Bench, verb: str, operation: str) -> None:
    """The first such request runs out of time as soon as ClickUp has done what it asks for."""
    request = httpx.AsyncClient.request

    async def impatient(self: Any, method: str, *rest: Any, **more: Any) -> httpx.Response:
        if method != verb or await bench.log(target="clickup", operation=operation):
            return await request(self, method, *rest, **more)
        await _done(request(self, method, *rest, **more), bench, operation=operation)
        raise httpx.ReadTimeout("nobody waits any longer")

    patch.setattr(httpx.AsyncClient, "request", impatient)


def clickup_holds(patch: pytest.MonkeyPatch, verb: str) -> asyncio.Event:
    """What ClickUp answers to such requests arrives only once the event is set."""
    request, may_arrive = httpx.AsyncClient.request, asyncio.Event()

    async def held(self: Any, method: str, *rest: Any, **more: Any) -> httpx.Response:
        answer = await request(self, method, *rest, **more)
        if method == verb:
            await may_arrive.wait()
        return answer

    patch.setattr(httpx.AsyncClient, "request", held)
    return may_arrive


def slack_gives_up(patch: pytest.MonkeyPatch, bench: Bench, struck: Method) -> None:
    """The first call of this method runs out of time as soon as Slack has done its work."""
    send = Web._send

    async def impatient(self: Web, method: Method, given: dict[str, Any]) -> dict[str, Any]:
        if method is not struck or await bench.log(method=struck.value):
            return await send(self, method, given)
        await _done(send(self, method, given), bench, method=struck.value)
        raise TimeoutError

    patch.setattr(Web, "_send", impatient)


async def _done(sending: Awaitable[Any], bench: Bench, **what: str) -> None:
    """Wait until a request that hangs is carried out, and leave it."""
    task = asyncio.ensure_future(sending)
    await bench.until(lambda: bench.log(**what))
    assert not task.done()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
