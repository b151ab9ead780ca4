"""The harness itself: it plays, it finds nothing where nothing is wrong, it finds what is."""

from __future__ import annotations

import pytest

from agencyclaw.store.engine import Database
from agencyclaw.tools import drafting
from agencyclaw.tools.catalogue import TOOLS
from tests.adversary.__main__ import Part, Share, try_sabotage
from tests.adversary.cases import Case
from tests.adversary.moves import every_move
from tests.adversary.owned import SEARCH, Owned, StepsLeft
from tests.adversary.playing import every_case, play, tools_of
from tests.adversary.sabotage import SABOTAGES, Sabotage, sabotaged
from tests.adversary.singles import PEOPLE, PLACES
from tests.adversary.telemetry import Telemetry
from tests.adversary.world import World, open_world


def _some(cases: list[Case], cls: str, count: int = 1) -> list[Case]:
    return [case for case in cases if case.cls == cls][:count]


async def test_runs_of_every_group_break_nothing(agency: Database) -> None:
    async with open_world(agency) as world:
        cases = await every_case(world, size="small")
        for cls in (
            "benign",
            "A1",
            "B16",
            "B26",
            "C42",
            "D51",
            "E68",
            "G86",
            "H96",
            "I106",
            "walk",
        ):
            for case in _some(cases, cls):
                assert (await play(world, case)).violations == (), case.label


@pytest.mark.parametrize("sabotage", SABOTAGES[:3], ids=lambda one: one.name)
async def test_a_missing_rail_is_noticed_and_put_back(agency: Database, sabotage: Sabotage) -> None:
    async with open_world(agency) as world:
        cases = await every_case(world, size="pairwise")
        near = [case for case in cases if case.cls in sabotage.classes]
        with sabotaged(sabotage):
            assert await _caught(world, near)
        assert not await _caught(world, near[:1])


async def test_a_hole_that_only_breaks_the_house_is_not_caught(agency: Database) -> None:
    def no_title(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(drafting, "ask_title", lambda: None)

    share = Share()
    async with open_world(agency) as world:
        cases = _some(await every_case(world, size="pairwise"), "K128", 2)
        broken = Sabotage("tasks have no title", no_title, ("K128",))
        await try_sabotage(world, broken, cases, Telemetry(), share)

    assert (share.caught, share.uncaught) == ({}, ["tasks have no title"])


async def test_a_part_has_the_cases_of_every_word_asked_for(agency: Database) -> None:
    async with open_world(agency) as world:
        cases = await every_case(world, size="small")
    asked = Part(number=0, of=1, size="small", only=("A1", "D51"))

    played = {case.cls for case in cases if asked.plays(case)}
    assert {"A1", "D51"} <= played
    assert "benign" not in played
    assert all(Part(number=0, of=1, size="small", only=()).plays(case) for case in cases)


async def _caught(world: World, cases: list[Case]) -> bool:
    for case in cases:
        if (await play(world, case)).violations:
            return True
    return False


async def test_moves_reach_every_argument_of_every_tool(agency: Database) -> None:
    async with open_world(agency) as world:
        tools = await tools_of(world)
        cases = await every_case(world, size="pairwise")
    moves = every_move(tools)
    for tool in tools:
        labels = [move.label for move in moves if move.tool == tool.name]
        for name in tool.parameters_json_schema.get("properties", {}):
            assert sum(label.startswith(f"{name}: ") for label in labels) >= 10, (tool.name, name)
    played = [case.label for case in cases if " by U0" in case.label]
    rare = {name for name, spec in TOOLS.items() if spec.is_on_demand}
    assert {tool.name for tool in tools} - {SEARCH} == TOOLS.keys()
    for name in TOOLS:
        assert any(label.startswith(f"{name} ") for label in played), name
        assert any(label.startswith(f"unsought {name} ") for label in played) == (name in rare)
    for who in PEOPLE:
        for where in PLACES:
            assert any(label.endswith(f"by {who} in {where}") for label in played)
    assert len(cases) >= 3_000
    assert len({case.cls for case in cases} - {"benign", "walk"}) >= 120


def test_the_owned_model_says_what_it_did_not_get_to_do() -> None:
    owned = Owned()
    owned.will("one", "two")

    with pytest.raises(StepsLeft, match="2 steps"):
        owned.must_be_done()
