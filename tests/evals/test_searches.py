"""The searches of the eval cases find the tools that are called after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agencyclaw.domain.people import Tier
from agencyclaw.tools import TOOLS, build_toolset
from agencyclaw.tools.tool_search import SEARCH_TOOLS, close_hits
from evals.plays import Play
from evals.subjects import load_subjects, plays_of
from tests.fakes.ports import context, demo_agency

ON_DEMAND = {name for name, spec in TOOLS.items() if spec.is_on_demand}
PLAYS = [play for play in plays_of(load_subjects()) if any(turn.gold for turn in play.scene.turns)]


async def lost(play: Play, tier: Tier) -> str:
    """Return what is called without having been found by somebody of this tier; "" if nothing."""
    run = context(demo_agency().run(tier=tier))
    tools = await build_toolset().get_tools(run)
    deferred = [tool.tool_def for tool in tools.values() if tool.tool_def.defer_loading]
    queries: list[str] = []
    found: list[str] = []
    for tool, args in calls_of(play):
        if tool == SEARCH_TOOLS:
            queries += args["queries"]
            found += close_hits(run, args["queries"], deferred)
        elif tool in ON_DEMAND and tool not in found:
            return (
                f"{queries} find {', '.join(found) or 'nothing'}, and no longer {tool}: put their"
                f" words into the docstring of {tool} in {TOOLS[tool].function.__module__}"
            )
    return ""


def calls_of(play: Play) -> Iterator[tuple[str, dict[str, list[str]]]]:
    for turn in play.scene.turns:
        for step in turn.gold:
            yield from ((call.tool, call.args) for call in step.calls)


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.case)
async def test_what_a_case_calls_is_found_by_what_it_searches_for(play: Play) -> None:
    called = [TOOLS[tool].rule.tier for tool, _ in calls_of(play) if tool in TOOLS]
    tiers = [tier for tier in Tier if tier >= max(called, default=Tier.VIEWER)]
    missing = [await lost(play, tier) for tier in tiers]
    assert "" in missing, missing[0]
