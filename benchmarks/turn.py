"""Measures a turn beside other frameworks: same conversation and Postgres, interleaved rounds."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass, field
from typing import Any

from benchmarks.figures import percentile
from benchmarks.server import BenchmarkServer

OWN = "agencyclaw"
PEER = "langgraph_postgres"


@dataclass
class Entrant:
    """A row of the table: a system in its process, and its measurements."""

    name: str
    system: str
    environment: dict[str, str] = field(default_factory=dict[str, str])
    process: Any = None
    walls: list[list[float]] = field(default_factory=list[list[float]])
    cpu_s: float = 0.0
    postgres_s: float = 0.0
    rates: list[float] = field(default_factory=list[float])

    async def open(self, dsn: str) -> None:
        """Start the process and wait until it is ready."""
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "benchmarks.child",
            self.system,
            dsn,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **self.environment},
            limit=1 << 24,
        )
        await self._read()

    async def ask(self, measure: str, sessions: list[str]) -> dict[str, Any]:
        """Request one measurement."""
        self.tell({"do": measure, "sessions": sessions})
        return await self._read()

    def tell(self, command: dict[str, Any]) -> None:
        """Send a line."""
        self.process.stdin.write(json.dumps(command).encode() + b"\n")

    async def close(self) -> None:
        """End the process."""
        self.process.stdin.close()
        await self.process.wait()

    async def _read(self) -> dict[str, Any]:
        line = await self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.name} ended before it answered")
        return json.loads(line)

    def line(self) -> dict[str, float]:
        """Return the figures; every round has the same weight."""
        every = [wall for walls in self.walls for wall in walls]
        return {
            "p50_ms": round(percentile(every, 50) * 1000, 2),
            "p99_ms": round(percentile(every, 99) * 1000, 2),
            "cpu_ms": round(self.cpu_s / len(every) * 1000, 2),
            "turns_per_s": round(percentile(self.rates, 50), 1),
        }

    @property
    def postgres_ms(self) -> float:
        """Postgres's CPU time per turn, in milliseconds."""
        return round(self.postgres_s / sum(map(len, self.walls)) * 1000, 2)


def entrants() -> list[Entrant]:
    """Return the rows of the table."""
    return [
        Entrant(OWN, OWN),
        Entrant("agencyclaw_no_spans", OWN, {"BENCH_SPANS": "0"}),
        Entrant("pydantic_ai_bare", "pydantic_ai_bare"),
        Entrant(PEER, PEER),
        Entrant("openai_agents_sqlalchemy", "openai_agents_sqlalchemy"),
    ]


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    rounds: int = 6
    sessions: int = 6
    crowd: int = 8


async def measure(server: BenchmarkServer, size: Size, chosen: list[Entrant]) -> list[Entrant]:
    """Let every system warm up, then take turns; who begins changes with every round."""
    for entrant in chosen:
        await entrant.open(await server.database())
    # So that no turn pays for what the preparation left in memory.
    await server.cluster.checkpoint()
    for entrant in chosen:
        await entrant.ask("series", ["WARM1", "WARM2"])
        await entrant.ask("crowd", [f"WARMC{n}" for n in range(size.crowd)])
    for number in range(size.rounds):
        start = number % len(chosen)
        for entrant in chosen[start:] + chosen[:start]:
            await _round(server, entrant, number, size)
    for entrant in chosen:
        await entrant.close()
    return chosen


async def _round(server: BenchmarkServer, entrant: Entrant, number: int, size: Size) -> None:
    before = server.cpu_s()
    series = await entrant.ask("series", [f"S{number}N{n}" for n in range(size.sessions)])
    entrant.postgres_s += server.cpu_s() - before
    entrant.walls.append(series["walls"])
    entrant.cpu_s += series["cpu_s"]
    crowd = await entrant.ask("crowd", [f"C{number}N{n}" for n in range(size.crowd)])
    entrant.rates.append(crowd["turns"] / crowd["wall_s"])
