"""What a person can't do in a scene, and work that nobody there does, is told, not passed over."""

from __future__ import annotations

import pytest

from agencyclaw.agents.main import Models
from agencyclaw.store.jobs import defer
from evals.ledger import PlayedTurn
from evals.plays import ScriptedModel, gold_of
from evals.scene import Scene
from evals.stage import Stage
from evals.world import Ground, open_world

SCENE = {
    "person": "Sara Lindqvist",
    "turns": [
        {"say": "task for Glintly: photograph the oak shelf in three rooms", "gold": [
            {"create_task": {
                "client": "Glintly Inc", "title": "Photograph the oak shelf",
                "objective": "photograph the oak shelf in three rooms",
            }},
            "The task for Glintly is on the card.",
        ]},
        {"edit": {"title": "Photograph the shelf"}, "by": "Ines Varga"},
        {"edit": {"title": "Photograph the shelf"}},
        {"press": "confirm"},
        {"edit": {"title": "Photograph the desk"}},
    ],
}  # fmt: skip


async def play(ground: Ground, scene: Scene, job: str = "") -> list[PlayedTurn]:
    mind, played = ScriptedModel(scene, gold_of(scene)), list[PlayedTurn]()

    def keep(_: int, turn: PlayedTurn) -> bool:
        played.append(turn)
        return False

    async with open_world(ground, Models(mind.model()), "script:evals", scene) as world:
        if job:
            async with world.db.transaction() as conn:
                await defer(conn, job, {}, queue="default")
        await Stage(world, scene, mind.begin, keep).play()
    return played


async def test_an_edit_that_is_refused_was_not_possible(ground: Ground) -> None:
    turns = await play(ground, Scene.model_validate(SCENE))

    assert [turn.was_possible for turn in turns] == [True, False, True, True, False]


async def test_a_job_that_the_stage_does_not_know_is_an_error(ground: Ground) -> None:
    with pytest.raises(LookupError, match="no such job: sing"):
        await play(ground, Scene.model_validate(SCENE), job="sing")


RESEARCH = {
    "person": "Ines Varga",
    "turns": [
        {"say": "Research for me what our procedure for coupons asks for", "gold": [
            {"search_tools": {"queries": ["research several questions at the same time"]}},
            {"research": {"questions": ["What does the procedure for coupons ask for first?"]}},
            "${research.found.0.text}",
        ], "children": [{
            "question": "What does the procedure for coupons ask for first?",
            "steps": [{"search_kb": {"query": "coupons"}}, "It asks for products first."],
        }]},
    ],
}  # fmt: skip


async def test_what_sub_agents_cost_is_part_of_their_turn(ground: Ground) -> None:
    scene = Scene.model_validate(RESEARCH)
    mind = ScriptedModel(scene, gold_of(scene))
    async with open_world(ground, Models(mind.model()), "script:evals", scene) as world:
        ledger = await Stage(world, scene, mind.begin, lambda *_: False).play()
        spent = await world.db.pool.fetchval("select sum(total_tokens) from ai_token_usage")

    [turn] = ledger.turns
    assert [one.tool for one in turn.calls] == ["search_tools", "research"]
    assert turn.tokens == spent
