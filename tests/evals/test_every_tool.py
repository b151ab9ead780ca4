"""A model that calls every tool: what it is given and gets back is valid, and nothing is done."""

from __future__ import annotations

import pytest

from agencyclaw.tools import TOOLS
from evals.every_tool import call_every_tool, closing_line
from evals.plays import Play
from evals.subjects import load_subjects, plays_of
from evals.world import Ground

SUBJECTS = load_subjects()
FIRST = {play.subject: play for play in reversed(list(plays_of(SUBJECTS)))}


@pytest.mark.parametrize("play", FIRST.values(), ids=FIRST.keys())
async def test_every_tool_takes_and_gives_what_it_declares(ground: Ground, play: Play) -> None:
    calls = await call_every_tool(ground, play)

    assert calls.wrong == ()
    assert calls.tools
    assert closing_line([calls]).startswith("test model: 1 case, ")


async def test_a_task_that_the_scene_itself_puts_on_a_board_is_no_deed_of_the_model(
    ground: Ground,
) -> None:
    [play, *_] = [
        one for one in plays_of(SUBJECTS) if any(change.task for change in one.scene.changes)
    ]

    assert (await call_every_tool(ground, play)).wrong == ()


def test_every_tool_has_a_case_that_needs_it() -> None:
    scripted = {
        call.tool
        for play in plays_of(SUBJECTS)
        for turn in play.scene.turns
        for steps in (turn.gold, *(child.steps for child in turn.children))
        for step in steps
        for call in step.calls
    }

    without = sorted(TOOLS.keys() - scripted)
    assert without == [], f"no eval case calls {', '.join(without)}; add one to evals/datasets"
