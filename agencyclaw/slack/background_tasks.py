"""Work that nobody waits for, until it is time to close."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import logfire


class BackgroundTasks:
    """Runs tasks beside everything else, holds them until they end, and logs what fails."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], name: str | None = None) -> None:
        """Start a task."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._on_end)

    async def settle(self, timeout_s: float) -> None:
        """Wait for all tasks; those that are late are cancelled, and have ended as well."""
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=timeout_s)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)

    def _on_end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            logfire.error("slack.task_failed", error=type(error).__name__, _exc_info=error)
