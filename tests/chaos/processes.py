"""Assistants as processes: born from a warmed parent, killed, waited for."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crossings import FaultPlan

# Only guards against hanging.
PATIENCE_S = 300.0
SERVE = ("serve", "--until-eof")


@dataclass
class Process:
    """One assistant process."""

    pid: int
    plan: FaultPlan
    log: Path
    died: asyncio.Future[int] = field(repr=False)
    begins_at: int = 0

    @property
    def lines(self) -> list[str]:
        """What was logged since it was born, by it and by whoever lived beside it."""
        with self.log.open(encoding="utf-8") as log:
            log.seek(self.begins_at)
            return log.read().splitlines()

    @property
    def is_alive(self) -> bool:
        return not self.died.done()

    def kill(self) -> None:
        """End it without a word."""
        self._signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        if self.is_alive:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def ended_within(self, seconds: float = PATIENCE_S) -> bool:
        """Wait for the end, but not longer than this."""
        await asyncio.wait({self.died}, timeout=seconds)
        return self.died.done()


class ProcessPool:
    """The warmed parent, spoken to over its standard input and output."""

    def __init__(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        self._process = process
        self.folder = folder
        self._orders = itertools.count()
        self._expected: dict[int, asyncio.Future[int]] = {}
        self._lives: dict[int, asyncio.Future[int]] = {}

    async def start(
        self,
        environment: dict[str, str],
        plan: FaultPlan | None = None,
        words: tuple[str, ...] = SERVE,
    ) -> Process:
        """Start an assistant."""
        plan = plan or FaultPlan()
        number = next(self._orders)
        log = self.folder / "assistants.log"
        begins_at = log.stat().st_size if log.exists() else 0
        order: dict[str, Any] = {
            "order": number,
            "environment": environment,
            "words": list(words),
            "folder": str(self.folder),
            "log": str(log),
            "fate": plan.model_dump(mode="json"),
        }
        born = self._expected[number] = asyncio.get_running_loop().create_future()
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        pid = await asyncio.wait_for(born, 300)
        return Process(pid, plan, log, self._lives[pid], begins_at)

    async def listen(self) -> None:
        """Take note of births and deaths for as long as the parent lives."""
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            fact = json.loads(line)
            if "born" in fact:
                self._lives[fact["born"]] = asyncio.get_running_loop().create_future()
                self._expected.pop(fact["order"]).set_result(fact["born"])
            # An orphan that was adopted may have the number of somebody long dead.
            elif (life := self._lives.get(fact["died"])) is not None and not life.done():
                life.set_result(fact["code"])
        for awaited in self._expected.values():
            awaited.set_exception(RuntimeError("the warmed parent is gone; see standard error"))

    async def end_all(self) -> None:
        """Kill whoever still lives."""
        for pid, died in self._lives.items():
            if not died.done():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        alive = [died for died in self._lives.values() if not died.done()]
        if alive:
            await asyncio.wait(alive, timeout=10)


@asynccontextmanager
async def open_pool(folder: Path) -> AsyncGenerator[ProcessPool]:
    """Start the warmed parent; at the end nobody is left."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(Path(__file__).with_name("process_pool.py")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    pool = ProcessPool(process, folder)
    listening = asyncio.create_task(pool.listen())
    try:
        yield pool
    finally:
        await pool.end_all()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()
        await listening
