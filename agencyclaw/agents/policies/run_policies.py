"""What every run passes through, in the order in which it applies.

It is one capability, because the framework copies its context for each one at every step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError
from pydantic_ai import ModelRetry, RunContext, ToolFailed
from pydantic_ai.capabilities import (
    AbstractCapability,
    CapabilityOrdering,
    ModelSelector,
    RawToolArgs,
    ToolSearch,
    WrapModelRequestHandler,
    WrapToolExecuteHandler,
)
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models import ModelRequestContext, ModelSelectionContext
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset

from agencyclaw.agents.found_tools import with_loaded_tools
from agencyclaw.agents.policies.escalation import Escalation
from agencyclaw.agents.policies.journal import Journal
from agencyclaw.agents.policies.kept_tools import KeptTools
from agencyclaw.agents.policies.limits import RunLimits
from agencyclaw.agents.policies.progress import Progress, step_of
from agencyclaw.agents.policies.refusals import Refusals
from agencyclaw.agents.policies.writing import Draft, observed
from agencyclaw.deps import Deps
from agencyclaw.domain.receipts import Addressed
from agencyclaw.domain.replies import NOT_FOR_ME, NOTHING_TO_SAY
from agencyclaw.spans import traced
from agencyclaw.tools.gate import gate_of
from agencyclaw.tools.results import Refusal


@dataclass
class RunPolicies(AbstractCapability[Deps]):
    """The policies of one run; one instance per run.

    A person sees the `progress` of a main run, and its `draft` while it is written if it is
    streamed. A run that goes on begins with the `earlier` responses: what they called is called
    again, and no model is asked before they are used up.
    """

    escalation: Escalation
    journal: Journal
    limits: RunLimits
    refusals: Refusals = field(default_factory=Refusals)
    progress: Progress | None = None
    draft: Draft | None = None
    earlier: deque[ModelResponse] = field(default_factory=deque[ModelResponse])

    def get_model(self) -> ModelSelector[Deps]:
        """Return the function that chooses the model of each request."""

        def select(ctx: ModelSelectionContext[Deps]) -> Any:
            return self.escalation.select(ctx.retry)

        return select

    def get_ordering(self) -> CapabilityOrdering:
        """Return that it wraps the tool search, whose tools it keeps as well."""
        return CapabilityOrdering(position="outermost", wraps=[ToolSearch])

    def get_wrapper_toolset(self, toolset: AbstractToolset[Deps]) -> AbstractToolset[Deps]:
        """Return the toolset with its tools kept as long as no others are offered or found."""

        def state_of(ctx: RunContext[Deps]) -> Hashable:
            must_answer = self.limits.must_answer(ctx.usage.requests)
            withdrawn, found = self.escalation.withdrawn, ctx.discovered_tool_names
            return must_answer, frozenset(withdrawn), frozenset(found)

        gate = gate_of(toolset)
        return KeptTools(toolset, gate, state_of) if gate else toolset

    async def prepare_tools(
        self, ctx: RunContext[Deps], tool_defs: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """Remove the tools that were withdrawn, and all of them where an answer is due."""
        if self.limits.must_answer(ctx.usage.requests):
            return []
        return [tool for tool in tool_defs if tool.name not in self.escalation.withdrawn]

    async def prepare_output_tools(
        self, ctx: RunContext[Deps], tool_defs: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """Remove a silent ending, unless code can't tell who is addressed, or a schedule asks."""
        offered = {
            NOT_FOR_ME: ctx.deps.addressed is Addressed.PERHAPS,
            NOTHING_TO_SAY: ctx.deps.firing is not None,
        }
        return [tool for tool in tool_defs if offered.get(tool.name, True)]

    async def before_model_request(
        self, ctx: RunContext[Deps], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Unload tools that were found long ago, where a search has found others."""
        messages = with_loaded_tools(request_context.messages)
        return replace(request_context, messages=messages)

    async def wrap_model_request(
        self,
        ctx: RunContext[Deps],
        *,
        request_context: ModelRequestContext,
        handler: WrapModelRequestHandler,
    ) -> ModelResponse:
        """Trace a request, and let the draft follow what the model writes."""
        if self.earlier:
            # Without the handler, nothing else records it.
            return self.journal.record_response(request_context.messages, self.earlier.popleft())
        with traced("model request", run=str(ctx.deps.run_id)) as span:
            async with observed(ctx, request_context.model, self.draft) as model:
                response = await handler(replace(request_context, model=model))
            span.set_attributes(_facts(request_context, response))
            return response

    async def after_model_request(
        self,
        ctx: RunContext[Deps],
        *,
        request_context: ModelRequestContext,
        response: ModelResponse,
    ) -> ModelResponse:
        """Record calls of what was not offered, and store the response before any tool runs."""
        self.escalation.record_response(response)
        self.refusals.record_unoffered(ctx, request_context, response)
        return self.journal.record_response(request_context.messages, response)

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
        self.refusals.record(call, "invalid_arguments")
        self.escalation.trail.record_misuse(call, step_of(ctx.deps, call.tool_name, {}))
        raise error

    async def after_tool_validate(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
    ) -> dict[str, Any]:
        """Count a call; a repetition, or one beyond a limit, is recorded and not run."""
        if fault := self.limits.refuse(call, args):
            self.refusals.record(call, "beyond_limit")
            raise ToolFailed(fault)
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
        """Run a call when a slot is free; show it, and record how it ended."""
        title, trail = step_of(ctx.deps, call.tool_name, args), self.escalation.trail
        trail.begin_call(call, title)
        try:
            if tool_def.sequential:
                # A change is prepared once the response that asks for it is stored.
                await self.journal.written()
            result = await self._run(call, title, args, handler)
        except BaseException as error:
            self.journal.record_failure(call, error)
            trail.record_failure(call, title, error)
            raise
        self.journal.record_result(call, result)
        trail.record_result(call, title, result)
        if isinstance(result, Refusal):
            self.refusals.record(call, result.reason)
        return self.escalation.withdraw(result)

    async def _run(
        self, call: ToolCallPart, title: str, args: dict[str, Any], handler: WrapToolExecuteHandler
    ) -> Any:
        """Run a call when a slot is free, while people see it."""
        succeeded = False
        if self.progress is not None:
            self.progress.begin_call(call, title)
        try:
            async with self.limits.slots:
                result = await handler(args)
            succeeded = True
            return result
        finally:
            if self.progress is not None:
                self.progress.end_call(call, title, well=succeeded)


def _facts(request: ModelRequestContext, response: ModelResponse) -> dict[str, Any]:
    """Return the attributes of a request's span; never its content.

    They follow OpenTelemetry's conventions for language models. The library's own spans carry the
    whole conversation and cost four times as much: they are on where content is traced.
    """
    usage = response.usage
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": request.model.model_name,
        "gen_ai.response.model": response.model_name or "unknown",
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
        "messages": len(request.messages),
        "finish": response.finish_reason or "",
    }
