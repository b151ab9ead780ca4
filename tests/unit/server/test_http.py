"""What a stranger may take of the HTTP server: few connections, little time, small bodies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass

import pytest
from aiohttp import web

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.server.http import HttpLimits, serving

HALF = b"POST /echo HTTP/1.1\r\nHost: x\r\n"
HEAD = HALF + b"Content-Length: 5\r\n"


@dataclass
class Caller:
    """Somebody who speaks bytes."""

    port: int

    async def open(self, request: bytes) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self._writers.append(writer)
        writer.write(request)
        return reader

    async def status(self, request: bytes) -> int:
        async with asyncio.timeout(300):
            return int((await (await self.open(request)).readline()).split()[1])

    def __post_init__(self) -> None:
        self._writers: list[asyncio.StreamWriter] = []

    def close(self) -> None:
        for writer in self._writers:
            writer.close()


Opens = Callable[[HttpLimits], AbstractAsyncContextManager[Caller]]


@pytest.fixture
def opens() -> Opens:
    """Serve an echo with these bounds."""

    async def echo(request: web.Request) -> web.Response:
        return web.Response(body=await request.read())

    @asynccontextmanager
    async def open_it(bounds: HttpLimits) -> AsyncGenerator[Caller]:
        routes = {("POST", "/echo"): echo}
        async with serving("127.0.0.1", 0, routes, drain_s=1, bounds=bounds) as port:
            caller = Caller(port)
            yield caller
            caller.close()

    return open_it


async def _ended(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(300):
        return await reader.read()


@pytest.mark.parametrize("begun", [b"", b"POST /ec", HALF])
async def test_a_request_that_does_not_come_to_its_end_is_hung_up_on(
    opens: Opens, begun: bytes
) -> None:
    async with opens(HttpLimits(idle_s=0.2)) as caller:
        assert await _ended(await caller.open(begun)) == b""


async def test_a_body_that_does_not_come_to_its_end_is_refused(opens: Opens) -> None:
    async with opens(HttpLimits(body_s=0.2)) as caller:
        told = await _ended(await caller.open(HEAD + b"\r\nhel"))

    assert told.startswith(b"HTTP/1.1 408 ")


async def test_who_connects_beyond_the_bound_is_turned_away_and_let_in_later(
    opens: Opens,
) -> None:
    whole = HEAD + b"Connection: close\r\n\r\nhello"
    async with opens(HttpLimits(connections=3, idle_s=600.0)) as caller:
        half_open = [await caller.open(HALF) for _ in range(40)]
        assert await caller.status(whole) == 503
        caller.close()
        for reader in half_open:
            with suppress(ConnectionError):
                await _ended(reader)
        assert await _in_the_end(caller, whole) == 200


async def _in_the_end(caller: Caller, request: bytes) -> int:
    """The status once the server has noticed who left."""
    async with asyncio.timeout(300):
        while True:
            if (status := await caller.status(request)) != 503:
                return status
            await asyncio.sleep(0.01)


async def test_a_body_beyond_the_bound_is_refused(opens: Opens) -> None:
    async with opens(HttpLimits(body_bytes=4)) as caller:
        assert await caller.status(HEAD + b"\r\nhello") == 413


async def test_nothing_is_decompressed(opens: Opens) -> None:
    async with opens(HttpLimits()) as caller:
        packed = HEAD + b"Content-Encoding: gzip\r\nConnection: close\r\n\r\nhello"
        assert (await _ended(await caller.open(packed))).endswith(b"hello")


async def test_a_port_that_is_taken_is_named_with_the_ways_to_another(opens: Opens) -> None:
    async with opens(HttpLimits()) as caller:
        with pytest.raises(Misconfigured, match=f"port {caller.port} .*--port, or .*_HTTP_PORT"):
            async with serving("127.0.0.1", caller.port, {}, drain_s=1):
                pass
