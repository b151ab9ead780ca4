"""Two people, one thing: while it is being changed for one of them, the other is told at once."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from acting import INES, TASK, TOMAS, Acting, creating, offer, states, whispered
from deadlines import clickup_holds
from stage import Stage, on_stage, script_file

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "make the task"


async def _both_asked(stage: Stage) -> list[tuple[str, dict[str, object]]]:
    asked: list[tuple[str, dict[str, object]]] = []
    for user in (INES, TOMAS):
        root = await stage.say(user, ASK)
        asked.append((root, await offer(stage, user, root)))
    await stage.settled()
    return asked


async def test_a_second_yes_on_the_same_thing_is_told_who_is_at_it_across_workers(
    bench: Bench, agency: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = script_file(tmp_path, [creating(ASK)])
    second = await Database.open(agency.dsn, min_size=1)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(second.close)
        stage = await stack.enter_async_context(on_stage(bench, agency, agencyclaw_model=model))
        await stack.enter_async_context(on_stage(bench, second, agencyclaw_model=model))
        (root, hers), (_, his) = await _both_asked(stage)
        answered = clickup_holds(monkeypatch, "POST")

        await stage.press(INES, hers, "Create task")
        await bench.until(lambda: _is_at_work(stage))
        await stage.press(TOMAS, his, "Create task")

        said = await whispered(stage, TOMAS, "is being carried out right now")
        assert said.startswith("Ines Varga’s")
        assert await states(stage) in (["executing", "open"], ["unclear", "open"], ["done", "open"])
        answered.set()
        await stage.reply_with(INES, root, "Created “")
        await stage.press(TOMAS, his, "Create task")
        await offer(stage, TOMAS, str(his["thread_ts"]), "Create anyway")
        await stage.settled()
        assert await stage.creates_sent() == 1
        reasons = {event["reason"] for event in await stage.events("consent_confirm")}
        assert reasons == {"confirmed", "entity_at_work"}


async def _is_at_work(stage: Stage) -> bool:
    return (await states(stage))[0] in ("confirmed", "executing", "unclear")


async def test_the_thing_stays_held_when_the_worker_is_gone_and_of_unknown_fate(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    (_, _), (_, his) = await _both_asked(stage)
    for state, reason in (("executing", None), ("unclear", "looking")):
        await stage.db.pool.execute(
            "update proposals set state = $1, reason = $2 where actor_slack_user_id = $3",
            state,
            reason,
            INES,
        )
        await stage.press(TOMAS, his, "Create task")
        await stage.settled()
        assert (await states(stage))[1] == "open"

    await stage.db.pool.execute(
        "update proposals set reason = 'undecided' where reason is not null"
    )
    await stage.press(TOMAS, his, "Create task")

    assert len(await stage.created(TASK)) == 1
