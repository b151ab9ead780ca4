"""Whatever is asked for, by any tool: no client is named that person or place may not see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.exceptions import ModelRetry
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage

from agencyclaw.deps import Deps
from agencyclaw.domain.errors import WrongPlace
from agencyclaw.domain.people import Place, Scope, ScopeKind, Surface, SurfaceKind, Tier
from agencyclaw.domain.spaces import ClickUpSpace
from agencyclaw.domain.team import ClickUpMember
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.store.memory import MemoryReader
from agencyclaw.tools import build_toolset
from tests.fakes.ports import Agency, FakeBoard, demo_agency

BRIGHTKETTLE = ("Brightkettle", "Copperleaf", "Nordvent", "Tessera")
HEARTHLANE = ("Hearthlane",)
OTHERS = ("Glintly", "Casa Mundo", "Pawtrail", "Northwater", "Roderick", "Rodric", "Oldfern")
# What people may have called a client, a brand, a space, a list, a colleague, or nothing at all.
SAID = ("glintly inc", "hearth", "oldfern", "brightkettle", "zzz", "Miguel Duarte")
# Optional arguments that name a record.
NAMING = frozenset(
    {"assignee", "brand", "client", "home", "list_name", "name", "person", "role", "status"}
    | {"successor", "where"}
)


class Board(FakeBoard):
    """Lists that nobody has tasks on, in a workspace without people."""

    async def members(self) -> list[ClickUpMember]:
        return []

    async def spaces(self) -> list[ClickUpSpace]:
        return []


def in_brightkettles_channel(deps: Deps) -> Deps:
    """A super admin's run, who would see every client elsewhere."""
    place = Place(team_id="T0LANTERN", channel_id="C01BRIGHT", thread_ts="1.0", is_direct=False)
    surface = Surface(
        kind=SurfaceKind.THREAD,
        scope=ScopeKind.CLIENT_SCOPED,
        client_id=client_id("Brightkettle Group"),
        team_id=place.team_id,
        channel_id=place.channel_id,
    )
    scope = Scope(client_id=surface.client_id, client_name="Brightkettle Group")
    return replace(deps, place=place, surface=surface, scope=scope)


def run_in(db: Database, who: str, tier: Tier) -> Deps:
    """A run over what is stored, of somebody who may have any number of changes prepared."""
    fakes = demo_agency()
    fakes.proposals.limit = 10_000
    agency = Agency(
        DirectoryReader(db),  # pyright: ignore[reportArgumentType]
        knowledge=KnowledgeReader(db),  # pyright: ignore[reportArgumentType]
        board=Board(),
        memory=MemoryReader(db),  # pyright: ignore[reportArgumentType]
        proposals=fakes.proposals,
    )
    deps = agency.run(who=who, tier=tier)
    return replace(deps, actor=deps.actor.model_copy(update={"profile_id": person_id(who)}))


def calls_of(
    schema: dict[str, Any], said: str, in_sight: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """Yield arguments of a tool with these words: as few as may be, or all that name a record.

    Either is of whomever the words mean, and of the client and the brand that are in sight.
    """
    defs, fields = schema.get("$defs", {}), schema.get("properties", {})
    required = frozenset(schema.get("required", ()))
    for names in (required, required | NAMING):
        few = {name: _value(fields[name], defs, said) for name in fields if name in names}
        yield few
        for known in (frozenset({"client"}), in_sight.keys()):
            if known <= fields.keys():
                yield few | {name: in_sight[name] for name in known}


def _value(schema: dict[str, Any], defs: dict[str, Any], said: str) -> Any:
    """Return a value that a schema allows, with these words where any will do."""
    match schema:
        case {"$ref": str(ref)}:
            return _value(defs[ref.rsplit("/", 1)[-1]], defs, said)
        case {"anyOf": [first, *_]} | {"oneOf": [first, *_]}:
            return _value(first, defs, said)
        case {"const": value} | {"enum": [value, *_]}:
            return value
        case {"type": "string", "format": "date"}:
            return "2026-11-20"
        case {"type": "string", "pattern": _}:
            return "17:00"
        case {"type": "string"}:
            return said[: schema.get("maxLength", len(said))]
        case {"type": "array", "items": items}:
            return [_value(items, defs, said)]
        case {"type": "object"}:
            names = schema.get("required", ())
            return {name: _value(schema["properties"][name], defs, said) for name in names}
        case {"type": "boolean"}:
            return True
        case _:
            return schema.get("minimum", 1)


async def named_by(deps: Deps, hidden: tuple[str, ...], in_sight: dict[str, str]) -> list[str]:
    """Call every tool that is offered, in many ways, and return which named whom and how."""
    gate = build_toolset()
    model = TestModel()
    found: list[str] = []
    tools = await gate.get_tools(RunContext(deps=deps, model=model, usage=RunUsage()))
    for name, tool in tools.items():
        for said in SAID:
            own = replace(deps, request=f"every day {said}", user_texts=(f"every day {said}",))
            for arguments in calls_of(tool.tool_def.parameters_json_schema, said, in_sight):
                valid = tool.args_validator.validate_python(arguments)
                context = RunContext(deps=own, model=model, usage=RunUsage())
                try:
                    returned = str(await gate.call_tool(name, valid, context, tool))
                except (WrongPlace, ModelRetry) as raised:
                    returned = str(raised)
                found += [f"{name}({arguments}): {one}" for one in hidden if one in returned]
    return found


async def test_in_a_clients_channel_nobody_is_named_but_this_client(agency: Database) -> None:
    deps = in_brightkettles_channel(run_in(agency, "Ines Varga", Tier.SUPER_ADMIN))

    in_sight = {"client": "Brightkettle Group", "brand": "Copperleaf"}
    assert await named_by(deps, (*OTHERS, *HEARTHLANE), in_sight) == []


async def test_a_member_is_named_no_client_that_is_not_theirs(agency: Database) -> None:
    deps = run_in(agency, "Yuki Tan", Tier.MEMBER)

    in_sight = {"client": "Hearthlane", "brand": "Hearthlane Kids"}
    assert await named_by(deps, (*OTHERS, *BRIGHTKETTLE), in_sight) == []
