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
