"""What runs are offered is defined once for all who may use the same."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace

from pydantic_ai import RunContext
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from agencyclaw.agents.policies.kept_tools import KeptTools
from agencyclaw.deps import Deps
from agencyclaw.domain.people import Tier
from agencyclaw.tools import Gate, Refusal, build_toolset
from agencyclaw.tools.tool_search import tool_search
from tests.fakes.ports import context, demo_agency


@dataclass
class Counting(WrapperToolset[Deps]):
    """What a run has between the search and the gate; counts how often tools are defined."""

    asked: int = 0

    async def get_tools(self, ctx: RunContext[Deps]) -> dict[str, ToolsetTool[Deps]]:
        self.asked += 1
        return await super().get_tools(ctx)


def a_run(gate: Gate, offered: set[str] | None = None) -> tuple[Counting, KeptTools]:
    counting = Counting(gate)
    search = tool_search().get_wrapper_toolset(counting)
    return counting, KeptTools(search, gate, lambda _: frozenset(offered or ()))


async def test_tools_are_defined_again_only_when_others_are_offered() -> None:
    offered = set[str]()
    counting, run = a_run(build_toolset(), offered)
    ctx = context(demo_agency().run())

    first, second = await run.get_tools(ctx), await run.get_tools(ctx)
    assert {"lookup_client", "search_tools"} <= first.keys()
    assert first is second
    assert counting.asked == 1

    offered.add("read_task")
    await run.get_tools(ctx)
    assert counting.asked == 2


async def test_a_later_run_is_offered_what_an_earlier_one_was_if_it_may_use_the_same() -> None:
    gate, agency = build_toolset(), demo_agency()
    offered = list[dict[str, ToolsetTool[Deps]]]()
    asked = 0
    for tier in (Tier.VIEWER, Tier.ADMIN, Tier.VIEWER, Tier.ADMIN):
        counting, run = a_run(gate)
        offered.append(await run.get_tools(context(agency.run(tier=tier))))
        asked += counting.asked

    viewer, admin, viewer_again, admin_again = offered
    assert "create_task" not in viewer
    assert "create_task" in admin
    assert viewer is viewer_again
    assert admin is admin_again
    assert asked == 2


async def test_a_kept_tool_is_called_and_judged_for_the_run_that_calls_it() -> None:
    gate, agency = build_toolset(), demo_agency()
    allowed = context(agency.run())
    await a_run(gate)[1].get_tools(allowed)
    _, later = a_run(gate)
    tool = (await later.get_tools(allowed))["create_task"]

    demoted = replace(allowed, deps=agency.run(tier=Tier.VIEWER))
    refused = await later.call_tool("create_task", {}, demoted, tool)

    assert isinstance(refused, Refusal)
    assert refused.reason == "viewer_mutation_denied"


async def test_nothing_of_the_run_that_defined_them_is_kept() -> None:
    gate = build_toolset()
    counting, run = a_run(gate)
    await run.get_tools(context(demo_agency().run()))
    ended = weakref.ref(counting)

    del counting, run

    assert ended() is None
    assert gate.kept


async def test_what_is_kept_stays_within_a_limit() -> None:
    gate, ctx = build_toolset(), context(demo_agency().run())
    for number in range(200):
        await a_run(gate, {str(number)})[1].get_tools(ctx)
    assert len(gate.kept) <= 64
