"""What goes wrong besides: the network, Slack, ClickUp, and the database under a living process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ground import Ground

from agencyclaw.store.embedded_server import try_lock

_SOCKET: tuple[dict[str, Any], ...] = (
    # One event up to four times more, or several once more.
    {"target": "socket", "kind": "duplicate"},
    {"target": "socket", "kind": "duplicate", "times": 2},
    {"target": "socket", "kind": "duplicate", "times": 4},
    {"target": "socket", "kind": "reorder"},
    {"target": "socket", "kind": "reorder", "times": 2},
    {"target": "socket", "kind": "drop_ack", "times": 2},
    {"target": "socket", "kind": "disconnect"},
    {"target": "socket", "kind": "disconnect", "delay_s": 0.05},
)
_SLACK: tuple[dict[str, Any], ...] = tuple(
    {"target": "slack", "method": "chat.postMessage", **fault}
    for fault in (
        {"kind": "rate_limited", "delay_s": 1},
        {"kind": "error_before"},
        {"kind": "error_after"},
        {"kind": "reset_before"},
        {"kind": "reset_after"},
        {"kind": "html"},
        {"kind": "hang_after", "delay_s": 2},
    )
)
_CLICKUP: tuple[dict[str, Any], ...] = tuple(
    {"target": "clickup", "method": "create_task", **fault}
    for fault in (
        {"kind": "rate_limited", "delay_s": 1},
        {"kind": "error_before"},
        {"kind": "error_after"},
        {"kind": "reset_before"},
        {"kind": "reset_after"},
        {"kind": "hang_after", "delay_s": 2.5},
        {"kind": "list_lag", "delay_s": 0.4},
        {"kind": "html"},
    )
)
_READING: tuple[dict[str, Any], ...] = (
    {"target": "clickup", "method": "list_tasks", "kind": "error_before", "times": 2},
    {"target": "clickup", "method": "list_tasks", "kind": "html"},
    {"target": "clickup", "method": "list_tasks", "kind": "rate_limited", "delay_s": 1},
    {"target": "clickup", "method": "list_tasks", "kind": "reset_before"},
    {"target": "clickup", "method": "list_tasks", "kind": "hang_after", "delay_s": 2.5},
    {"target": "slack", "method": "conversations.replies", "kind": "error_before"},
    {"target": "slack", "method": "conversations.replies", "kind": "rate_limited", "delay_s": 1},
    {"target": "slack", "method": "chat.update", "kind": "rate_limited", "delay_s": 1},
    {"target": "slack", "method": "assistant.threads.setStatus", "kind": "rate_limited"},
    {"target": "slack", "method": "assistant.threads.setStatus", "kind": "reset_before"},
    {"target": "slack", "method": "chat.update", "kind": "error_after"},
    {"target": "slack", "method": "agents.sessions.setStatus", "kind": "rate_limited"},
    {"target": "slack", "method": "agents.sessions.setStatus", "kind": "error_before", "times": 3},
    {"target": "slack", "method": "agents.sessions.setStatus", "kind": "reset_after"},
)
# Slack can't say who somebody is, for a moment or longer than anybody asks at once.
_WHO: tuple[dict[str, Any], ...] = tuple(
    {"target": "slack", "method": "users.info", **fault}
    for fault in (
        {"kind": "error_before"},
        {"kind": "error_before", "times": 15},
        {"kind": "rate_limited", "delay_s": 3, "times": 2},
        {"kind": "html", "times": 8},
        {"kind": "reset_before", "times": 8},
        {"kind": "hang_after", "delay_s": 3},
    )
)
FAULTS = (*_SOCKET, *_SLACK, *_CLICKUP, *_READING, *_WHO)


@dataclass
class Faults:
    """Makes trouble, and counts what struck."""

    ground: Ground
    rng: Random
    home: Path | None = None
    planned: int = 0
    storms: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])

    async def worsen(self) -> None:
        """Plan a fault or two."""
        for fault in self.rng.sample(FAULTS, self.rng.choice((0, 1, 1, 2))):
            self.planned += int(fault.get("times", 1))
            await self.ground.bench.control("POST", "faults", fault)

    def kill_postgres(self, away_s: float, how: signal.Signals = signal.SIGKILL) -> None:
        """Kill the database server, or stop it as for a restart, and keep it away for a while."""
        if self.home is not None:
            self.planned += 1
            self.storms.append(asyncio.create_task(_without_postgres(self.home, away_s, how)))

    def trouble_postgres(self) -> None:
        """Kill or restart it; now and then it is back at once."""
        how = self.rng.choice((signal.SIGKILL, signal.SIGINT))
        self.kill_postgres(self.rng.uniform(0, 3), how)

    async def clear_up(self) -> int:
        """End all trouble; returns how much of it really struck."""
        await asyncio.gather(*self.storms)
        left = (await self.ground.bench.control("GET", "faults"))["faults"]
        await self.ground.bench.clear_faults()
        return self.planned - sum(fault["times"] for fault in left)


async def _without_postgres(home: Path, seconds: float, how: signal.Signals) -> None:
    """Hold the lock under which the server is started, and end the server."""
    door = home / "postgres-locks" / "start"
    while (held := try_lock(door)) is None:  # noqa: ASYNC110  (a lock on a file tells nobody)
        await asyncio.sleep(0.01)
    try:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            pid = (home / "postgres" / "postmaster.pid").read_text().splitlines()[0]
            os.kill(int(pid), how)
        await asyncio.sleep(seconds)
    finally:
        os.close(held)
