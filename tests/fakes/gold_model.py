"""A mind for the model's service that plays scripts: the same player, but over the wire."""

from __future__ import annotations

import json
from collections.abc import Sequence

from fakes.openai_server import Calls, Json, Reply
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.function import AgentInfo

from agencyclaw.agents.script import next_response
from agencyclaw.agents.script_file import Script

NOTHING = AgentInfo(
    function_tools=[],
    allow_text_output=True,
    output_tools=[],
    model_settings=None,
    model_request_parameters=ModelRequestParameters(),
    instructions=None,
)


def reply_of(script: Script, body: Json) -> Reply:
    """What the script says to a request of Chat Completions."""
    response = next_response(script, history_of(body["messages"]), NOTHING)
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if calls:
        return [(call.tool_name, call.args_as_dict()) for call in calls]
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def history_of(messages: Sequence[Json]) -> list[ModelMessage]:
    """The history as the framework would have it."""
    names = {call["id"]: call for message in messages for call in message.get("tool_calls") or ()}
    return [_message(message, names) for message in messages if message["role"] != "system"]


def _message(message: Json, calls: Calls) -> ModelMessage:
    match message["role"]:
        case "user":
            content = message["content"]
            said = content if isinstance(content, str) else [part["text"] for part in content]
            return ModelRequest([UserPromptPart(said)])
        case "tool":
            name = calls[message["tool_call_id"]]["function"]["name"]
            return ModelRequest([ToolReturnPart(name, _value(message["content"]))])
        case _:
            made = [_call(call["function"]) for call in message.get("tool_calls") or ()]
            said = [TextPart(message["content"])] if message.get("content") else []
            return ModelResponse([*said, *made])


def _call(function: Json) -> ToolCallPart:
    return ToolCallPart(function["name"], function["arguments"])


def _value(content: str) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return content
