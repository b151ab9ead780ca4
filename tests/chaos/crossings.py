"""Where an assistant crosses into the world: every statement, every request, every acknowledgement.

Only for processes that these tests start: the libraries are wrapped, the product knows nothing of
it. Each crossing has a name, is counted, and can be the last thing the process does.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

SIDES = ("before", "during", "after")
# What goes round and round in every idle worker is no place of its own.
_IDLE = frozenset({"update_heartbeat", "prune_stalled_workers", "list_jobs_to_abort"})
_IN_FLIGHT_S = 0.003
_TABLE = re.compile(r"(insert into|update|delete from)\s+(\w+)")
_FROM = re.compile(r"\bfrom\s+(\w+)")
_FUNCTION = re.compile(r"^select\s+(\w+)\(")


class Point(BaseModel):
    """The n-th crossing of a name since the process began, and on which side of it."""

    name: str
    nth: int = 1
    side: str = "before"

    def __str__(self) -> str:
        return f"{self.side} {self.name} #{self.nth}"


class FaultPlan(BaseModel):
    """What shall befall one process."""

    point: Point | None = None
    record: str = ""
    blind: bool = False
    clock_off_s: float = 0.0


class Crossings:
    """Counts crossings, writes them down if asked, and kills at the appointed one."""

    def __init__(self, plan: FaultPlan) -> None:
        self._point = plan.point
        self._counts: Counter[tuple[str, str]] = Counter()
        self._record = plan.record

    async def cross(self, name: str, act: Callable[[], Awaitable[Any]]) -> Any:
        """Do what crosses, noticing both sides of it."""
        self._reach(name, "before")
        if self._is_next(name, "during"):
            # The request is on its way and nobody has heard the answer.
            asyncio.get_running_loop().call_later(_IN_FLIGHT_S, _die)
        result = await act()
        self._counts[name, "during"] += 1
        self._reach(name, "after")
        return result

    def _reach(self, name: str, side: str) -> None:
        if self._is_next(name, side):
            _die()
        self._counts[name, side] += 1
        if self._record and side == "after":
            with Path(self._record).open("a", encoding="utf-8") as record:
                record.write(f"{name}\n")

    def _is_next(self, name: str, side: str) -> bool:
        point = self._point
        here = point is not None and point.name == name and point.side == side
        return here and point is not None and self._counts[name, side] + 1 == point.nth


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def watch(crossings: Crossings) -> None:
    """Wrap the four libraries through which an assistant reaches anything."""
    _watch_asyncpg(crossings)
    _watch_queue(crossings)
    _watch_http(crossings)
    _watch_slack(crossings)


def statement_name(sql: str) -> str:
    """A short name for a statement: what it writes, else what it calls, else what it reads."""
    plain = " ".join(sql.lower().split()).rstrip(";")
    for found in (_TABLE.search(plain), _FUNCTION.search(plain), _FROM.search(plain)):
        if found:
            return f"pg {' '.join(found.groups())}"
    return f"pg {plain.split(' ', 1)[0]}"


def _watch_asyncpg(crossings: Crossings) -> None:
    import asyncpg

    def wrap(original: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def crossing(self: Any, query: str, *args: Any, **more: Any) -> Any:
            return await crossings.cross(
                statement_name(query), lambda: original(self, query, *args, **more)
            )

        return crossing

    for name in ("execute", "fetch", "fetchrow", "fetchval"):
        setattr(asyncpg.Connection, name, wrap(getattr(asyncpg.Connection, name)))


def _watch_queue(crossings: Crossings) -> None:
    from procrastinate import PsycopgConnector, sql

    names = {text: name for name, text in sql.queries.items()}

    def wrap(original: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def crossing(self: Any, query: str, **arguments: Any) -> Any:
            name = names.get(query, "other")

            async def act() -> Any:
                return await original(self, query, **arguments)

            if name in _IDLE:
                return await act()
            if name == "fetch_job":
                row = await act()
                return (
                    row if row["id"] is None else await crossings.cross("job fetched", _giving(row))
                )
            return await crossings.cross(f"job {name}", act)

        return crossing

    for verb in ("", "_one", "_all"):
        method = f"execute_query{verb}_async"
        setattr(PsycopgConnector, method, wrap(getattr(PsycopgConnector, method)))


def _giving(value: Any) -> Callable[[], Awaitable[Any]]:
    async def act() -> Any:
        return value

    return act


def _watch_http(crossings: Crossings) -> None:
    import httpx

    original = httpx.AsyncClient.send

    async def crossing(self: Any, request: Any, **more: Any) -> Any:
        end = re.sub(r"/(?=[\w-]*\d)[\w-]+", "", request.url.path.partition("/v2/")[2])
        return await crossings.cross(
            f"clickup {request.method} {end}", lambda: original(self, request, **more)
        )

    httpx.AsyncClient.send = crossing  # type: ignore[method-assign]


def _watch_slack(crossings: Crossings) -> None:
    from slack_sdk.socket_mode.aiohttp import SocketModeClient
    from slack_sdk.web.async_client import AsyncWebClient

    from agencyclaw.slack.web import Web

    call, send = AsyncWebClient.api_call, SocketModeClient.send_message
    upload = Web.upload

    async def calling(self: Any, api_method: str, **more: Any) -> Any:
        return await crossings.cross(f"slack {api_method}", lambda: call(self, api_method, **more))

    async def sending(self: Any, message: str) -> Any:
        return await crossings.cross("slack ack", lambda: send(self, message))

    async def uploading(self: Any, url: str, content: bytes) -> None:
        await crossings.cross("slack upload", lambda: upload(self, url, content))

    Web.upload = uploading  # type: ignore[method-assign]
    AsyncWebClient.api_call = calling  # type: ignore[method-assign]
    SocketModeClient.send_message = sending  # type: ignore[method-assign]
