"""Offers silence as an ending only where a message may be for somebody else."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.tools import ToolDefinition

from agencyclaw.deps import Deps
from agencyclaw.domain.receipts import Addressed
from agencyclaw.domain.replies import NOT_FOR_ME


@dataclass
class Silence(AbstractCapability[Deps]):
    """Offers to stay silent where code can't tell whether we are addressed."""

    async def prepare_output_tools(
        self, ctx: RunContext[Deps], tool_defs: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """Remove the silent ending if we were certainly addressed."""
        if ctx.deps.addressed is Addressed.PERHAPS:
            return tool_defs
        return [tool for tool in tool_defs if tool.name != NOT_FOR_ME]
