"""From an event on the socket to its acknowledgement, the first status and the answer.

The workbench and the people are in this process, the assistant is in one of its own; the times are
those of the workbench's log. Nothing is shared but the socket and HTTP.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from agencyclaw.workbench.fixture import Bench, running_workbench
from benchmarks.conversation import CONVERSATION
from benchmarks.figures import percentile
from benchmarks.ground import Ground

_CHANNEL = "C01OPS"
_PERSON = "U01INES"


@dataclass(frozen=True)
class Rate:
    """How many messages in a second, and for how long."""

    per_second: float
    seconds: float


RUSH = Rate(50, 10)
CALM = Rate(2, 20)


async def measure(ground: Ground) -> dict[str, dict[str, float]]:
    """Measure at a calm pace, then in a rush that is more than the turns can keep up with."""
    figures: dict[str, dict[str, float]] = {}
    for name, rate in (("calm", CALM), ("rush", RUSH)):
        async with running_workbench() as bench, _assistant(bench, await ground.database()):
            await _settle(bench, [await bench.post_message(_CHANNEL, _PERSON, _words(0))], 30)
            roots = await _speak(bench, rate)
            await _settle(bench, roots, 120)
            figures[name] = _figures(bench.storage.log(), roots)
    return figures


@asynccontextmanager
async def _assistant(bench: Bench, dsn: str) -> AsyncGenerator[None]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.serving", bench.url, dsn),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        if not await process.stdout.readline():
            raise RuntimeError("the assistant did not start")
        yield
    finally:
        process.stdin.close()
        await process.wait()


async def _speak(bench: Bench, rate: Rate) -> list[str]:
    """Mention the assistant at an even pace, each time in a thread of its own."""
    began = time.monotonic()
    roots: list[str] = []
    for number in range(int(rate.per_second * rate.seconds)):
        await asyncio.sleep(max(0.0, began + number / rate.per_second - time.monotonic()))
        roots.append(await bench.post_message(_CHANNEL, _PERSON, _words(number)))
    return roots


def _words(number: int) -> str:
    return f"<@U01CLAW> {CONVERSATION[number % len(CONVERSATION)].said}"


async def _settle(bench: Bench, roots: list[str], seconds: float) -> None:
    """Wait until every thread has its answer."""
    wanted = set(roots)
    async with asyncio.timeout(seconds):
        while not wanted <= {_thread(entry) for entry in bench.storage.log() if _is_answer(entry)}:
            await asyncio.sleep(0.25)


def _figures(log: list[dict[str, Any]], roots: list[str]) -> dict[str, float]:
    """Read the distances off the log; of what was done twice, the first time counts."""
    wanted = set(roots)
    sent = {e["envelope_id"]: e for e in reversed(log) if e["kind"] == "envelope"}
    acked = {e["envelope_id"]: e["at"] for e in reversed(log) if e["kind"] == "ack"}
    mentions = [e for e in sent.values() if e["payload"]["event"].get("ts") in wanted]
    began = {e["payload"]["event"]["ts"]: e["at"] for e in mentions}
    status = {_thread(e): e["at"] for e in reversed(log) if _is_status(e)}
    answer = {_thread(e): e["at"] for e in reversed(log) if _is_answer(e)}
    return {
        **_spread("ack", [acked[e["envelope_id"]] - e["at"] for e in mentions]),
        **_spread("status", [status[root] - began[root] for root in roots]),
        **_spread("answer", [answer[root] - began[root] for root in roots]),
    }


def _spread(name: str, distances: list[float]) -> dict[str, float]:
    return {
        f"{name}_p50_ms": round(percentile(distances, 50) * 1000, 1),
        f"{name}_p99_ms": round(percentile(distances, 99) * 1000, 1),
    }


def _thread(entry: dict[str, Any]) -> str:
    return str(entry["arguments"].get("thread_ts"))


def _is_status(entry: dict[str, Any]) -> bool:
    return entry.get("method") == "assistant.threads.setStatus"


def _is_answer(entry: dict[str, Any]) -> bool:
    return entry.get("method") == "chat.postMessage"
