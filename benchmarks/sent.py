"""What a model is sent, as text and in tokens."""

from __future__ import annotations

import json
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.models.function import AgentInfo

from agencyclaw.knowledge.tokens import count_tokens


def sent_tokens(messages: list[ModelMessage], info: AgentInfo) -> int:
    """Count instructions, tool definitions and messages of a request."""
    texts = (str(info.instructions or ""), tools_text(info), messages_text(messages))
    return sum(map(count_tokens, texts))


def tools_text(info: AgentInfo) -> str:
    """Serialise the definitions of the tools in sight."""
    definitions: list[dict[str, Any]] = [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters_json_schema,
        }
        for tool in info.function_tools
    ]
    return json.dumps(definitions, ensure_ascii=False)


def messages_text(messages: list[ModelMessage]) -> str:
    """Serialise the messages as sent: parts and contents, without ids and times."""
    plain = ModelMessagesTypeAdapter.dump_python(messages, mode="json")
    kept = [
        [
            (p.get("part_kind"), p.get("tool_name"), p.get("args"), p.get("content"))
            for p in m["parts"]
        ]
        for m in plain
    ]
    return json.dumps(kept, ensure_ascii=False)
