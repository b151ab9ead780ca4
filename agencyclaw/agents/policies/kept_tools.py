"""The tools of a run, which the library would define anew for every request."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from pydantic_ai import RunContext
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from agencyclaw.deps import Deps


@dataclass
class KeptTools(WrapperToolset[Deps]):
    """Keeps a run's tools for its next request, until what `state_of` returns has changed."""

    state_of: Callable[[RunContext[Deps]], Hashable]
    _state: Hashable = field(init=False, default=None)
    _tools: dict[str, ToolsetTool[Deps]] = field(
        init=False, default_factory=dict[str, ToolsetTool[Deps]]
    )

    async def get_tools(self, ctx: RunContext[Deps]) -> dict[str, ToolsetTool[Deps]]:
        """Return the tools for a request."""
        state = self.state_of(ctx)
        if state != self._state:
            self._tools, self._state = await super().get_tools(ctx), state
        return self._tools
