"""Counts the tokens a model is sent, and how many of them a provider would have cached."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.models.function import AgentInfo
from pydantic_ai.usage import RequestUsage

from agencyclaw.knowledge.tokens import count_tokens


@dataclass
class SentCounter:
    """Counts the requests of one conversation.

    Cached is the longest prefix shared with an earlier request, as providers cache nothing else.
    """

    before: list[str] = field(default_factory=list[str])

    def usage(self, messages: Sequence[ModelMessage], info: AgentInfo) -> RequestUsage:
        """Return the tokens of this request, and remember it for later ones."""
        text = as_sent(messages, info)
        cached = max((_shared(text, one) for one in self.before), default=0)
        self.before.append(text)
        return RequestUsage(
            input_tokens=count_tokens(text), cache_read_tokens=count_tokens(text[:cached])
        )


def as_sent(messages: Sequence[ModelMessage], info: AgentInfo) -> str:
    """Serialise a request in the order providers read it: tools, instructions, messages."""
    tools: list[dict[str, Any]] = [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters_json_schema,
        }
        for tool in (*info.function_tools, *info.output_tools)
    ]
    plain = ModelMessagesTypeAdapter.dump_python(list(messages), mode="json")
    said = [
        [part.get("tool_name"), part.get("args"), part.get("content")]
        for message in plain
        for part in message["parts"]
    ]
    parts = [tools, info.instructions, *said]
    return "\n".join(json.dumps(part, ensure_ascii=False) for part in parts)


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike, by halving what is in doubt."""
    alike, most = 0, min(len(one), len(other))
    while alike < most:
        middle = (alike + most + 1) // 2
        if one.startswith(other[alike:middle], alike):
            alike = middle
        else:
            most = middle - 1
    return alike
