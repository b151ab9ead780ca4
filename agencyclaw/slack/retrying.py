"""Retries a question at once, within the time a person is ready to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from agencyclaw.domain.errors import Misconfigured, Throttled, Unavailable, Unclear

_Answer = TypeVar("_Answer")
_FIRST_PAUSE_S = 0.1


async def retry_within(ask: Callable[[], Awaitable[_Answer]], within_s: float) -> _Answer:
    """Ask until there is an answer; raises the last error once it would take too long.

    Only for questions that may be repeated: the first one may have been understood.
    """
    clock = asyncio.get_running_loop().time
    ends, pause_s = clock() + within_s, _FIRST_PAUSE_S
    while True:
        try:
            return await ask()
        except Misconfigured:
            raise
        except (Unavailable, Unclear) as error:
            wanted_s = error.after if isinstance(error, Throttled) else 0.0
            pause_s = max(pause_s, wanted_s)
            if clock() + pause_s >= ends:
                raise
        await asyncio.sleep(pause_s)
        pause_s *= 2
