"""The model of the pydantic-ai systems: it answers at once, from the conversation's plan."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from benchmarks.conversation import exchange_for


def instant_model() -> FunctionModel:
    """Return the model."""
    return FunctionModel(_respond, model_name="instant")


async def _respond(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    exchange = exchange_for(_said(messages))
    if any(isinstance(part, ToolReturnPart) for part in messages[-1].parts):
        return ModelResponse(parts=[TextPart(exchange.answer)])
    return ModelResponse(parts=[ToolCallPart(name, args) for name, args in exchange.calls])


def _said(messages: Sequence[ModelMessage]) -> str:
    for message in reversed(messages):
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, UserPromptPart):
                    said = part.content
                    return said if isinstance(said, str) else str(said[-1])
    raise LookupError("nobody said anything")
