"""Only what a message does by itself counts against it; the end of a worker does not."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import asyncpg
import pytest
from acting import ScriptedModel, minded
from stage import eventually

from agencyclaw.store.background import Background
from agencyclaw.store.engine import Database
from agencyclaw.store.runs import Runs
from workbench.fixture import Bench

INES = "U01INES"


async def test_an_answer_that_is_interrupted_nine_times_is_given(
    bench: Bench, agency: Database
) -> None:
    asked = asyncio.Event()

    async def think(*_: object) -> str:
        asked.set()
        await asyncio.Event().wait()
        return "never said"

    root = ""
    for _ in range(9):
        asked.clear()
        async with minded(bench, agency, ScriptedModel(think), agencyclaw_drain_s=0.0) as stage:
            root = root or await stage.say(INES, "what is new?")
            await asyncio.wait_for(asked.wait(), 300)

    async with minded(bench, agency, ScriptedModel("Here is the answer.")) as stage:
        await stage.reply_with(INES, root, "Here is the answer.")
        await stage.settled()
        assert len(await stage.replies(INES, root)) == 1
    row = await agency.pool.fetchrow("select status, attempts, failures from slack_event_receipts")
    assert dict(row) == {"status": "done", "attempts": 10, "failures": 0}


async def test_five_failures_of_its_own_set_a_message_aside(bench: Bench, agency: Database) -> None:
    async with AsyncExitStack() as stack:
        mind = ScriptedModel(RuntimeError("a bug in a client library"))
        stage = await stack.enter_async_context(minded(bench, agency, mind))
        root = await stage.say(INES, "what is new?")
        await stage.reply_with(INES, root, "set it aside")
        await eventually(lambda: _is_dead(agency))

    row = await agency.pool.fetchrow("select attempts, failures from slack_event_receipts")
    assert row["failures"] == len(mind.told) == 5


async def test_a_transaction_that_was_ended_for_another_is_no_failure_of_the_message(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    background, ended = Runs.background, list[int]()

    async def deadlocks(runs: Runs, *given: Any) -> Background:
        ended.append(len(ended))
        if len(ended) <= 5:
            raise asyncpg.DeadlockDetectedError("deadlock detected")
        return await background(runs, *given)

    monkeypatch.setattr(Runs, "background", deadlocks)
    async with minded(bench, agency, ScriptedModel("Here is the answer.")) as stage:
        await stage.say(INES, "what is new?")
        await eventually(lambda: _has_ended(agency))
    row = await agency.pool.fetchrow("select status, failures from slack_event_receipts")
    assert dict(row) == {"status": "done", "failures": 0}


async def _has_ended(agency: Database) -> bool:
    ended = "select exists (select from slack_event_receipts where status <> 'received')"
    return await agency.pool.fetchval(ended)


async def _is_dead(agency: Database) -> bool:
    return await agency.pool.fetchval("select status = 'dead' from slack_event_receipts")
