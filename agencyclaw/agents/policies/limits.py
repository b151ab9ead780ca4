"""Limits of one run: no endless loops, and a last request that must answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext, ToolFailed
from pydantic_ai.capabilities import AbstractCapability, WrapToolExecuteHandler
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from agencyclaw.deps import Deps
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
class LoopGuard(AbstractCapability[Deps]):
    """Queues parallel calls, and refuses repetitions and calls beyond a run's limit.

    One instance per run. `left_out` counts the calls beyond the limit.
    """

    max_calls: int = CALLS_AT_MOST
    times_called: Counter[str] = field(default_factory=Counter[str])
    calls: int = 0
    left_out: int = 0
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def after_tool_validate(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
    ) -> dict[str, Any]:
        """Count the call; one beyond a limit fails, and the model must use what it has."""
        key = f"{call.tool_name}:{canonical_json(args)}"
        self.times_called[key] += 1
        if self.times_called[key] > _SAME_CALL:
            raise ToolFailed(_REPEATED)
        if self.calls >= self.max_calls:
            self.left_out += 1
            raise ToolFailed(
                _BEYOND.format(most=self.max_calls) if self.left_out == 1 else _BEYOND_AGAIN
            )
        self.calls += 1
        return args

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: WrapToolExecuteHandler,
    ) -> Any:
        """Run a call when a slot is free; a tool's own time starts then."""
        async with self._slots:
            return await handler(args)


@dataclass
class Budget(AbstractCapability[Deps]):
    """Removes the tools before the last request or after the last call, to get an answer."""

    max_requests: int
    max_calls: int | None = None

    async def prepare_tools(
        self, ctx: RunContext[Deps], tool_defs: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """Offer no tools if only one request or no call is left."""
        is_last = ctx.usage.requests >= self.max_requests - 1
        has_called = self.max_calls is not None and ctx.usage.tool_calls >= self.max_calls
        return [] if is_last or has_called else tool_defs
