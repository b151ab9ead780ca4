"""Tools that a search has found stay in sight while they are used, and are then let go.

The framework reads from the history which tools were found, so this changes what history says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import ToolSearchReturnPart

# A found tool is in use while one of so many exchanges searched for it or called it.
TOOLS_KEPT = 3
_LET_GO = "What was found is out of sight by now: search again."
Contents = Sequence[dict[str, Any]]


def tools_in_use(recent: Sequence[Contents]) -> frozenset[str]:
    """Return the tools that stored exchanges, oldest first, searched for or called of late."""
    parts = (part for contents in recent[-TOOLS_KEPT:] for part in _parts(contents))
    return frozenset(name for part in parts for name in (*_called(part), *_found(part)))


def let_go(contents: Contents, in_use: frozenset[str]) -> frozenset[str]:
    """Return the tools that a stored exchange found and that are not in use any more."""
    found = frozenset(name for part in _parts(contents) for name in _found(part))
    return found - in_use


def without(part: ToolSearchReturnPart, gone: frozenset[str]) -> ToolSearchReturnPart:
    """Return the result of a search as if it had not found these tools."""
    left = [one for one in part.content["discovered_tools"] if one["name"] not in gone]
    if len(left) == len(part.content["discovered_tools"]):
        return part
    return replace(
        part, content={"discovered_tools": left} | ({} if left else {"message": _LET_GO})
    )


def _parts(contents: Contents) -> Iterator[dict[str, Any]]:
    return (part for message in contents for part in message.get("parts", ()))


def _called(part: dict[str, Any]) -> list[str]:
    return [part["tool_name"]] if part.get("part_kind") == "tool-call" else []


def _found(part: dict[str, Any]) -> list[str]:
    is_search = part.get("part_kind") == "tool-return" and part.get("tool_kind") == "tool-search"
    # A search that failed keeps its kind, but its content is an error message.
    if not is_search or part.get("outcome", "success") != "success":
        return []
    content: dict[str, Any] = part["content"]
    return [one["name"] for one in content["discovered_tools"]]
