"""Our own records go away in the middle of an effect: the person is told at once, and it heals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from acting import ASKED, SARA_L, TASK, creating, offer
from fakes.database_wire import wire_to
from stage import Stage, buttons, on_stage, script_file

from agencyclaw.clickup.writer import ClickUpWriter
from agencyclaw.proposals import execute
from agencyclaw.proposals.task_creation import TaskCreation
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "make the task"
Step = Callable[..., Awaitable[Any]]


def cutting(step: Step, lose: Callable[[], Awaitable[None]], *, before: bool = False) -> Step:
    """Do a step, and lose the database once, right before or after it."""
    lost = False

    async def do(*given: Any, **more: Any) -> Any:
        nonlocal lost
        is_first, lost = not lost, True
        if is_first and before:
            await lose()
        result = await step(*given, **more)
        if is_first and not before:
            await lose()
        return result

    return do


@pytest.mark.parametrize("before", [False, True])
async def test_records_that_go_away_around_the_request_are_told_and_agree_again(
    bench: Bench, agency: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bool
) -> None:
    model = script_file(tmp_path, [creating(ASK, title=TASK, objective=ASKED)])
    async with wire_to(agency.dsn) as wire:
        if before:
            carry_out = cutting(TaskCreation.carry_out, wire.cut, before=True)
            monkeypatch.setattr(TaskCreation, "carry_out", carry_out)
        else:
            create_task = cutting(ClickUpWriter.create_task, wire.cut)
            monkeypatch.setattr(ClickUpWriter, "create_task", create_task)
        db = await Database.open(wire.dsn)
        async with on_stage(bench, db, agencyclaw_model=model) as stage:
            root = await stage.say(SARA_L, ASK)
            await stage.press(SARA_L, await offer(stage, SARA_L, root), "Create task")

            note = await stage.bench.until(lambda: whisper(stage))
            card = await stage.reply_with(SARA_L, root, "I can't reach my own records")
            assert f"whether “{TASK}” was created. I keep trying" in note
            assert buttons(card) == []
            assert len(await stage.tasks_named(TASK)) == (0 if before else 1)

            await wire.mend()
            await stage.reply_with(SARA_L, root, "Created “")
            seen = Stage(bench, agency, stage.settings, stage.edge)
            await seen.settled()
            [proposal] = await seen.proposals()
            assert proposal["state"] == "done"
            assert await agency.pool.fetchval("select status from agent_tasks") == "created"
            assert len(await stage.tasks_named(TASK)) == 1
            assert "I can't reach my own records" not in str(await stage.replies(SARA_L, root))
        await db.close()


def test_a_person_is_not_left_without_a_word_for_a_minute() -> None:
    # After this Slack is called, and that call may have to be made again.
    assert execute._UNRECORDED_S <= 30


async def test_records_that_do_not_answer_are_told_too(
    bench: Bench, agency: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.proposals.execute._UNRECORDED_S", 0.2)
    model = script_file(tmp_path, [creating(ASK, title=TASK, objective=ASKED)])
    async with wire_to(agency.dsn) as wire:
        create_task = cutting(ClickUpWriter.create_task, wire.hold)
        monkeypatch.setattr(ClickUpWriter, "create_task", create_task)
        db = await Database.open(wire.dsn)
        async with on_stage(bench, db, agencyclaw_model=model) as stage:
            root = await stage.say(SARA_L, ASK)
            await stage.press(SARA_L, await offer(stage, SARA_L, root), "Create task")

            await stage.bench.until(lambda: whisper(stage))
            card = await stage.reply_with(SARA_L, root, "I can't reach my own records")
            assert buttons(card) == []

            await wire.mend()
            await stage.reply_with(SARA_L, root, "Created “")
            await Stage(bench, agency, stage.settings, stage.edge).settled()
            assert len(await stage.tasks_named(TASK)) == 1
            assert "I can't reach my own records" not in str(await stage.replies(SARA_L, root))
        await db.close()


async def whisper(stage: Stage) -> str | None:
    found = [one for one in await stage.whispers(SARA_L) if "my own records" in one]
    return found[0] if found else None
