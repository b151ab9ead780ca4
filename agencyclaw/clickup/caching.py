"""Keeps task lists that were just read, for as long as nothing is known to have changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from agencyclaw.clickup.limiter import Clock
from agencyclaw.domain.tasks import TaskRead


class ReadCache(Protocol):
    """Task lists of one token that were read within the last minutes, by any process."""

    async def find(self, key: str) -> TaskRead | None:
        """Return what was read, unless it is too old or something was changed since."""
        ...

    async def keep(self, key: str, read: TaskRead, took_s: float) -> None:
        """Keep what was just read, which took so long."""
        ...

    async def drop(self) -> None:
        """Let nothing count that was read before now, or while a change may be under way."""
        ...


async def cached(
    cache: ReadCache | None,
    clock: Clock,
    key: str,
    read: Callable[[], Awaitable[TaskRead]],
    *,
    fresh: bool,
) -> TaskRead:
    """Return what was read lately under this key, else read it; `fresh` always reads."""
    if cache is None:
        return await read()
    if not fresh and (known := await cache.find(key)):
        return known
    began = clock.steady()
    latest = await read()
    await cache.keep(key, latest, clock.steady() - began)
    return latest
