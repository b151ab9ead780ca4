"""Advisory locks: the holder is alive, and nobody else runs the same job."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import asyncpg
import pytest

from agencyclaw.store.advisory_locks import AdvisoryLocks, LockHeld, TakenOver
from agencyclaw.store.engine import Connection, Database

_HOLDER = "select pid from pg_locks where locktype = 'advisory'"
_ASK = "insert into procrastinate_jobs (id, queue_name, task_name) values ($1, 'work', 'deliver')"


@pytest.fixture(autouse=True)
async def _jobs(database: Database) -> None:
    for number in (1, 2):
        await database.pool.execute(_ASK, number)


async def test_one_process_holds_it_and_the_other_is_told(database: Database) -> None:
    ours, theirs = AdvisoryLocks(database), AdvisoryLocks(database)
    async with ours.hold(1, 0):
        with pytest.raises(LockHeld):
            async with theirs.hold(1, 0):
                pass
        async with theirs.hold(2, 0):
            assert await ours.unheld([1, 2, 3]) == {3}
    async with theirs.hold(1, 0):
        pass
    await ours.close()
    await theirs.close()


@pytest.mark.parametrize(
    "since", ["update procrastinate_jobs set attempts = 1", "delete from procrastinate_jobs"]
)
async def test_who_comes_late_is_told_and_keeps_no_lock(database: Database, since: str) -> None:
    late = AdvisoryLocks(database)
    await database.pool.execute(since)
    with pytest.raises(TakenOver):
        async with late.hold(1, 0):
            pytest.fail("the job is another worker's")
    assert await late.unheld([1]) == {1}
    await late.close()


async def test_who_can_not_be_told_whether_the_job_is_theirs_keeps_no_lock(
    database: Database,
) -> None:
    locks = AdvisoryLocks(database)
    await database.pool.execute("alter table procrastinate_jobs rename to away")
    with pytest.raises(asyncpg.UndefinedTableError):
        async with locks.hold(1, 0):
            pytest.fail("nobody knows whose job it is")
    assert await locks.unheld([1]) == {1}
    await locks.close()


async def test_two_tasks_of_one_process_never_hold_the_same(database: Database) -> None:
    locks = AdvisoryLocks(database)
    holding: list[int] = []
    most = 0

    async def work(number: int) -> None:
        nonlocal most
        async with locks.hold(1, 0):
            holding.append(number)
            most = max(most, len(holding))
            await asyncio.sleep(0.02)
            holding.remove(number)

    ends = await asyncio.gather(*(work(n) for n in range(4)), return_exceptions=True)

    assert most == 1
    assert [type(end) for end in ends].count(LockHeld) == 3
    await locks.close()


class SlowReplies:
    """A connection whose replies arrive only when they are let through."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn
        self.is_done = asyncio.Event()
        self.is_open = asyncio.Event()

    async def fetchval(self, statement: str, *arguments: object) -> object:
        result = await self._conn.fetchval(statement, *arguments)
        self.is_done.set()
        await self.is_open.wait()
        return result

    def is_closed(self) -> bool:
        return self._conn.is_closed()

    async def close(self) -> None:
        await self._conn.close()


class SlowDatabase(Database):
    """A database whose connections outside the pool are slow to reply."""

    def __init__(self, db: Database) -> None:
        super().__init__(db.dsn, db.pool)
        self.opened: asyncio.Queue[SlowReplies] = asyncio.Queue()

    async def connect(self, *, on_lost: Callable[[Connection], None] | None = None) -> Connection:
        conn = SlowReplies(await super().connect(on_lost=on_lost))
        self.opened.put_nowait(conn)
        return conn


async def test_a_lock_granted_to_a_cancelled_request_is_released(database: Database) -> None:
    slow = SlowDatabase(database)
    ours, theirs = AdvisoryLocks(slow), AdvisoryLocks(database)

    async def work() -> None:
        async with ours.hold(1, 0):
            pass

    worker = asyncio.create_task(work())
    conn = await slow.opened.get()
    await conn.is_done.wait()
    worker.cancel()
    conn.is_open.set()
    with pytest.raises(asyncio.CancelledError):
        await worker

    async with theirs.hold(1, 0):
        pass
    await ours.close()
    await theirs.close()


async def test_who_loses_the_connection_is_stopped_and_the_fence_opens_anew(
    database: Database,
) -> None:
    locks = AdvisoryLocks(database)
    holds = asyncio.Event()

    async def work() -> None:
        async with locks.hold(1, 0):
            holds.set()
            await asyncio.Event().wait()

    worker = asyncio.create_task(work())
    await holds.wait()
    await database.pool.execute(f"select pg_terminate_backend(pid) from ({_HOLDER}) as holder")
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(worker, 300)
    async with locks.hold(1, 0):
        assert await locks.unheld([1]) == set()
    await locks.close()


class CountedDatabase(Database):
    """A database that counts the connections opened outside the pool."""

    def __init__(self, db: Database) -> None:
        super().__init__(db.dsn, db.pool)
        self.opened = 0

    async def connect(self, *, on_lost: Callable[[Connection], None] | None = None) -> Connection:
        self.opened += 1
        return await super().connect(on_lost=on_lost)


async def test_who_lost_the_connection_opens_none_to_release_what_is_gone(
    database: Database,
) -> None:
    counted = CountedDatabase(database)
    locks = AdvisoryLocks(counted)

    async def work() -> None:
        async with locks.hold(1, 0):
            end = f"select pg_terminate_backend(pid) from ({_HOLDER}) as holder"
            await database.pool.execute(end)
            await asyncio.Event().wait()

    with pytest.raises(asyncio.CancelledError):
        await work()

    assert counted.opened == 1
    await locks.close()
