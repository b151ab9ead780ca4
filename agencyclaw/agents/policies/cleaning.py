"""Sanitises a model's response, which is untrusted, before it is stored."""

from __future__ import annotations

from dataclasses import replace

from pydantic_ai.messages import ModelResponse, ModelResponsePart, TextPart, ToolCallPart

from agencyclaw.domain.text import clean_json, scrub


def cleaned(response: ModelResponse) -> ModelResponse:
    """Return the response without characters that are invisible or can't be stored."""
    return replace(response, parts=[_part(part) for part in response.parts])


def _part(part: ModelResponsePart) -> ModelResponsePart:
    match part:
        case TextPart(content=content):
            return replace(part, content=scrub(content))
        case ToolCallPart():
            return replace(
                part,
                tool_name=scrub(part.tool_name),
                tool_call_id=scrub(part.tool_call_id),
                args=clean_json(part.args),
            )
        case _:
            return part
