"""The turns running in this process, which can be stopped.

A Stop is stored as a row first, so it reaches whichever process runs the turn: each one polls a few
times a second while it runs any.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import logfire

from agencyclaw.conversation import fixed_texts
from agencyclaw.store.stopping import QueueReader

_POLL_S = 0.3
# Messages behind a turn that takes longer get a notice that they wait.
_NOTICE_AFTER_S = 1.0


@dataclass
class _Turn:
    """A running turn, with its start on the loop's clock."""

    task: asyncio.Task[None]
    since: float
    is_stopped: bool = False


@dataclass
class RunningTurns:
    """Runs turns so that they can be stopped; one per process."""

    queue: QueueReader
    _turns: dict[int, _Turn] = field(default_factory=dict[int, _Turn])
    _watch: asyncio.Task[None] | None = None

    async def run(self, receipt_id: int, work: Coroutine[Any, Any, None]) -> None:
        """Run a message's turn to its end, or until it is stopped."""
        turn = _Turn(asyncio.create_task(work), asyncio.get_running_loop().time())
        self._turns[receipt_id] = turn
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._poll_forever(), name="watch over turns")
        try:
            await turn.task
        except asyncio.CancelledError:
            if not turn.is_stopped:
                raise
            await self.queue.end_stopped(receipt_id)
            logfire.info("turn stopped", receipt=receipt_id)
        finally:
            self._turns.pop(receipt_id, None)

    async def stop(self, receipt_id: int) -> None:
        """Cancel a turn of this process with its model and tools, and wait until it has ended."""
        turn = self._turns.get(receipt_id)
        if turn is not None and not turn.task.done():
            turn.is_stopped = True
            turn.task.cancel()
            await asyncio.wait({turn.task}, timeout=_NOTICE_AFTER_S)

    async def _poll_forever(self) -> None:
        while self._turns:
            await asyncio.sleep(_POLL_S)
            if not self._turns:
                return
            try:
                await self._poll()
            except Exception as error:  # the database may be away; the next poll tries again
                logfire.debug("poll of turns failed", error=type(error).__name__)

    async def _poll(self) -> None:
        """Stop turns that were stopped elsewhere, and notify people who wait behind a slow one."""
        for receipt_id in await self.queue.stopped_among(list(self._turns)):
            await self.stop(receipt_id)
        now = asyncio.get_running_loop().time()
        slow = [key for key, turn in self._turns.items() if now - turn.since > _NOTICE_AFTER_S]
        for waiting in await self.queue.waiting_behind(slow) if slow else []:
            words = fixed_texts.QUEUED if waiting.is_own else fixed_texts.QUEUED_BEHIND_OTHERS
            await self.queue.note_waiting(waiting, words)
