"""From the command to being ready: `serve` on a workbench, and the demo, first and later.

Each has a home of its own, with the embedded Postgres, on disk; the first start makes database and
agency. CPU time and memory are those of all its processes, Postgres among them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.figures import percentile
from workbench.fixture import running_workbench

_DISK = Path(__file__).parents[1]
_OURS = ("SLACK_", "CLICKUP_", "AGENCYCLAW_", "OPENAI_", "DATABASE_", "LOGFIRE_", "OTEL_")
_READY = (b"is listening", b"is ready")


@dataclass(frozen=True)
class Start:
    """What one start took."""

    wall_s: float
    cpu_s: float
    mib: float


async def measure(times: int) -> dict[str, dict[str, float]]:
    """Start `serve` and the demo afresh, and then so many times on what they made."""
    figures: dict[str, dict[str, float]] = {}
    async with running_workbench() as bench:
        served = {
            "SLACK_BOT_TOKEN": "xoxb-workbench",
            "SLACK_APP_TOKEN": "xapp-workbench",
            "SLACK_API_URL": f"{bench.url}/api/",
            "CLICKUP_API_TOKEN": "pk_workbench",
            "CLICKUP_API_URL": f"{bench.url}/clickup/api/v2",
            "CLICKUP_TEAM_ID": "90100400001",
        }
        figures |= await _starts(("serve", "--demo-agency"), served, times)
    return figures | await _starts(("demo",), {}, times)


async def _starts(
    words: tuple[str, ...], settings: Mapping[str, str], times: int
) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory(prefix=".agencyclaw-bench-", dir=_DISK) as home:
        env = {k: v for k, v in os.environ.items() if not k.startswith(_OURS)}
        env |= settings
        env |= {"AGENCYCLAW_HOME": home, "PYTHONPATH": str(_DISK)}
        env["AGENCYCLAW_LOG_LEVEL"] = "warning"
        first, *later = [await _start(words, env) for _ in range(times + 1)]
    return {f"{words[0]}, first": _line([first]), f"{words[0]}, later": _line(later)}


async def _start(words: tuple[str, ...], env: Mapping[str, str]) -> Start:
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "agencyclaw", *words),
        env=env,
        cwd=env["AGENCYCLAW_HOME"],
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    async for line in process.stdout:
        if any(mark in line for mark in _READY):
            break
    else:
        raise RuntimeError(f"agencyclaw {words[0]} did not start")
    wall_s = time.perf_counter() - began
    family = _family(process.pid)
    start = Start(wall_s, _cpu_s(family), sum(one.memory_info().rss for one in family) / 2**20)
    process.send_signal(signal.SIGTERM)
    await process.stdout.read()
    await process.wait()
    return start


def _family(pid: int) -> list[psutil.Process]:
    """Return a process and those it started."""
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def _cpu_s(family: Iterable[psutil.Process]) -> float:
    spent = 0.0
    for process in family:
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            spent += times.user + times.system + times.children_user + times.children_system
    return spent


def _line(starts: list[Start]) -> dict[str, float]:
    return {
        "wall_s": round(percentile([one.wall_s for one in starts], 50), 2),
        "cpu_s": round(percentile([one.cpu_s for one in starts], 50), 2),
        "mib": round(percentile([one.mib for one in starts], 50), 1),
    }
