"""What a run was given by people and by tools: what answers and calculations may rest on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel
from pydantic_ai import RunContext
from pydantic_ai.messages import (
    ModelRequest,
    ModelRequestPart,
    SystemPromptPart,
    TextPart,
    ToolReturnPart,
    UserPromptPart,
)

from agencyclaw.deps import Deps
from agencyclaw.domain.text import canonical_json

_FENCES = ("<retry_feedback>", "<system>")


def visible_texts(ctx: RunContext[Deps], asked: str | None = None) -> Iterable[str]:
    """Return all that the model was given; of its own words those that a person has seen.

    Where a model put the question, `asked` is what the person wrote, and counts in its place.
    """
    for message in ctx.messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, UserPromptPart) and not is_feedback(part):
                    yield _text_of_prompt(part, asked)
                elif isinstance(part, ToolReturnPart) and part.outcome != "retried":
                    yield text_of(part.content)
        elif message.run_id != ctx.run_id:
            yield from (part.content for part in message.parts if isinstance(part, TextPart))


def _text_of_prompt(part: UserPromptPart, asked: str | None) -> str:
    if isinstance(part.content, str):
        return part.content
    parts = [str(one) for one in part.content]
    return "\n".join(parts if asked is None else [*parts[:-1], asked])


def is_feedback(part: ModelRequestPart) -> bool:
    """Return whether a part is the framework's word about an unusable answer, not a person's.

    Models are told it as one text in a fence; a person's words come in two, after the situation.
    """
    if isinstance(part, UserPromptPart):
        return isinstance(part.content, str) and any(f in part.content for f in _FENCES)
    return isinstance(part, SystemPromptPart)


def text_of(content: Any) -> str:
    """Return what a tool returned as a model reads it."""
    if isinstance(content, str):
        return content
    return canonical_json(content.model_dump() if isinstance(content, BaseModel) else content)
