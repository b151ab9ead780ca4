"""A lock is kept, a statement never ends, a transaction stays open: nobody hangs with it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from acting import INES, TOMAS, text, turn
from stage import Stage, on_stage, script_file

from agencyclaw.store import engine
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "hello there"
# Every answer is written here first; with a row in `stuck`, that never ends.
NEVER_ENDING = """
create table stuck (since timestamptz);
insert into stuck values (now());
create function never_end() returns trigger language plpgsql as
  'begin perform pg_sleep(3600) from stuck; return new; end';
create trigger never_ends before insert on outbox for each row execute function never_end();
"""


@asynccontextmanager
async def with_short(
    limit: str, patch: pytest.MonkeyPatch, bench: Bench, dsn: str, folder: Path
) -> AsyncGenerator[Stage]:
    """The assistant on connections on which this limit is over in a moment, and no other one."""
    db = await Database.open(dsn)
    model = script_file(folder, [turn(ASK, text("Hello."))])
    try:
        async with on_stage(bench, db, agencyclaw_model=model) as stage:
            limits = dict(one.split("=") for one in engine.LIMITS.split(";"))
            [name] = [name for name in limits if limit in name]
            changed = {**limits, name: "'500ms'"}
            patch.setattr(engine, "LIMITS", ";".join(map("=".join, changed.items())))
            await db.pool.expire_connections()
            yield stage
    finally:
        await db.close()


async def waits_for_records(stage: Stage) -> bool:
    shown = await stage.bench.log(target="slack", method="assistant.threads.setStatus")
    return any("my own records" in call["arguments"]["status"] for call in shown)


async def test_a_lock_that_somebody_keeps_is_waited_for_visibly_and_not_in_the_database(
    bench: Bench, agency: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody = await asyncpg.connect(agency.dsn)
    async with with_short("lock_timeout", monkeypatch, bench, agency.dsn, tmp_path) as stage:
        async with somebody.transaction():
            await somebody.execute("lock table outbox in share mode")
            root = await stage.say(INES, ASK)
            await stage.bench.until(lambda: waits_for_records(stage))
            assert await stage.replies(INES, root) == []

        await stage.reply_with(INES, root, "Hello.")
        await stage.settled()
        assert len(await stage.replies(INES, root)) == 1
    await somebody.close()


async def test_a_statement_that_never_ends_is_ended_and_its_message_waits_visibly(
    bench: Bench, agency: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agency.pool.execute(NEVER_ENDING)
    async with with_short("statement_timeout", monkeypatch, bench, agency.dsn, tmp_path) as stage:
        root = await stage.say(INES, ASK)
        await stage.bench.until(lambda: waits_for_records(stage))
        assert await stage.replies(INES, root) == []

        await agency.pool.execute("delete from stuck")
        await stage.reply_with(INES, root, "Hello.")
        await stage.settled()
        assert len(await stage.replies(INES, root)) == 1


async def test_a_transaction_that_is_left_open_is_ended_and_the_others_go_on(
    bench: Bench, agency: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with with_short("idle_in_transaction", monkeypatch, bench, agency.dsn, tmp_path) as stage:
        left_open = await stage.db.connect()
        await left_open.execute("begin; lock table slack_event_receipts in access exclusive mode")

        await stage.reply_with(TOMAS, await stage.say(TOMAS, ASK), "Hello.")

        with pytest.raises(engine.AWAY):
            await left_open.execute("commit")
