"""Decides how long tools found by `search_tools` stay loaded.

pydantic-ai derives the loaded tools from the search results in the message history, so unloading a
tool means removing it from those results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import ToolSearchReturnContent, ToolSearchReturnPart

from agencyclaw.agents.stored_parts import parts_of

_UNLOADED = "These tools are no longer loaded. Search again."
Contents = Sequence[dict[str, Any]]


def tools_in_use(exchanges: Sequence[Contents]) -> frozenset[str]:
    """Return the tools that the newest exchange called; `exchanges` are oldest first.

    If it found tools and called none of them, all of these are in use.
    """
    newest = exchanges[-1] if exchanges else ()
    called = frozenset(_names(newest, _called))
    just_found = frozenset(_names(newest, _found))
    return called | just_found if called.isdisjoint(just_found) else called


def _names(contents: Contents, names_of: Callable[[dict[str, Any]], list[str]]) -> Iterator[str]:
    return (name for part in parts_of(contents) for name in names_of(part))


def unused_tools(contents: Contents, in_use: frozenset[str]) -> frozenset[str]:
    """Return the tools that a stored exchange found and that are no longer in use."""
    names = frozenset(name for part in parts_of(contents) for name in _found(part))
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


def _called(part: dict[str, Any]) -> list[str]:
    return [part["tool_name"]] if part.get("part_kind") == "tool-call" else []


def _found(part: dict[str, Any]) -> list[str]:
    is_search = part.get("part_kind") == "tool-return" and part.get("tool_kind") == "tool-search"
    # A search that failed keeps its kind, but its content is an error message.
    if not is_search or part.get("outcome", "success") != "success":
        return []
    content: dict[str, Any] = part["content"]
    return [tool["name"] for tool in content["discovered_tools"]]
