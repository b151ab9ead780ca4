"""The tools of a run are defined once, and again when others are offered."""

from __future__ import annotations

from pydantic_ai import RunContext
from pydantic_ai.toolsets import FunctionToolset, ToolsetTool

from agencyclaw.agents.policies.kept_tools import KeptTools
from agencyclaw.deps import Deps
from tests.fakes.ports import context, demo_agency


async def list_tasks() -> str:
    """Return nothing."""
    return ""


class Counting(FunctionToolset[Deps]):
    """Counts how often its tools are defined."""

    asked = 0

    async def get_tools(self, ctx: RunContext[Deps]) -> dict[str, ToolsetTool[Deps]]:
        self.asked += 1
        return await super().get_tools(ctx)


async def test_tools_are_defined_again_only_when_others_are_offered() -> None:
    counting, offered = Counting([list_tasks]), set[str]()
    kept = KeptTools(counting, lambda _: frozenset(offered))
    ctx = context(demo_agency().run())

    first, second = await kept.get_tools(ctx), await kept.get_tools(ctx)
    assert list(first) == ["list_tasks"]
    assert first is second
    assert counting.asked == 1

    offered.add("read_task")
    await kept.get_tools(ctx)
    assert counting.asked == 2
