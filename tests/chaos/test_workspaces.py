"""Two workspaces, each with processes of its own, on one database."""

from __future__ import annotations

import asyncio
import itertools
import random

from crowd import Ledger, Person
from ground import PATIENT, open_ground
from neighbours import OTHER
from processes import PATIENCE_S, ProcessPool
from reckoning import reckon, settle
from test_workers import answer, say, seen

from agencyclaw.store.engine import Database


async def test_no_process_takes_what_belongs_to_another_workspace(
    pool: ProcessPool, agency: Database
) -> None:
    where = {"DATABASE_URL": agency.dsn, **PATIENT}
    async with (
        open_ground(pool, agency.dsn, **where) as here,
        open_ground(pool, agency.dsn, team_id=OTHER, **where) as there,
    ):
        ours, theirs = Ledger(), Ledger()
        for ground in (here, there):
            await ground.start()
            await ground.connected()
        left = await say(there, theirs, "slow 1")
        await seen(there, "select from agent_runs where status = 'running'")
        there.lives[0].kill()

        # Meanwhile the living look several times what dead processes have left.
        for number in range(8):
            await answer(here, await say(here, ours, f"slow {number}"))
        waiting = "select status::text from procrastinate_jobs where queue_name = $1"
        async with here.database() as database:
            jobs = await database.fetch(waiting, f"turns:{OTHER}")
        assert [job["status"] for job in jobs] == ["doing"]

        await there.start()
        await answer(there, left)
        numbers = itertools.count(100)
        await asyncio.gather(
            *(
                Person(
                    *(ground, "U01INES", random.Random(seed), ledger, numbers),
                    patience_s=PATIENCE_S,
                ).press_create()
                for seed, (ground, ledger) in enumerate(((here, ours), (there, theirs)))
            )
        )
        for ground, ledger in ((here, ours), (there, theirs)):
            assert await settle(ground) == {}
            verdict = await reckon(ground, ledger)
            assert verdict.is_clean, verdict
            assert (verdict.answered, verdict.created) == (len(ledger.said), 1)
