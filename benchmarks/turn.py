"""Measures a turn beside other frameworks: same conversation and Postgres, interleaved rounds.

A machine with other work is slow for all of them alike, so each is divided by its peer within a
round.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Any

from benchmarks.figures import percentile
from benchmarks.server import BenchmarkServer

OWN = "agencyclaw"
PEER = "langgraph_postgres"


@dataclass(frozen=True)
class Round:
    """What a system was measured at in one round; all of them have theirs within seconds.

    `spans` were exported, `postgres_s` is the server's CPU time, both for the turns of `walls`.
    """

    walls: list[float]
    cpu_s: float
    spans: int
    postgres_s: float
    turns_per_s: float

    @property
    def p50_ms(self) -> float:
        """The median turn."""
        return percentile(self.walls, 50) * 1000

    @property
    def cpu_ms(self) -> float:
        """CPU time a turn."""
        return self.cpu_s / len(self.walls) * 1000


@dataclass
class Entrant:
    """A row of the table: a system in its process, and its rounds.

    `lacks` says what it does not do that a turn of ours does.
    """

    name: str
    system: str
    environment: dict[str, str] = field(default_factory=dict[str, str])
    lacks: str = ""
    process: Any = None
    rounds: list[Round] = field(default_factory=list[Round])
    log: Any = None

    async def open(self, dsn: str) -> None:
        """Start the process and wait until it is ready."""
        self.log = tempfile.TemporaryFile()  # noqa: SIM115 (it is read if the process ends)
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "benchmarks.child",
            self.system,
            dsn,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=self.log,
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
        self.log.close()

    async def _read(self) -> dict[str, Any]:
        line = await self.process.stdout.readline()
        if not line:
            self.log.seek(0)
            last = self.log.read()[-4_000:].decode(errors="replace")
            raise RuntimeError(f"{self.name} ended before it answered:\n{last}")
        return json.loads(line)

    def line(self) -> dict[str, float]:
        """Return the figures of all rounds together; every round has the same weight."""
        every = [wall for one in self.rounds for wall in one.walls]
        return {
            "p50_ms": round(percentile(every, 50) * 1000, 2),
            "p99_ms": round(percentile(every, 99) * 1000, 2),
            "cpu_ms": round(sum(one.cpu_s for one in self.rounds) / len(every) * 1000, 2),
            "turns_per_s": round(percentile([one.turns_per_s for one in self.rounds], 50), 1),
            "postgres_ms": round(sum(one.postgres_s for one in self.rounds) / len(every) * 1000, 2),
            "spans": round(sum(one.spans for one in self.rounds) / len(every), 1),
        }

    def beside(self, peer: Entrant) -> dict[str, float]:
        """Return what is divided by a peer's in each round: the median, and p50's quartiles."""
        pairs = list(zip(self.rounds, peer.rounds, strict=True))
        walls = [ours.p50_ms / theirs.p50_ms for ours, theirs in pairs]
        cpu = [ours.cpu_ms / theirs.cpu_ms for ours, theirs in pairs]
        rates = [ours.turns_per_s / theirs.turns_per_s for ours, theirs in pairs]
        return {
            "p50": round(percentile(walls, 50), 3),
            "p50_q1": round(percentile(walls, 25), 3),
            "p50_q3": round(percentile(walls, 75), 3),
            "cpu": round(percentile(cpu, 50), 3),
            "turns_per_s": round(percentile(rates, 50), 3),
        }


_NO_DUTIES = (
    "no receipt before the acknowledgement, no queue, no lane, no rights, no context of client and"
    " proposals, no check of the answer, no outbox, no delivery, no audit"
)


def entrants() -> list[Entrant]:
    """Return the rows of the table."""
    return [
        Entrant(OWN, OWN),
        Entrant(f"{OWN}_exporting", OWN, {"BENCH_EXPORT": "1"}),
        Entrant(
            "pydantic_ai_bare",
            "pydantic_ai_bare",
            lacks=f"keeps nothing: no history, no journal, no spans; {_NO_DUTIES}",
        ),
        Entrant(
            PEER,
            PEER,
            lacks=f"keeps checkpoints of the conversation; tracing off; {_NO_DUTIES}",
        ),
        Entrant(
            "openai_agents_sqlalchemy",
            "openai_agents_sqlalchemy",
            lacks="keeps the conversation's items, no step of a turn that was interrupted; tracing"
            f" off; {_NO_DUTIES}",
        ),
    ]


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    rounds: int = 20
    sessions: int = 2
    crowd: int = 4


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
    postgres_s = server.cpu_s() - before
    crowd = await entrant.ask("crowd", [f"C{number}N{n}" for n in range(size.crowd)])
    rate = crowd["turns"] / crowd["wall_s"]
    entrant.rounds.append(Round(**series, postgres_s=postgres_s, turns_per_s=rate))
