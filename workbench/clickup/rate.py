"""ClickUp's rate limit: a number of requests a minute for each token."""

import math
from dataclasses import dataclass

from workbench.clock import MachineClock
from workbench.storage import Storage

PER_MINUTE = 100
_WINDOW_S = 60.0
_KIND = "clickup_rate"


@dataclass(frozen=True, slots=True)
class RateStatus:
    """A token's remaining requests, as in the response headers."""

    limit: int
    remaining: int
    reset: int
    allowed: bool = True

    @property
    def headers(self) -> dict[str, str]:
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(self.reset),
        }


class TokenRate:
    """Counts requests in windows that start with a token's first request; `limit` may change.

    The windows are stored; a reset of the workbench starts new ones.
    """

    def __init__(self, storage: Storage, clock: MachineClock) -> None:
        self.limit = PER_MINUTE
        self._storage = storage
        self._clock = clock

    def count(self, token: str) -> RateStatus:
        """Count a request, if it is allowed, and return the token's status."""
        opened, used = self._window(token)
        allowed = used < self.limit
        used += allowed
        self._storage.put(_KIND, token, {"opened": opened, "used": used})
        return self._status(opened, used, allowed)

    def status(self, token: str) -> RateStatus:
        """Return a token's status without counting a request."""
        return self._status(*self._window(token), True)

    def exhausted(self, wait_s: float) -> RateStatus:
        """Return the status of a token that must wait this long, without looking at its window."""
        now = self._clock.now()
        return RateStatus(self.limit, 0, math.ceil(now + wait_s) if wait_s else int(now), False)

    def _window(self, token: str) -> tuple[float, int]:
        now = self._clock.now()
        window = self._storage.get(_KIND, token)
        if window is None or now - window["opened"] >= _WINDOW_S:
            return now, 0
        return window["opened"], window["used"]

    def _status(self, opened: float, used: int, allowed: bool) -> RateStatus:
        remaining = max(self.limit - used, 0)
        return RateStatus(self.limit, remaining, math.ceil(opened + _WINDOW_S), allowed)
