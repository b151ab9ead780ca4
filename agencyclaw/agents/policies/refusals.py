"""Records every refused tool call, with the rule that refused it, for the audit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError
from pydantic_ai import ModelRetry, RunContext, ToolFailed
from pydantic_ai.capabilities import AbstractCapability, RawToolArgs, WrapToolValidateHandler
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import ToolDefinition

from agencyclaw.deps import Deps
from agencyclaw.domain.journal import RefusedCall
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.text import scrub
from agencyclaw.tools.policy_checks import judge
from agencyclaw.tools.results import Refusal

_NAME_LIMIT = 100


@dataclass
class Refusals(AbstractCapability[Deps]):
    """Collects the refusals of one run: by policy, schema, limit or tool."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def recorded(self, deps: Deps) -> tuple[RefusedCall, ...]:
        """Return every refusal once, with its count and what it was judged by."""
        return tuple(
            RefusedCall(skill, reason, judge(deps, skill).meta | {"times": times})
            for (skill, reason), times in self.counts.items()
        )

    async def after_model_request(
        self,
        ctx: RunContext[Deps],
        *,
        request_context: ModelRequestContext,
        response: ModelResponse,
    ) -> ModelResponse:
        """Record calls of tools that were not offered, or that no search had found."""
        offered = request_context.model_request_parameters.tool_defs
        for part in response.parts:
            if not isinstance(part, ToolCallPart):
                continue
            name = scrub(part.tool_name)
            tool = offered.get(name)
            if tool is None or not ctx.is_tool_available(tool):
                decision = judge(ctx.deps, name)
                self._note(part, decision.reason if isinstance(decision, Deny) else "not_offered")
        return response

    async def wrap_tool_validate(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: RawToolArgs,
        handler: WrapToolValidateHandler,
    ) -> dict[str, Any]:
        """Record a call that was not run: a repetition, or one beyond a limit."""
        try:
            return await handler(args)
        except ToolFailed:
            self._note(call, "beyond_limit")
            raise

    async def on_tool_validate_error(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: RawToolArgs,
        error: ValidationError | ModelRetry,
    ) -> dict[str, Any]:
        """Record arguments that the tool's schema refused."""
        self._note(call, "invalid_arguments")
        raise error

    async def after_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        result: Any,
    ) -> Any:
        """Record refusals that tools and the gate return as results."""
        if isinstance(result, Refusal):
            self._note(call, result.reason)
        return result

    def _note(self, call: ToolCallPart, reason: str) -> None:
        self.counts[scrub(call.tool_name)[:_NAME_LIMIT], reason] += 1
