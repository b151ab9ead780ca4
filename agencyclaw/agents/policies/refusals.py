"""Records every refused tool call, with the rule that refused it, for the audit."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models import ModelRequestContext

from agencyclaw.deps import Deps
from agencyclaw.domain.journal import RefusedCall
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.text import scrub
from agencyclaw.tools.policy_checks import judge

_NAME_LIMIT = 100


@dataclass
class Refusals:
    """Collects the refusals of one run: by policy, schema, limit or tool."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def recorded(self, deps: Deps) -> tuple[RefusedCall, ...]:
        """Return every refusal once, with its count and what it was judged by."""
        return tuple(
            RefusedCall(skill, reason, judge(deps, skill).meta | {"times": times})
            for (skill, reason), times in self.counts.items()
        )

    def record_unoffered(
        self, ctx: RunContext[Deps], request: ModelRequestContext, response: ModelResponse
    ) -> None:
        """Record calls of tools that were not offered, or that no search had found."""
        offered = request.model_request_parameters.tool_defs
        for part in response.parts:
            if not isinstance(part, ToolCallPart):
                continue
            name = scrub(part.tool_name)
            tool = offered.get(name)
            if tool is None or not ctx.is_tool_available(tool):
                decision = judge(ctx.deps, name)
                self.record(part, decision.reason if isinstance(decision, Deny) else "not_offered")

    def record(self, call: ToolCallPart, reason: str) -> None:
        """Record that a call was refused."""
        self.counts[scrub(call.tool_name)[:_NAME_LIMIT], reason] += 1
