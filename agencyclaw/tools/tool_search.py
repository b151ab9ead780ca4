"""The tool search: finds tools by name and description, close hits only.

It runs here for every provider, so that all of them load the same tools and only close ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_ai import RunContext, ToolDefinition
from pydantic_ai.capabilities import ToolSearch

from agencyclaw.deps import Deps
from agencyclaw.domain.closeness import close_to, words_of
from agencyclaw.tools.catalogue import TOOLS

_FOR_A_QUERY = 3
_FOR_A_SEARCH = 5
# A word of a tool's name says more of it than one of its description.
_OF_A_NAME = 1.5


def tool_search() -> ToolSearch[Deps]:
    """Return the search as a capability of the agent."""
    return ToolSearch[Deps](
        strategy=close_hits,
        max_results=_FOR_A_SEARCH,
        tool_description=(
            "Find a further tool when none in sight does what is wanted. What is found can be"
            " called next. Where nothing is found, search once more in other words."
        ),
        parameter_description="For each tool, in English, what it should do: update task.",
    )


def close_hits(
    _ctx: RunContext[Deps], queries: Sequence[str], tools: Sequence[ToolDefinition]
) -> list[str]:
    """Return the tools that fit each query best or nearly as well, the best first.

    A query that is a tool's name finds that tool alone.
    """
    known = {tool.name: _weighed(tool) for tool in tools}
    hits = (
        name
        for query in queries
        for name in ([query] if query in known else close_to(words_of(query), known)[:_FOR_A_QUERY])
    )
    return list(dict.fromkeys(hits))


def _weighed(tool: ToolDefinition) -> dict[str, float]:
    """Return the words that describe a tool, with their weights."""
    spec = TOOLS.get(tool.name)
    title = spec.title if spec else ""
    weights = dict.fromkeys(words_of(f"{title} {tool.description or ''}"), 1.0)
    return weights | dict.fromkeys(words_of(tool.name), _OF_A_NAME)
