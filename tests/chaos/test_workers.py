"""Several processes, ends in good order, a database that goes away."""

from __future__ import annotations

import asyncio
import random

from crowd import Crowd, Ledger, Said
from faults import Faults
from ground import PATIENT, Ground, Message, ground_of_its_own
from processes import PATIENCE_S, ProcessPool
from reckoning import Verdict, reckon, settle

from agencyclaw.store.jobs import TURNS

MIG = "D01MIG"
AT_WORK = """
select from procrastinate_jobs j join procrastinate_workers w on w.id = j.worker_id
where j.status = 'doing' and j.task_name = 'turn'
"""


async def say(ground: Ground, ledger: Ledger, text: str) -> Said:
    ts = await ground.bench.post_message(MIG, "U01MIG", text)
    ledger.said.append(said := Said(MIG, ts, ts, text))
    return said


async def answer(ground: Ground, said: Said, seconds: float = PATIENCE_S) -> Message:
    found = await ground.view.until(lambda: ground.view.said(MIG, said.thread), seconds)
    assert found, f"no answer to {said.text}"
    return found[0]


async def seen(ground: Ground, query: str) -> None:
    """Wait until the database has such a row."""
    async with ground.database() as database:
        while not await database.fetch(query):  # noqa: ASYNC110  (nobody tells when it comes)
            await asyncio.sleep(0.01)


async def test_two_processes_share_the_work_and_one_takes_over_from_the_other(
    ground: Ground,
) -> None:
    first, second = await ground.start(), await ground.start()
    await ground.connected(at_least=2)
    crowd = Crowd(ground, random.Random(3), people=("U01MIG", "U01INES"))
    crowd.begin()
    await seen(ground, "select from outbox where state = 'sent'")
    first.kill()
    await crowd.end()

    assert await settle(ground) == {}
    verdict = await reckon(ground, crowd.ledger)
    assert second.is_alive
    assert verdict.is_clean, verdict
    assert verdict.answered == len(crowd.ledger.said)


async def test_the_job_of_a_killed_process_is_taken_over(ground: Ground) -> None:
    ledger = Ledger()
    lives = [await ground.start(), await ground.start()]
    await ground.connected(at_least=2)
    said = await say(ground, ledger, "slow 1")
    await seen(ground, AT_WORK)
    lives[0].kill()
    await answer(ground, said)
    lives[0] = await ground.start()
    said = await say(ground, ledger, "slow 2")
    await seen(ground, AT_WORK)
    lives[1].kill()
    await answer(ground, said)

    assert await settle(ground) == {}
    assert await reckon(ground, ledger) == Verdict(answered=2)
    taken_over = [line for line in lives[0].lines if "taken over from a worker that died" in line]
    # A maintenance job may have been running there, too.
    assert any(" task=turn lane=" in line for line in taken_over)
    assert all(" task=" in line and " lane=" in line and " attempt=" in line for line in taken_over)


async def test_asked_to_end_it_finishes_what_it_began(ground: Ground) -> None:
    ledger = Ledger()
    life = await ground.start()
    await ground.connected()
    fault = {"target": "slack", "method": "chat.postMessage", "kind": "hang_after", "delay_s": 0.5}
    await ground.bench.control("POST", "faults", fault)
    said = await say(ground, ledger, "hello 1")
    await answer(ground, said)
    life.terminate()

    assert await life.ended_within()
    assert life.died.result() == 0
    assert await settle(ground, 0.5) == {}
    assert await reckon(ground, ledger) == Verdict(answered=1)


async def test_a_poisoned_message_is_set_aside_with_a_word_and_the_lane_goes_on(
    ground: Ground,
) -> None:
    ledger = Ledger()
    await ground.start()
    poison = await say(ground, ledger, "poison 1")
    after = await say(ground, ledger, "hello 2")

    assert "set it aside" in (await answer(ground, poison))["text"]
    assert "Hello to number 2" in (await answer(ground, after))["text"]
    assert await settle(ground) == {}
    assert await reckon(ground, ledger) == Verdict(answered=2, set_aside=1)


async def test_a_stored_message_that_nobody_can_read_holds_up_no_lane(ground: Ground) -> None:
    ledger = Ledger()
    old = await say(ground, ledger, "hello 1")
    life = await ground.start()
    await answer(ground, old)
    await settle(ground)
    life.kill()
    async with ground.database() as database:
        await database.execute(
            "update slack_event_receipts set status = 'received', payload = '{}',"
            " event_key = event_key || ':old', processed_at = null"
        )
        await database.execute("update outbox set key = key || ':old'")
        await database.execute(
            "select procrastinate_defer_jobs_v1(array[row($1 || team_id, 'turn', 0, lane, null,"
            " jsonb_build_object('receipt_id', id), null)::procrastinate_job_to_defer_v1])"
            " from slack_event_receipts",
            f"{TURNS}:",
        )
    await ground.start()
    said = await say(ground, ledger, "hello 2")

    assert "Hello to number 2" in (await answer(ground, said))["text"]
    spoken = ground.view.said(MIG, old.thread)
    assert "set it aside" in spoken[-1]["text"]


async def test_when_postgres_is_killed_under_it_the_lanes_go_on_and_it_can_still_end(
    pool: ProcessPool,
) -> None:
    async with ground_of_its_own(pool, **PATIENT) as (ground, home):
        ledger = Ledger()
        life = await ground.start()
        await answer(ground, await say(ground, ledger, "hello 1"))
        faults = Faults(ground, random.Random(1), home)
        slow = await say(ground, ledger, "slow 2")
        await seen(ground, "select from agent_runs where status = 'running'")
        faults.kill_postgres(2.0)
        during = await say(ground, ledger, "hello 3")
        await faults.clear_up()

        await answer(ground, slow)
        await answer(ground, during)
        assert await settle(ground) == {}
        assert await reckon(ground, ledger) == Verdict(answered=3)
        assert life.is_alive
        faults.kill_postgres(1.0)
        await asyncio.sleep(0.2)
        life.terminate()
        assert await life.ended_within()
        await faults.clear_up()
