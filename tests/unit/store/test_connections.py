"""The pool: connections stay at hand, and whatever was broken off is put in order."""

from __future__ import annotations

import asyncio

import pytest

from agencyclaw.store.engine import TROUBLE, Database

_PID = "select pg_backend_pid()"


async def test_the_next_statement_finds_the_same_connection(database: Database) -> None:
    first = await database.pool.fetchval(_PID)

    assert await database.pool.fetchval(_PID) == first


async def test_a_transaction_that_was_left_open_is_rolled_back(database: Database) -> None:
    async with database.pool.acquire() as conn:
        await conn.execute("begin")
        await conn.execute("create table left_open ()")

    assert await database.pool.fetchval("select to_regclass('left_open')") is None


async def test_a_statement_that_was_broken_off_leaves_a_pool_that_works(database: Database) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(database.pool.execute("select pg_sleep(30)"), 0.1)

    assert await database.pool.fetchval("select 1") == 1


async def test_a_connection_that_the_server_closed_is_replaced(database: Database) -> None:
    async with database.pool.acquire() as conn:
        pid = await conn.fetchval(_PID)
        other = await database.connect()
        await other.execute("select pg_terminate_backend($1)", pid)
        await other.close()
        with pytest.raises(TROUBLE):
            await conn.fetchval("select pg_sleep(5)")

    assert await database.pool.fetchval(_PID) != pid


async def test_more_askers_than_connections_are_all_served(database: Database) -> None:
    async def ask(number: int) -> int:
        async with database.pool.acquire() as conn:
            await asyncio.sleep(0)
            return await conn.fetchval("select $1::int from pg_sleep(0.002)", number)

    answers = await asyncio.wait_for(asyncio.gather(*(ask(n) for n in range(100))), 10)

    assert answers == list(range(100))
