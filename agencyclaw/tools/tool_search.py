"""The tool search: finds tools by name and description, close hits only.

It runs here for every provider, so that all of them load the same tools and only close ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic_ai import RunContext, ToolDefinition
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.messages import ToolCallPart, ToolSearchReturnContent

from agencyclaw.deps import Deps
from agencyclaw.domain.closeness import close_to, words_of
from agencyclaw.domain.messages import message
from agencyclaw.knowledge.record_sheets import RECORD_SHEETS
from agencyclaw.tools.catalogue import TOOLS
from agencyclaw.tools.listed_records import LISTED

# The framework offers it beside the functions.
SEARCH_TOOLS = ToolSearch.function_tool_name
_FOR_A_QUERY = 3
_FOR_A_SEARCH = 5
# A word of a tool's name says more of it than one of its description.
_OF_A_NAME = 1.5
# What was meant for a tool reaches this with it: on 2026-11-28 all 80 searches of the eval cases
# and all of the tests. Of 38 that no tool serves 11 reach it, and 24 what is merely close.
_FITS = 0.44
# These are found by what each kind of record is called, too.
_KINDS = {
    "import_records": " ".join(RECORD_SHEETS),
    "export_records": " ".join(RECORD_SHEETS),
    "list_records": " ".join(LISTED),
}
# What the names of those share says nothing of one kind.
_OF_EVERY_KIND = frozenset(words_of("records"))
_IN_SIGHT = "Maybe this tool is in sight already: {names}."
_NONE_FITS = "These words find no tool."
_CLOSEST = " The closest are: {titles}. If one of them may do it, search for it by that title."
_THEN = " Else search once more in other words, or say that you can't do it."


class ToolFinder(ToolSearch[Deps]):
    """The search, which says where no tool fits, and names the closest ones by title only.

    A tool in sight is never found, so where one fits, it is named before them.
    """

    async def after_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: ToolCallPart,  # noqa: ARG002 - the library's signature
        tool_def: ToolDefinition,
        args: dict[str, Any],
        result: Any,
    ) -> Any:
        """Word what a search without a hit returns."""
        if tool_def.tool_kind != "tool-search":
            return result
        found = cast("ToolSearchReturnContent", result)
        if found["discovered_tools"]:
            return found
        wanted = [words_of(query) for query in args["queries"]]
        in_sight = _offered(ctx, is_found=False)
        here = {name for words in wanted for name in close_to(words, in_sight, _FITS)}
        first = _NONE_FITS
        if here:
            first = _IN_SIGHT.format(names=", ".join(sorted(here)))
        known = _offered(ctx, is_found=True)
        near = (name for words in wanted for name in close_to(words, known))
        titles = [TOOLS[name].title for name in dict.fromkeys(near)][:_FOR_A_QUERY]
        closest = _CLOSEST.format(titles="; ".join(titles)) if titles else ""
        return {**found, "message": f"{first}{closest}{_THEN}"}


def _offered(ctx: RunContext[Deps], *, is_found: bool) -> dict[str, dict[str, float]]:
    """Return the words of the tools that a search can find, or of those in sight."""
    offered = ctx.tool_manager.tools if ctx.tool_manager else None
    return {
        name: _weighed(name, tool.tool_def.description or "")
        for name, tool in (offered or {}).items()
        if tool.tool_def.defer_loading == is_found and name in TOOLS
    }


def tool_search() -> ToolSearch[Deps]:
    """Return the search as a capability of the agent."""
    return ToolFinder(
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

    A query that is a tool's name or title finds what is called so alone.
    """
    known = {tool.name: _weighed(tool.name, tool.description or "") for tool in tools}
    return list(dict.fromkeys(name for query in queries for name in _hits(query, known)))


def _hits(query: str, known: Mapping[str, Mapping[str, float]]) -> list[str]:
    called = [name for name in known if query in (name, _title_of(name))]
    if called:
        return called
    return close_to(words_of(query), known, _FITS)[:_FOR_A_QUERY]


def _weighed(name: str, description: str) -> dict[str, float]:
    """Return the words that describe a tool, with their weights."""
    also = _KINDS.get(name, "")
    title = _title_of(name)
    # What tools share says nothing of one: "record results" means no record of another kind.
    own = "" if title == message("steps.a_record") else title
    weights = dict.fromkeys(words_of(f"{name} {own} {description} {also}"), 1.0)
    called = [word for word in words_of(name) if word not in _OF_EVERY_KIND]
    return weights | dict.fromkeys(called, _OF_A_NAME)


def _title_of(name: str) -> str:
    spec = TOOLS.get(name)
    return spec.title if spec else name
