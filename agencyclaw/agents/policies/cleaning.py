"""A model's words are a stranger's words: cleaned when they enter, before they are stored."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic_ai.messages import ModelResponse, ModelResponsePart, TextPart, ToolCallPart

from agencyclaw.domain.text import clean_json, scrub


def cleaned(response: ModelResponse) -> ModelResponse:
    """Return the response without anything that can't be stored or can't be seen."""
    return replace(response, parts=[_part(part) for part in response.parts])


def _part(part: ModelResponsePart) -> ModelResponsePart:
    match part:
        case TextPart(content=content):
            return replace(part, content=scrub(content))
        case ToolCallPart(args=str() as args):
            return replace(part, args=scrub(args))
        case ToolCallPart(args=dict() as args):
            plain: dict[str, Any] = clean_json(args)
            return replace(part, args=plain)
        case _:
            return part
