"""The database as the rest of the store sees it."""

import asyncio
import contextlib
from typing import Any
from uuid import UUID

import pytest
from databases import Cluster

from agencyclaw.domain.errors import Misconfigured, Unavailable
from agencyclaw.store.engine import Database


@pytest.mark.parametrize(
    "value", [None, True, 1.5, "é😀", [1, [2]], {"b": {"a": None}}, {"text": "line\nline"}]
)
async def test_json_goes_in_and_comes_out_as_python(database: Database, value: Any) -> None:
    assert await database.pool.fetchval("select $1::jsonb", value) == value
    assert await database.pool.fetchval("select $1::json", value) == value


async def test_json_is_written_in_one_way(database: Database) -> None:
    one = await database.pool.fetchval("select $1::json::text", {"b": 1, "a": "é"})

    assert one == '{"a":"é","b":1}'


async def test_an_error_undoes_the_transaction(database: Database) -> None:
    async def fail() -> None:
        async with database.transaction() as conn:
            await conn.execute("insert into agency_clients (name) values ('Tessera')")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    assert await database.pool.fetchval("select count(*) from agency_clients") == 0


async def it_sleeps(database: Database) -> None:
    """Wait for a statement that sleeps: one that has not begun can't be cancelled at the server."""
    sleeps = """
    select exists (select from pg_stat_activity
      where wait_event = 'PgSleep' and application_name = 'agencyclaw')
    """
    async with asyncio.timeout(300):
        while not await database.pool.fetchval(sleeps):
            pass


async def test_a_cancelled_transaction_leaves_a_usable_pool(database: Database) -> None:
    async def work() -> None:
        async with database.transaction() as conn:
            await conn.execute("insert into agency_clients (name) values ('Tessera')")
            await conn.execute("select pg_sleep(60)")

    task = asyncio.create_task(work())
    await it_sleeps(database)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await database.pool.fetchval("select count(*) from agency_clients") == 0


async def test_a_connection_is_free_again_once_its_statement_is_answered(
    database: Database,
) -> None:
    pool = database.pool
    free = pool.get_idle_size()
    async with pool.acquire() as conn:
        assert (pool.get_idle_size(), await conn.fetchval("select 1")) == (free - 1, 1)
    assert pool.get_idle_size() == free

    conn = await pool.acquire()
    with contextlib.suppress(StopIteration):
        # It ends without a step of the event loop in between.
        pool.release(conn).send(None)
    assert pool.get_idle_size() == free


@pytest.mark.parametrize("times", [1, 2])
async def test_who_is_cancelled_keeps_no_connection(
    cluster: Cluster, database: Database, times: int
) -> None:
    async with cluster.blank() as dsn:
        db = await Database.open(dsn, min_size=1, max_size=1)
        task = asyncio.create_task(db.pool.execute("select pg_sleep(60)"))
        await it_sleeps(database)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task

        async with asyncio.timeout(60):
            assert await db.pool.fetchval("select 1") == 1
        assert db.pool.get_size() == 1
        await db.close()


async def test_a_lost_connection_is_told(database: Database) -> None:
    lost = asyncio.Event()
    conn = await database.connect(on_lost=lambda _: lost.set())
    await database.pool.execute("select pg_terminate_backend($1)", conn.get_server_pid())

    await asyncio.wait_for(lost.wait(), 300)


async def test_an_address_for_sqlalchemy_means_the_same_database(cluster: Cluster) -> None:
    dsn = cluster.address("postgres").replace("postgresql://", "postgresql+asyncpg://")
    db = await Database.open(dsn, min_size=1)

    assert await db.pool.fetchval("show application_name") == "agencyclaw"
    await db.close()


async def test_a_server_that_is_down_is_named_without_its_password(unused_tcp_port: int) -> None:
    with pytest.raises(Unavailable) as caught:
        await Database.open(f"postgresql://claw:hush@127.0.0.1:{unused_tcp_port}/claw")

    assert "DATABASE_URL" in str(caught.value)
    assert "127.0.0.1, database claw" in str(caught.value)
    assert "hush" not in str(caught.value)


async def test_a_database_that_does_not_exist_is_a_wrong_setting(cluster: Cluster) -> None:
    with pytest.raises(Misconfigured, match="nowhere"):
        await Database.open(cluster.address("nowhere"))


@pytest.mark.parametrize("dsn", ["", "nonsense", "mysql://127.0.0.1/claw", "postgresql://[::1"])
async def test_an_address_that_is_none_is_a_sentence(dsn: str) -> None:
    with pytest.raises(Unavailable, match="DATABASE_URL"):
        await Database.open(dsn)


async def test_what_an_array_is_is_asked_once_for_all_connections(database: Database) -> None:
    heard: list[str] = []
    for _ in range(2):
        heard.clear()
        connection = await database.connect()
        with connection.query_logger(lambda said: heard.append(said.query)):
            assert await connection.fetchval("select $1::uuid[]", [UUID(int=7)]) == [UUID(int=7)]
        await connection.close()

    assert heard == ["select $1::uuid[]"]
