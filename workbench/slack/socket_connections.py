"""The app's open websockets; each envelope goes to one of them, in turn."""

import asyncio
import json
from typing import Any, Protocol

from aiohttp import web

from workbench.slack.records import new_id

MOST_CONNECTIONS = 10


class AppConnection(Protocol):
    """A connection to the app: a websocket, or the address of its HTTP endpoint."""

    id: str

    async def send(self, frame: dict[str, Any]) -> bool: ...
    async def close(self) -> None: ...
    def cut(self) -> None: ...


class SocketConnection:
    """One websocket of the app."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.id = new_id("cn-")
        self._socket = socket
        self._request = request

    async def send(self, frame: dict[str, Any]) -> bool:
        try:
            await self._socket.send_str(json.dumps(frame))
        except (ConnectionError, RuntimeError):
            return False
        return True

    async def close(self) -> None:
        await self._socket.close(code=1001)

    def cut(self) -> None:
        """Drop the connection without a close frame, as a network failure does."""
        if self._request.transport is not None:
            self._request.transport.abort()


class Connections:
    """The pool of connections, used in turn; callers wait while it is empty."""

    def __init__(self) -> None:
        self._open: list[AppConnection] = []
        self._any_open = asyncio.Event()

    def __len__(self) -> int:
        return len(self._open)

    def add(self, connection: AppConnection) -> None:
        self._open.append(connection)
        self._any_open.set()

    def remove(self, connection: AppConnection) -> None:
        if connection in self._open:
            self._open.remove(connection)
        if not self._open:
            self._any_open.clear()

    async def next(self) -> AppConnection:
        """Wait for a connection, and return the one that was used longest ago."""
        await self._any_open.wait()
        connection = self._open.pop(0)
        self._open.append(connection)
        return connection

    def all(self) -> list[AppConnection]:
        return list(self._open)
