"""Publishes changes of the workbench to its watchers: the page or a test."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from aiohttp import web


class Broadcaster:
    """Sends each change to every watcher; one that stops reading loses the oldest."""

    def __init__(self, backlog: int = 1000) -> None:
        self._backlog = backlog
        self._watchers: set[asyncio.Queue[dict[str, Any]]] = set()

    def publish(self, kind: str, **details: Any) -> None:
        change = {"kind": kind, **details}
        for watcher in self._watchers:
            if watcher.full():
                watcher.get_nowait()
            watcher.put_nowait(change)

    @contextmanager
    def watch(self) -> Generator[asyncio.Queue[dict[str, Any]]]:
        changes: asyncio.Queue[dict[str, Any]] = asyncio.Queue(self._backlog)
        self._watchers.add(changes)
        try:
            yield changes
        finally:
            self._watchers.discard(changes)


# aiohttp warns about plain string keys, and the suite turns warnings into errors.
EVENTS: web.AppKey[Broadcaster] = web.AppKey("events", Broadcaster)
