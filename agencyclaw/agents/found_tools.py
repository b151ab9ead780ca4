"""Decides how long tools found by `search_tools` stay loaded.

Providers read tools first, so a tool that comes or goes makes all that follows it new to their
cache. Found tools therefore change only when a search finds another: it is new then anyway.

pydantic-ai derives the loaded tools from the search results in the message history, so unloading a
tool means removing it from those results.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ToolSearchReturnContent,
    ToolSearchReturnPart,
)

from agencyclaw.agents.stored_parts import parts_of
from agencyclaw.tools.gate import definition_tokens

# What definitions of found tools may weigh in each request, beside those that a search just found.
LOADED_TOKENS = 1_000
_UNLOADED = "These tools are no longer loaded. Search again."
Contents = Sequence[dict[str, Any]]


def loaded_after(searches: Iterable[Sequence[str]]) -> frozenset[str]:
    """Return the tools that are loaded after these searches; each is the names it found, in order.

    Those that were found longest ago go first, and only where a search found others. Searches that
    the model asks for at once count as one.
    """
    loaded: list[str] = []
    for names in filter(None, searches):
        found = dict.fromkeys(names)
        before, loaded = loaded, [*(name for name in loaded if name not in found), *found]
        if found.keys() <= set(before):
            continue
        while len(loaded) > len(found) and sum(map(definition_tokens, loaded)) > LOADED_TOKENS:
            del loaded[0]
    return frozenset(loaded)


def with_loaded_tools(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """Return the messages of a request without the tools that are no longer loaded."""
    searches = [
        [
            tool["name"]
            for part in message.parts
            if isinstance(part, ToolSearchReturnPart)
            for tool in part.discovered_tools
        ]
        for message in messages
    ]
    loaded = loaded_after(searches)
    dropped = frozenset[str]().union(*searches) - loaded
    return [_without_tools(message, dropped) for message in messages] if dropped else [*messages]


def _without_tools(message: ModelMessage, dropped: frozenset[str]) -> ModelMessage:
    if not isinstance(message, ModelRequest):
        return message
    parts = [
        without_tools(part, dropped) if isinstance(part, ToolSearchReturnPart) else part
        for part in message.parts
    ]
    return replace(message, parts=parts) if parts != list(message.parts) else message


def stored_searches(exchanges: Iterable[Contents]) -> list[list[str]]:
    """Return what the searches of stored exchanges found, message by message, oldest first."""
    messages = (message for contents in exchanges for message in contents)
    found = (
        [name for part in parts_of([message]) for name in _found(part)] for message in messages
    )
    return [names for names in found if names]


def unused_tools(contents: Contents, in_use: frozenset[str]) -> frozenset[str]:
    """Return the tools that a stored exchange found and that are no longer in use."""
    names = frozenset(name for found in stored_searches([contents]) for name in found)
    return names - in_use


def without_tools(part: ToolSearchReturnPart, dropped: frozenset[str]) -> ToolSearchReturnPart:
    """Return a search result without these tools."""
    remaining = [tool for tool in part.discovered_tools if tool["name"] not in dropped]
    if len(remaining) == len(part.discovered_tools):
        return part
    content: ToolSearchReturnContent = {"discovered_tools": remaining}
    if not remaining:
        content["message"] = _UNLOADED
    return replace(part, content=content)


def _found(part: dict[str, Any]) -> list[str]:
    is_search = part.get("part_kind") == "tool-return" and part.get("tool_kind") == "tool-search"
    # A search that failed keeps its kind, but its content is an error message.
    if not is_search or part.get("outcome", "success") != "success":
        return []
    content: dict[str, Any] = part["content"]
    return [tool["name"] for tool in content["discovered_tools"]]
