"""The texts a run has seen, from people and tools: what answers and calculations may rest on."""

from __future__ import annotations

import re
from collections.abc import Iterator
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

_FENCED = re.compile(r"^<(retry_feedback|validation_errors|system)>.*</\1>\Z", re.M | re.S)


def visible_texts(ctx: RunContext[Deps], asked: str | None = None) -> Iterator[str]:
    """Yield every text that people and tools gave the model.

    Of its own texts only those of earlier runs count, which a person has seen. `asked` replaces the
    question of a sub-agent, which a model wrote, by the person's words.
    """
    for message in ctx.messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, UserPromptPart):
                    yield _text_of_prompt(part, asked)
                # An error message can quote the model's own arguments.
                elif isinstance(part, ToolReturnPart) and part.outcome == "success":
                    yield text_of(part.content)
        elif message.run_id != ctx.run_id:
            yield from (part.content for part in message.parts if isinstance(part, TextPart))


def _text_of_prompt(part: UserPromptPart, asked: str | None) -> str:
    if isinstance(part.content, str):
        return part.content
    parts = [str(one) for one in part.content]
    return "\n".join(parts if asked is None else [*parts[:-1], asked])


def is_feedback(part: ModelRequestPart) -> bool:
    """Return whether a part is the framework's feedback on an invalid answer.

    For requests as they are sent and stored: there feedback is one fenced text, and a person's
    prompt is a list of the situation and their words.
    """
    if isinstance(part, UserPromptPart):
        return isinstance(part.content, str) and _FENCED.search(part.content) is not None
    return isinstance(part, SystemPromptPart)


def text_of(content: Any) -> str:
    """Return a tool's result as the model reads it: text, or canonical JSON."""
    if isinstance(content, str):
        return content
    return canonical_json(content.model_dump() if isinstance(content, BaseModel) else content)
