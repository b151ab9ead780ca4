"""Repeats a question to Slack: while a person waits for its answer, or when we start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import logfire

from agencyclaw.domain.errors import Misconfigured, Throttled, Unavailable, Unclear

T = TypeVar("T")
_FIRST_PAUSE_S = 0.1
_PAUSES_AT_START_S = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)


async def retry_within(ask: Callable[[], Awaitable[T]], within_s: float) -> T:
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
            pause_s = _at_least(pause_s, error)
            if clock() + pause_s >= ends:
                raise
        await asyncio.sleep(pause_s)
        pause_s *= 2


async def retry_until_answered(
    ask: Callable[[], Awaitable[T]], pauses_s: Sequence[float] = _PAUSES_AT_START_S
) -> T:
    """Return the answer to the first question of a start; raises Unavailable after the last pause.

    What waiting can't fix (a wrong token, an address where nobody listens) is raised at once.
    """
    for pause_s in pauses_s:
        try:
            return await ask()
        except (Unclear, Throttled) as error:
            after_s = _at_least(pause_s, error)
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


def _at_least(pause_s: float, error: Exception) -> float:
    """Return a pause that is not shorter than what Slack asked for."""
    return max(pause_s, error.after) if isinstance(error, Throttled) else pause_s
