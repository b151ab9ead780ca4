"""Limits requests per token: concurrent slots, a sliding minute, and pauses after a 429."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from agencyclaw.domain.errors import Throttled
from agencyclaw.domain.request_budget import GRANT_KEPT_S, WINDOW_S, Grant

IN_FLIGHT = 6
FIRST_PAUSE_S = 5.0
LAST_PAUSE_S = 60.0
LONGEST_PAUSE_S = 600.0
# After so many the pause no longer grows.
_DOUBLINGS_AT_MOST = 10
MARGIN_S = 0.5


@dataclass(frozen=True)
class Clock:
    """The client's clock, which tests replace."""

    wall: Callable[[], float] = time.time
    steady: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class SharedBudget(Protocol):
    """The requests of one token, which several processes share."""

    async def take(self, *, is_write: bool) -> Grant:
        """Take some requests out of the budget, to be sent within `GRANT_KEPT_S`."""
        ...

    async def hold(self, seconds: float) -> None:
        """Let no process take any for so long."""
        ...


class Limiter:
    """Rate limiter of one token; it reserves a slot and a tenth of each minute for writes.

    With a `budget`, other processes of the token have their share of each minute as well.
    """

    def __init__(
        self,
        rate_per_minute: int,
        *,
        clock: Clock,
        in_flight: int = IN_FLIGHT,
        budget: SharedBudget | None = None,
    ) -> None:
        self._clock = clock
        self._budget = budget
        self._asking = asyncio.Lock()
        self._granted = 0
        self._granted_until = -math.inf
        self._rate = max(1, rate_per_minute)
        self._seats = asyncio.Semaphore(in_flight)
        self._read_seats = asyncio.Semaphore(max(1, in_flight - 1))
        self._sent: deque[float] = deque()
        self._held_until = -math.inf
        self._strikes = 0

    @asynccontextmanager
    async def slot(self, *, is_write: bool, until: float) -> AsyncGenerator[None]:
        """Hold a slot during a request.

        Raises Throttled, with nothing sent, if no slot would be free before `until`.
        """
        async with AsyncExitStack() as seats:
            await self._take_slot(seats, is_write=is_write, until=until)
            await self._wait(is_write=is_write, until=until)
            yield

    async def pause(self, after: float | None) -> float:
        """Pause the whole token after a 429, in all processes; returns the seconds.

        `after` is ClickUp's Retry-After. Without it, or if it keeps being 0, pauses grow.
        """
        now = self._clock.steady()
        # Several requests under way may be refused at once; that is one strike.
        self._strikes = max(1, self._strikes + (self._held_until <= now))
        doublings = min(self._strikes - 1, _DOUBLINGS_AT_MOST)
        backoff = min(LAST_PAUSE_S, FIRST_PAUSE_S * 2**doublings)
        if after is None or (after <= 0 and self._strikes > 1):
            pause = backoff
        else:
            pause = min(after + MARGIN_S, LONGEST_PAUSE_S)
        self._held_until = max(self._held_until, now + pause)
        if self._budget:
            await self._budget.hold(pause)
        return self._held_until - now

    def reset_pauses(self) -> None:
        """Reset the growing pauses, because ClickUp has answered."""
        self._strikes = 0

    async def _take_slot(self, seats: AsyncExitStack, *, is_write: bool, until: float) -> None:
        left = until - self._clock.steady()
        try:
            async with asyncio.timeout(left):
                if not is_write:
                    await seats.enter_async_context(self._read_seats)
                await seats.enter_async_context(self._seats)
        except TimeoutError:
            raise throttled(self._delay(is_write=is_write)) from None

    async def _wait(self, *, is_write: bool, until: float) -> None:
        while (delay := self._delay(is_write=is_write)) > 0 or not self._has_grant():
            if delay <= 0:
                delay = await self._ask_budget(is_write=is_write)
            if self._clock.steady() + delay > until:
                raise throttled(delay)
            if delay > 0:
                await self._clock.sleep(delay)
        self._granted -= 1
        self._sent.append(self._clock.steady())

    def _has_grant(self) -> bool:
        is_fresh = self._granted > 0 and self._clock.steady() < self._granted_until
        return self._budget is None or is_fresh

    async def _ask_budget(self, *, is_write: bool) -> float:
        """Take requests out of the shared budget; returns how long to wait, 0 if there are some."""
        async with self._asking:
            if self._budget is None or self._has_grant():
                return 0.0
            grant = await self._budget.take(is_write=is_write)
            self._granted = grant.requests
            self._granted_until = self._clock.steady() + GRANT_KEPT_S
            return 0.0 if grant.requests else grant.wait_s

    def _delay(self, *, is_write: bool) -> float:
        now = self._clock.steady()
        while self._sent and self._sent[0] + WINDOW_S <= now:
            self._sent.popleft()
        limit = self._rate if is_write else self._rate - self._rate // 10
        is_full = len(self._sent) >= limit
        opens = self._sent[len(self._sent) - limit] + WINDOW_S if is_full else now
        return max(opens, self._held_until) - now


def throttled(after: float) -> Throttled:
    """Return the error for a token that has to wait."""
    seconds = max(1, math.ceil(after))
    return Throttled(
        f"ClickUp asks us to slow down; it can be tried again in {seconds} s.", after=seconds
    )
