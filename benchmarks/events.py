"""From an event on the socket to its acknowledgement, to what a person sees first, to the answer.

The workbench and the people are in this process, the assistant is in one of its own; the times are
those of the workbench's log. Nothing is shared but the socket and HTTP. Streams are on: the model
is listened to while it writes, and where it writes slowly the answer grows in Slack. What is seen
first is a status, the first words of a stream, or the answer itself, whichever comes first.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.conversation import CONVERSATION
from benchmarks.figures import percentile
from benchmarks.instant import Kind
from benchmarks.server import BenchmarkServer
from workbench.fixture import Bench, running_workbench

_CHANNEL = "C01OPS"
PEOPLE = ("U01INES", "U01TOMAS", "U01SARAL", "U01SARAO", "U01MIG", "U01YUKI")


@dataclass(frozen=True)
class Rate:
    """Messages per second, their duration, and the model's pause per word in seconds.

    `limited`: Slack's documented limits apply, one message a second in the channel among them.
    """

    per_second: float
    seconds: float
    pause_s: float = 0.0
    limited: bool = False


RUSH = Rate(50, 10)
CALM = Rate(2, 20)
# Fewer than a process may open streams for within a minute.
SLOW = Rate(0.5, 24, pause_s=0.08)
LIMITED = Rate(50, 2, limited=True)
RATES = {"calm": CALM, "slow model": SLOW, "rush": RUSH, "rush, Slack's limits": LIMITED}


async def measure(server: BenchmarkServer) -> dict[str, dict[str, float]]:
    """Measure at a low rate, with a slow model, and at a high rate without and with limits."""
    figures: dict[str, dict[str, float]] = {}
    for name, rate in RATES.items():
        dsn = await server.database()
        async with (
            running_workbench() as bench,
            assistant(bench, dsn, Kind.WRITING, pause_s=rate.pause_s, limited=rate.limited),
        ):
            await bench.limit_slack(is_on=rate.limited)
            await settle(bench, [await _say(bench, 0)], 30)
            roots = await _speak(bench, rate)
            await settle(bench, roots, 300)
            figures[name] = _figures(bench.storage.log(), roots)
    return figures


@asynccontextmanager
async def assistant(
    bench: Bench, dsn: str, kind: Kind, *, pause_s: float = 0.0, limited: bool = False
) -> AsyncGenerator[None]:
    """Run the assistant in a process of its own; its model is of this kind."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.serving", bench.url, dsn),
        *(kind, str(pause_s), "limited" if limited else "unlimited"),
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
    """Mention the assistant at an even rate, each time in a new thread."""
    began = time.monotonic()
    roots: list[str] = []
    for number in range(int(rate.per_second * rate.seconds)):
        await asyncio.sleep(max(0.0, began + number / rate.per_second - time.monotonic()))
        roots.append(await _say(bench, number))
    return roots


async def _say(bench: Bench, number: int) -> str:
    """Speak as several people, because one alone may not use all of the capacity."""
    words = f"<@U01CLAW> {CONVERSATION[number % len(CONVERSATION)].said}"
    return await bench.post_message(_CHANNEL, PEOPLE[number % len(PEOPLE)], words)


async def settle(bench: Bench, roots: list[str], seconds: float, *, since: int = 0) -> None:
    """Wait until every thread has an answer after a log entry; reads only new entries."""
    log: list[dict[str, Any]] = []
    async with asyncio.timeout(seconds):
        while not set(roots) <= ends(log).keys():
            await asyncio.sleep(0.25)
            log += filter(_is_said, bench.storage.log(log[-1]["seq"] if log else since))


def _figures(log: list[dict[str, Any]], roots: list[str]) -> dict[str, float]:
    """Compute durations from the log; of repeated entries the first counts."""
    wanted = set(roots)
    sent = {e["envelope_id"]: e for e in reversed(log) if e["kind"] == "envelope"}
    acked = {e["envelope_id"]: e["at"] for e in reversed(log) if e["kind"] == "ack"}
    mentions = [e for e in sent.values() if e["payload"]["event"].get("ts") in wanted]
    began = {e["payload"]["event"]["ts"]: e["at"] for e in mentions}
    seen = {_thread(e): e["at"] for e in reversed(log) if _is_seen(e)}
    words = {_thread(e): e["at"] for e in reversed(log) if _is_begun(e)}
    ended = ends(log)
    heard = [e for e in mentions if e["envelope_id"] in acked]
    return {
        **_spread("ack", [acked[e["envelope_id"]] - e["at"] for e in heard]),
        # Too late for Slack, which tells it again.
        "unacked": len(mentions) - len(heard),
        **_spread("seen", [seen[root] - began[root] for root in roots]),
        **_spread("words", [words[root] - began[root] for root in roots]),
        **_spread("answer", [ended[root] - began[root] for root in roots]),
    }


def ends(log: list[dict[str, Any]]) -> dict[str, float]:
    """Return when each thread's answer was complete: posted, or its stream stopped."""
    opened = {e["ts"]: _thread(e) for e in log if e.get("method") == "chat.startStream" and e["ok"]}
    stopped = [e for e in log if e.get("method") == "chat.stopStream" and e["ok"]]
    ends = {opened[e["arguments"]["ts"]]: e["at"] for e in stopped}
    return ends | {_thread(e): e["at"] for e in reversed(log) if _is_posted(e)}


def _spread(name: str, distances: list[float]) -> dict[str, float]:
    return {
        f"{name}_p50_ms": round(percentile(distances, 50) * 1000, 1),
        f"{name}_p99_ms": round(percentile(distances, 99) * 1000, 1),
    }


def _thread(entry: dict[str, Any]) -> str:
    return str(entry["arguments"].get("thread_ts"))


def _is_seen(entry: dict[str, Any]) -> bool:
    return _is_begun(entry) or entry.get("method") == "assistant.threads.setStatus"


def _is_begun(entry: dict[str, Any]) -> bool:
    return _is_posted(entry) or entry.get("method") == "chat.startStream"


def _is_said(entry: dict[str, Any]) -> bool:
    return _is_begun(entry) or entry.get("method") == "chat.stopStream"


def _is_posted(entry: dict[str, Any]) -> bool:
    return entry.get("method") == "chat.postMessage"
