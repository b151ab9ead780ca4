"""`python -m benchmarks`: everything, or the parts named, in one run on one Postgres."""

from __future__ import annotations

import argparse
import asyncio
import os

from benchmarks import turn
from benchmarks.figures import table
from benchmarks.ground import running_ground


async def main(args: argparse.Namespace) -> None:
    """Measure what was asked for, print it and keep it."""
    async with running_ground() as ground:
        size = turn.Size(rounds=args.rounds, sessions=args.sessions)
        entrants = turn.entrants()
        if args.only:
            entrants = [e for e in entrants if e.name in args.only]
        lines = await turn.measure(ground, size, entrants)
        peer = next((e.line()["p50_ms"] for e in lines if e.name == turn.PEER), None)
        print(table(
            ["system", "p50 ms", "p99 ms", "CPU ms", "Postgres CPU ms", "turns/s", "p50 / peer"],
            [[e.name, *list(e.line().values())[:3], e.postgres_ms, e.line()["turns_per_s"],
              round(e.line()["p50_ms"] / peer, 2) if peer else "-"] for e in lines],
        ))
        print("load", os.getloadavg())


parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=6)
parser.add_argument("--sessions", type=int, default=6)
parser.add_argument("--only", nargs="*")
asyncio.run(main(parser.parse_args()))
