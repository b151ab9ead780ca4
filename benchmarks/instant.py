"""The model of the pydantic-ai systems: it answers at once, from the planned conversation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from enum import StrEnum

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.usage import RequestUsage

from benchmarks.conversation import exchange_for
from benchmarks.sent import sent_tokens


class Kind(StrEnum):
    """What the assistant's model does in a process of its own."""

    WRITING = "writing"
    COUNTING = "counting"


def model_of(kind: Kind, pause_s: float) -> FunctionModel:
    """Return a model that writes with pauses in seconds, or one that answers and counts."""
    return writing_model(pause_s) if kind is Kind.WRITING else counting_model()


def counting_model() -> FunctionModel:
    """Return a model that answers or condenses at once; its usage is what it was sent."""

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        usage = RequestUsage(input_tokens=sent_tokens(messages, info), output_tokens=20)
        return ModelResponse(parts=[TextPart("They agreed on three photos.")], usage=usage)

    return FunctionModel(answer, model_name="instant")


def instant_model() -> FunctionModel:
    """Return the model."""
    return FunctionModel(respond, model_name="instant")


def writing_model(pause_s: float = 0.0) -> FunctionModel:
    """Return a model that streams word by word, with a pause in seconds after each."""

    async def write(
        messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | DeltaToolCalls]:
        for at, part in enumerate((await respond(messages, info)).parts):
            if isinstance(part, ToolCallPart):
                pause = pause_s if part.tool_name == "reply" else 0.0
                for number, word in enumerate(part.args_as_json_str().split(" ")):
                    name = None if number else part.tool_name
                    yield {at: DeltaToolCall(name, f" {word}" if number else word)}
                    await asyncio.sleep(pause)
            elif isinstance(part, TextPart):
                for word in part.content.split(" "):
                    yield f"{word} "
                    await asyncio.sleep(pause_s)

    return FunctionModel(respond, stream_function=write, model_name="instant")


async def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Call both tools, then answer: as typed output where there is one, naming what was read."""
    exchange = exchange_for(_said(messages))
    if any(isinstance(part, ToolReturnPart) for part in messages[-1].parts):
        reply = {"text": exchange.answer, "sources": [exchange.procedure]}
        is_typed = any(tool.name == "reply" for tool in info.output_tools)
        return _response([ToolCallPart("reply", reply) if is_typed else TextPart(exchange.answer)])
    return _response([ToolCallPart(name, args) for name, args in exchange.calls])


def _response(parts: list[ModelResponsePart]) -> ModelResponse:
    """Return a response with usage, which FunctionModel would otherwise count word by word."""
    return ModelResponse(parts=parts, usage=RequestUsage(input_tokens=2_000, output_tokens=60))


def _said(messages: Sequence[ModelMessage]) -> str:
    for message in reversed(messages):
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, UserPromptPart):
                    said = part.content
                    return said if isinstance(said, str) else str(said[-1])
    raise LookupError("nobody said anything")
