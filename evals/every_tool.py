"""Every dataset once on pydantic-ai's TestModel, which calls every tool it is offered.

It reads nothing and makes its arguments from the schemas. Each schema is used, each result has to
be what its tool declares, and whatever such a model says nothing may reach ClickUp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_ai import RunContext, ToolDefinition
from pydantic_ai.models.test import TestModel
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from agencyclaw.agents.main import Models
from agencyclaw.app import main_agent
from agencyclaw.deps import Deps
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.text import counted
from agencyclaw.tools import TOOLS, Ask, Proposed, Refusal, build_toolset
from evals.ledger import PlayedTurn
from evals.plays import Play
from evals.scene import Part, Scene
from evals.stage import Stage, unprompted
from evals.world import Ground, World, open_world

LABEL = "test:evals"
# Of a tool that failed; everything else that a tool returns is an answer.
_BROKEN = "broken"
_WAITING = (ProposalState.DRAFT, ProposalState.OPEN)


class Calls(Part):
    """The result of one case: the tools that were called, and what was wrong."""

    case: str
    tools: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


@dataclass
class Recording(WrapperToolset[Deps]):
    """Records what each tool returned, because the journal leaves out empty values."""

    returned: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Deps], tool: ToolsetTool[Deps]
    ) -> Any:
        """Call the tool, and note what it gives."""
        result = await super().call_tool(name, tool_args, ctx, tool)
        self.returned.append((name, result))
        return result


async def call_every_tool(ground: Ground, play: Play) -> Calls:
    """Play the first message of a case that reaches the model, and look at what it left."""
    scene = _first_message(play.scene)
    # Those that the main agent sends have other tools' results to read, and need call none.
    models = Models(TestModel(call_tools=[]))
    tools = Recording(build_toolset().prepared(_all_in_sight))
    async with open_world(ground, models, LABEL, scene) as world:
        with main_agent().override(model=TestModel(), toolsets=[tools]):
            await Stage(world, scene, unprompted, _never_enough).play()
        wrong = [*_invalid(tools.returned), *await _carried_out(world)]
    named = {name for name, _ in tools.returned}
    return Calls(case=play.case, tools=tuple(sorted(named)), wrong=tuple(wrong))


def closing_line(calls: Sequence[Calls]) -> str:
    """Return what it went through, in a line."""
    tools = {tool for one in calls for tool in one.tools}
    wrong = sum(bool(one.wrong) for one in calls)
    return (
        f"test model: {counted(len(calls), 'case')}, {len(tools)} of {len(TOOLS)} tools called, "
        f"{counted(wrong, 'case')} with something wrong"
    )


def _first_message(scene: Scene) -> Scene:
    """What people press or edit later would release what only a person may release."""
    turns = [turn for turn in scene.turns if turn.say or turn.change or turn.wait_minutes]
    first = next((at for at, turn in enumerate(turns) if turn.gold), len(turns) - 1)
    return scene.model_copy(update={"turns": tuple(turns[: first + 1])})


async def _all_in_sight(
    _: RunContext[Deps], definitions: list[ToolDefinition]
) -> list[ToolDefinition]:
    return [replace(one, defer_loading=False) for one in definitions]


def _invalid(returned: Sequence[tuple[str, Any]]) -> Iterator[str]:
    """Say of each result why it is not what its tool declares, in kind or in a field."""
    for name, result in returned:
        try:
            read: BaseModel = _result_type(name).validate_python(result)
            type(read).model_validate(dict(read))
        except ValidationError as error:
            where = error.errors()[0]["loc"]
            yield f"{name} returned what it does not declare: {where} in {str(result)[:200]}"
            continue
        if isinstance(read, Refusal) and read.reason == _BROKEN:
            yield f"{name} failed: {read.message}"


@cache
def _result_type(name: str) -> TypeAdapter[Any]:
    """Return what a tool may bring: what it declares, a question, a refusal, or a proposal."""
    spec = TOOLS[name]
    declared: Any = Proposed if spec.effect else get_type_hints(spec.function)["return"]
    kinds: Any = Refusal | Ask | declared
    return TypeAdapter[Any](kinds)


async def _carried_out(world: World) -> list[str]:
    """Return what a model alone brought about; there must be none of it."""
    states = await world.db.pool.fetch("select state, skill_id from proposals")
    done = [row["skill_id"] for row in states if row["state"] not in _WAITING]
    sent = [
        entry["operation"]
        for entry in await world.bench.log(target="clickup")
        if entry.get("method", "GET") != "GET"
    ]
    # The scene puts its own tasks on the boards in the same way.
    for _ in world.placed:
        sent.remove("create_task")
    return [f"{one} was released by nobody" for one in done] + [f"{one} was sent" for one in sent]


def _never_enough(_: int, __: PlayedTurn) -> bool:
    return False
