"""Limits of one run: no endless loops, and a last request that must answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext, ToolFailed
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from agencyclaw.deps import Deps
from agencyclaw.domain.text import canonical_json

_SAME_CALL = 2
_SAME_TOOL = 12


@dataclass
class LoopGuard(AbstractCapability[Deps]):
    """Refuses the same call with the same arguments again and again. One instance per run."""

    seen: Counter[str] = field(default_factory=Counter[str])

    async def after_tool_validate(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
    ) -> dict[str, Any]:
        """Count the call; past the limit the model is told to use what it has."""
        same = f"{call.tool_name}:{canonical_json(args)}"
        self.seen.update([same, call.tool_name])
        if self.seen[same] > _SAME_CALL:
            raise ToolFailed("You have called this already; answer with what you have.")
        if self.seen[call.tool_name] > _SAME_TOOL:
            raise ToolFailed("You have called this often enough; answer with what you have.")
        return args


@dataclass
class Budget(AbstractCapability[Deps]):
    """Takes the tools away before the last allowed request, so that the run ends in an answer.

    The same once it has called tools often enough.
    """

    max_requests: int
    max_calls: int | None = None

    async def prepare_tools(
        self, ctx: RunContext[Deps], tool_defs: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """Offer nothing when only one request is left, or no call."""
        is_last = ctx.usage.requests >= self.max_requests - 1
        has_called = self.max_calls is not None and ctx.usage.tool_calls >= self.max_calls
        return [] if is_last or has_called else tool_defs
