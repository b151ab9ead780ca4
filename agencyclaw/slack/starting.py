"""Retries the first call to Slack for a while if it is overloaded, and logs it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import logfire

from agencyclaw.domain.errors import Throttled, Unavailable, Unclear

T = TypeVar("T")
PAUSES_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)


async def retry_until_answered(
    ask: Callable[[], Awaitable[T]], pauses_s: Sequence[float] = PAUSES_S
) -> T:
    """Return the answer; raises Unavailable after the last pause.

    What waiting can't fix (a wrong token, an address where nobody listens) is raised at once.
    """
    for pause_s in pauses_s:
        try:
            return await ask()
        except (Unclear, Throttled) as error:
            after_s = max(pause_s, error.after) if isinstance(error, Throttled) else pause_s
            logfire.warn(
                "Slack does not answer yet ({why}); asked again in {after_s:g} s",
                why=str(error),
                after_s=after_s,
            )
            await asyncio.sleep(after_s)
    try:
        return await ask()
    except (Unclear, Throttled) as error:
        raise Unavailable(
            f"Slack does not answer ({error}), asked {len(pauses_s) + 1} times. The settings need "
            "no change for that: look at https://slack-status.com, and start again later."
        ) from error
