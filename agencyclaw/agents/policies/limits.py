"""Limits of one run: no endless loops, and a last request that must answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ToolCallPart

from agencyclaw.domain.text import canonical_json

_SAME_CALL = 2
# Further simultaneous calls wait for a free slot.
AT_ONCE = 6
CALLS_AT_MOST = 50
_REPEATED = "You have called this already; answer with what you have."
_BEYOND = (
    "One message may make {most} calls, and this one is beyond that: it was not run, nor is any"
    " that follows. Answer with what you have; the person is told by the system."
)
_BEYOND_AGAIN = "Not run either."


@dataclass
class RunLimits:
    """Counts the requests and calls of one run, and refuses repetitions and calls beyond its limit.

    One instance per run. `left_out` counts the calls beyond the limit; a call takes one of `slots`.
    """

    max_requests: int
    max_calls: int = CALLS_AT_MOST
    times_called: Counter[str] = field(default_factory=Counter[str])
    calls: int = 0
    left_out: int = 0
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    def refuse(self, call: ToolCallPart, args: dict[str, Any]) -> str:
        """Count a call; returns "" or why it is not run, so that the model uses what it has."""
        key = f"{call.tool_name}:{canonical_json(args)}"
        self.times_called[key] += 1
        if self.times_called[key] > _SAME_CALL:
            return _REPEATED
        if self.calls < self.max_calls:
            self.calls += 1
            return ""
        self.left_out += 1
        return _BEYOND.format(most=self.max_calls) if self.left_out == 1 else _BEYOND_AGAIN

    def must_answer(self, requests: int) -> bool:
        """Return whether after so many requests only one is left, or no call: no tool is offered.

        Calls that failed count, too.
        """
        return requests >= self.max_requests - 1 or self.calls >= self.max_calls
