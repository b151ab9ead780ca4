"""Writes one span per model request: tokens, duration and model, never its content."""

from __future__ import annotations

from dataclasses import dataclass

import logfire
from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability, WrapModelRequestHandler
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import ModelRequestContext

from agencyclaw.deps import Deps


@dataclass
class RequestSpans(AbstractCapability[Deps]):
    """Names its spans after OpenTelemetry's conventions for language models.

    The library's own spans carry the whole conversation and cost four times as much: they are on
    where content is traced.
    """

    async def wrap_model_request(
        self,
        ctx: RunContext[Deps],
        *,
        request_context: ModelRequestContext,
        handler: WrapModelRequestHandler,
    ) -> ModelResponse:
        """Time one request."""
        with logfire.span("model request", run=str(ctx.deps.run_id)) as span:
            response = await handler(request_context)
            usage = response.usage
            span.set_attributes(
                {
                    "gen_ai.operation.name": "chat",
                    "gen_ai.request.model": request_context.model.model_name,
                    "gen_ai.response.model": response.model_name or "unknown",
                    "gen_ai.usage.input_tokens": usage.input_tokens,
                    "gen_ai.usage.output_tokens": usage.output_tokens,
                    "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
                    "messages": len(request_context.messages),
                    "finish": response.finish_reason or "",
                }
            )
            return response
