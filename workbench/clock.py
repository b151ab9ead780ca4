"""The workbench's clock, which tests can move."""

import asyncio
import time


class MachineClock:
    """The machine's time."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class MovableClock(MachineClock):
    """Time that runs as usual; `advance` moves it ahead and wakes sleepers that are due."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._moved = asyncio.Event()

    def now(self) -> float:
        return super().now() + self._ahead

    def advance(self, seconds: float) -> None:
        self._ahead += seconds
        self._moved.set()
        self._moved = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        until = self.now() + seconds
        while (left := until - self.now()) > 0:
            moved = self._moved
            waiter = asyncio.ensure_future(moved.wait())
            try:
                await asyncio.wait({waiter}, timeout=left)
            finally:
                waiter.cancel()
