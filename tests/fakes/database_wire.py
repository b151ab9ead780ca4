"""A wire to a Postgres that can be cut: whoever uses it finds a database that was stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qs, urlsplit


class Wire:
    """Passes bytes on to the real server while it is whole."""

    def __init__(self, dsn: str) -> None:
        parts = urlsplit(dsn)
        given = parse_qs(parts.query)
        self._host = given.get("host", [parts.hostname or "127.0.0.1"])[0]
        self._port = int(given.get("port", [str(parts.port or 5432)])[0])
        self._user, self._name = parts.username or "", parts.path.lstrip("/")
        self._password = parts.password or ""
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._flows = asyncio.Event()
        self.port = 0

    @property
    def dsn(self) -> str:
        """The address at which the database is reached over this wire."""
        who = f"{self._user}:{self._password}" if self._password else self._user
        return f"postgresql://{who}@127.0.0.1:{self.port}/{self._name}"

    async def mend(self) -> None:
        """Let it be reached (again)."""
        self._flows.set()
        if self._server is not None:
            return
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """End every connection, and take no new one."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in list(self._open):
            writer.transport.abort()

    async def hold(self) -> None:
        """Pass nothing on: the database answers nobody, and ends no connection."""
        self._flows.clear()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._host.startswith("/"):
            path = f"{self._host}/.s.PGSQL.{self._port}"
            there, back = await asyncio.open_unix_connection(path)
        else:
            there, back = await asyncio.open_connection(self._host, self._port)
        self._open |= {writer, back}
        await asyncio.gather(self._copy(reader, back), self._copy(there, writer))
        self._open -= {writer, back}

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while some := await source.read(65_536):
                await self._flows.wait()
                target.write(some)
                await target.drain()
        target.close()


@asynccontextmanager
async def wire_to(dsn: str) -> AsyncGenerator[Wire]:
    """Give a whole wire to a database."""
    wire = Wire(dsn)
    await wire.mend()
    try:
        yield wire
    finally:
        await wire.cut()
