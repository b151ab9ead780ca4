"""asyncpg's pool, whose connections stay taken between two statements.

Giving one back costs a task and several rounds of the event loop, a dozen times per message. What
went wrong, was broken off or is still in a transaction goes back the long way and is put in order
there.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg


class Connections:
    """A pool of connections: statements one at a time, or a connection for a while."""

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._free: list[Any] = []
        self._waiting = 0

    async def fetch(self, query: str, *args: Any, timeout: float | None = None) -> list[Any]:
        """Run a statement and return its rows."""
        async with self.acquire() as conn:
            return await conn.fetch(query, *args, timeout=timeout)

    async def fetchrow(self, query: str, *args: Any, timeout: float | None = None) -> Any:
        """Run a statement and return its first row, or None."""
        async with self.acquire() as conn:
            return await conn.fetchrow(query, *args, timeout=timeout)

    async def fetchval(self, query: str, *args: Any, timeout: float | None = None) -> Any:
        """Run a statement and return the first value of its first row, or None."""
        async with self.acquire() as conn:
            return await conn.fetchval(query, *args, timeout=timeout)

    async def execute(self, query: str, *args: Any, timeout: float | None = None) -> str:
        """Run a statement and return what the server says of it."""
        async with self.acquire() as conn:
            return await conn.execute(query, *args, timeout=timeout)

    @asynccontextmanager
    async def acquire(self) -> AsyncGenerator[Any]:
        """Give a connection of one's own."""
        conn = await self._take()
        is_sound = False
        try:
            yield conn
            is_sound = _is_alive(conn) and not conn.is_in_transaction()
        finally:
            # Whoever waits is woken by the pool only.
            if is_sound and not self._waiting:
                self._free.append(conn)
            else:
                await self._pool.release(conn)

    async def close(self) -> None:
        """Close every connection, once it is free."""
        while self._free:
            await self._pool.release(self._free.pop())
        self._waiting += 1
        await self._pool.close()

    async def _take(self) -> Any:
        while self._free:
            conn = self._free.pop()
            if _is_alive(conn):
                return conn
            await self._pool.release(conn)
        self._waiting += 1
        try:
            return await self._pool.acquire()
        finally:
            self._waiting -= 1


def _is_alive(conn: Any) -> bool:
    try:
        return not conn.is_closed()
    except asyncpg.InterfaceError:  # it was lost, and the pool has taken it back already
        return False
