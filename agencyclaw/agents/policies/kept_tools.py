"""The tools of a run, which the library would define anew for every run and step."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from agencyclaw.deps import Deps
from agencyclaw.tools import Gate

# Most people are offered the same; what a conversation has found makes others.
_KEPT_AT_MOST = 64


@dataclass
class KeptTools(AbstractToolset[Deps]):
    """Offers what the gate has kept for those who may use the same, while `state_of` stays.

    It is a leaf: nothing below it needs to be entered, or asked at each step.
    """

    defining: AbstractToolset[Deps]
    gate: Gate
    state_of: Callable[[RunContext[Deps]], Hashable]
    _allowed: frozenset[str] | None = field(init=False, default=None)

    @property
    def id(self) -> None:
        """None, like the toolset that it stands for."""

    async def get_tools(self, ctx: RunContext[Deps]) -> dict[str, ToolsetTool[Deps]]:
        """Return the tools for a request."""
        if self._allowed is None:
            self._allowed = self.gate.allowed(ctx.deps)
        state, kept = (self._allowed, self.state_of(ctx)), self.gate.kept
        if state not in kept:
            defined = await self.defining.get_tools(ctx)
            if len(kept) >= _KEPT_AT_MOST:
                kept.clear()
            # The library names the toolset in errors only, and this run's would be kept with it.
            kept[state] = {name: replace(t, toolset=self.gate) for name, t in defined.items()}
        return kept[state]

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Deps], tool: ToolsetTool[Deps]
    ) -> Any:
        """Call a tool, whichever run was the first to be offered it."""
        return await self.defining.call_tool(name, tool_args, ctx, tool)
