"""Combines several policies into one capability, because the library calls every hook of each.

That costs half a millisecond per capability and turn. Here a policy is called only for hooks it
implements, in the library's own order: forwards before a step, backwards after it, the first
outermost.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ValidationError
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models import Model, ModelRequestContext, ModelSelectionContext
from pydantic_ai.tools import ToolDefinition

from agencyclaw.deps import Deps

Policy = AbstractCapability[Deps]
Step = Callable[[Any], Awaitable[Any]]
Request = Callable[[ModelRequestContext], Awaitable[ModelResponse]]
Selector = Callable[[ModelSelectionContext[Deps]], Any]


def together(*policies: Policy) -> list[Policy]:
    """Return the policies bundled; one that needs a hook not passed on here stands for itself."""
    alone = [policy for policy in policies if hooks_of(type(policy)) - _PASSED_ON]
    bundled = [policy for policy in policies if hooks_of(type(policy)) <= _PASSED_ON]
    return [Together(bundled), *alone]


@cache
def hooks_of(kind: type[Policy]) -> frozenset[str]:
    """Return the names of the library's hooks that a policy implements."""
    own = [vars(one).keys() for one in kind.__mro__ if one not in AbstractCapability.__mro__]
    named = vars(AbstractCapability).keys() & {name for names in own for name in names}
    return frozenset(name for name in named if not name.startswith("_"))


@dataclass
class Together(AbstractCapability[Deps]):
    """The policies of one run."""

    policies: Sequence[Policy]

    def _with(self, hook: str) -> list[Policy]:
        return [policy for policy in self.policies if hook in hooks_of(type(policy))]

    def get_model(self) -> Model | str | Selector | None:
        """Return the last policy's choice of a model."""
        choices = [policy.get_model() for policy in self._with("get_model")]
        return next((choice for choice in reversed(choices) if choice is not None), None)

    async def prepare_tools(
        self, ctx: RunContext[Deps], tool_defs: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """Pass on what is offered."""
        for policy in self._with("prepare_tools"):
            tool_defs = await policy.prepare_tools(ctx, tool_defs)
        return tool_defs

    async def prepare_output_tools(
        self, ctx: RunContext[Deps], tool_defs: list[ToolDefinition]
    ) -> list[ToolDefinition]:
        """Pass on how a run may end."""
        for policy in self._with("prepare_output_tools"):
            tool_defs = await policy.prepare_output_tools(ctx, tool_defs)
        return tool_defs

    async def wrap_model_request(
        self,
        ctx: RunContext[Deps],
        *,
        request_context: ModelRequestContext,
        handler: Request,
    ) -> ModelResponse:
        """Pass a whole request through."""
        for policy in reversed(self._with("wrap_model_request")):
            handler = _asking(policy.wrap_model_request, ctx, handler)
        return await handler(request_context)

    async def after_model_request(
        self,
        ctx: RunContext[Deps],
        *,
        request_context: ModelRequestContext,
        response: ModelResponse,
    ) -> ModelResponse:
        """Pass on a response."""
        for policy in reversed(self._with("after_model_request")):
            response = await policy.after_model_request(
                ctx, request_context=request_context, response=response
            )
        return response

    async def after_tool_validate(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
    ) -> dict[str, Any]:
        """Pass on a call whose arguments fit."""
        for policy in reversed(self._with("after_tool_validate")):
            args = await policy.after_tool_validate(ctx, call=call, tool_def=tool_def, args=args)
        return args

    async def wrap_tool_validate(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: Any,
        handler: Step,
    ) -> dict[str, Any]:
        """Pass the check of a call's arguments through."""
        for policy in reversed(self._with("wrap_tool_validate")):
            handler = _around(policy.wrap_tool_validate, ctx, call, tool_def, handler)
        return await handler(args)

    async def on_tool_validate_error(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: Any,
        error: ValidationError | ModelRetry,
    ) -> dict[str, Any]:
        """Pass on that arguments did not fit; whoever mends them ends the matter."""
        for policy in reversed(self._with("on_tool_validate_error")):
            try:
                return await policy.on_tool_validate_error(
                    ctx, call=call, tool_def=tool_def, args=args, error=error
                )
            except (ValidationError, ModelRetry) as other:
                error = other
        raise error

    async def before_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
    ) -> dict[str, Any]:
        """Pass on that a tool begins."""
        for policy in self._with("before_tool_execute"):
            args = await policy.before_tool_execute(ctx, call=call, tool_def=tool_def, args=args)
        return args

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Step,
    ) -> Any:
        """Pass a call through."""
        for policy in reversed(self._with("wrap_tool_execute")):
            handler = _around(policy.wrap_tool_execute, ctx, call, tool_def, handler)
        return await handler(args)

    async def after_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        result: Any,
    ) -> Any:
        """Pass on what a tool returned."""
        for policy in reversed(self._with("after_tool_execute")):
            result = await policy.after_tool_execute(
                ctx, call=call, tool_def=tool_def, args=args, result=result
            )
        return result


_PASSED_ON = hooks_of(Together)


def _asking(
    wrap: Callable[..., Awaitable[ModelResponse]], ctx: RunContext[Deps], handler: Request
) -> Request:
    async def request(request_context: ModelRequestContext) -> ModelResponse:
        return await wrap(ctx, request_context=request_context, handler=handler)

    return request


def _around(
    wrap: Callable[..., Awaitable[Any]],
    ctx: RunContext[Deps],
    call: ToolCallPart,
    tool_def: ToolDefinition,
    handler: Step,
) -> Step:
    async def step(args: Any) -> Any:
        return await wrap(ctx, call=call, tool_def=tool_def, args=args, handler=handler)

    return step
