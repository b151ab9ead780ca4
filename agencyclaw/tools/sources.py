"""What was in sight when something was prepared: people's messages, and what tools returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart

from agencyclaw.domain.basis import Material, Origin
from agencyclaw.tools.catalogue import TOOLS
from agencyclaw.tools.results import Ask, Proposed, Refusal
from agencyclaw.tools.sops import KnowledgeAnswer


def found_by_tools(messages: Sequence[ModelMessage]) -> Iterator[Material]:
    """Yield what tools returned in a run and in the history before it."""
    for message in messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                if isinstance(part, ToolReturnPart):
                    yield from _materials(part.tool_name, part.content)


def _materials(tool: str, content: Any) -> Iterator[Material]:
    spec = TOOLS.get(tool)
    # What prepares something answers in code's own words, also where history holds only their text.
    if isinstance(content, Ask | Proposed | Refusal) or (spec and spec.effect):
        return
    if isinstance(content, KnowledgeAnswer):
        for one in content.procedures:
            yield Material(origin=Origin.PROCEDURE, whose=one.title, text=_text(one))
        for one in content.documents:
            yield Material(origin=Origin.DOCUMENT, whose=one.title, text=_text(one))
        content = content.earlier_tasks
    title = spec.rule.title if spec else ""
    if text := _text(content):
        yield Material(origin=Origin.RECORD, whose=title, text=text)


def _text(content: Any) -> str:
    """Return all the words of a result, one piece a line."""
    return "\n".join(_strings(content))


def _strings(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, BaseModel):
        yield from _strings(node.model_dump(mode="json"))
    elif isinstance(node, dict):
        yield from _strings(list(node.values()))  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    elif isinstance(node, list | tuple):
        for part in node:  # pyright: ignore[reportUnknownVariableType]
            yield from _strings(part)
