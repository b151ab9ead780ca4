"""Changes to a stronger model when a run is in trouble, and withdraws tools that keep failing.

If a provider refuses, the next stronger model is asked at once. After two failed calls in a row, an
empty answer or one that was sent back, the next request goes to a stronger model. A run never
returns to a weaker one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.models import Model, ModelSelectionContext
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from agencyclaw.agents.policies.trail import Trail
from agencyclaw.deps import Deps
from agencyclaw.tools.results import Refusal

STRONGER_AFTER = 2
PUT_ASIDE_AFTER = 4
_PUT_ASIDE = (
    "That was the {count}th failed call in a row, so what failed is put aside for this answer."
    " Go on without it, and say plainly what could not be found out and why."
)


@dataclass
class Escalation(AbstractCapability[Deps]):
    """Tracks the trouble of one run; one instance per run.

    `ladder` are its models, weakest first; `level` is the index of the one that answers next.
    """

    ladder: Sequence[Model | str]
    trail: Trail
    level: int = 0
    put_aside: set[str] = field(default_factory=set[str])
    _chains: dict[int, Model | str] = field(default_factory=dict[int, Model | str])

    def get_model(self) -> Any:
        """Choose the model for the next request."""
        return self._select

    async def prepare_tools(
        self, ctx: RunContext[Deps], tool_defs: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """Remove the tools that were withdrawn."""
        return [tool for tool in tool_defs if tool.name not in self.put_aside]

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Any,
    ) -> Any:
        """Withdraw tools that failed too often in a row, and say so with the last failure."""
        result = await handler(args)
        failed = self.trail.errors_in_a_row
        if len(failed) < PUT_ASIDE_AFTER:
            return result
        news = {one.tool for one in failed} - self.put_aside
        self.put_aside |= news
        if not news or not isinstance(result, Refusal):
            return result
        note = _PUT_ASIDE.format(count=len(failed))
        return result.model_copy(update={"message": f"{result.message} {note}"})

    def _select(self, ctx: ModelSelectionContext[Deps]) -> Model | str:
        rejected = ctx.retry
        failed = len(self.trail.errors_in_a_row) // STRONGER_AFTER
        self.level = min(max(self.level, rejected, failed), len(self.ladder) - 1)
        if self.level not in self._chains:
            self._chains[self.level] = in_order(self.ladder[self.level :])
        return self._chains[self.level]


def in_order(models: Sequence[Model | str]) -> Model | str:
    """Return the first model, with the others as fallbacks if its provider refuses."""
    return FallbackModel(*models) if len(models) > 1 else models[0]


def patience(models: Sequence[Model | str], whole_s: float) -> ModelSettings | None:
    """Return a time limit that leaves a stronger model time to answer if the first is silent."""
    return ModelSettings(request_timeout=whole_s / 2) if len(models) > 1 else None
