"""`python -m benchmarks`: runs all benchmarks, or those named, on one Postgres."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import events, growth, lanes, plate, start, threads, tokens, turn
from benchmarks.figures import table
from benchmarks.server import BenchmarkServer, running_server

LATEST = Path(__file__).parent / "latest.json"


@dataclass
class Options(argparse.Namespace):
    """The command line's options."""

    parts: tuple[str, ...] = ()
    rounds: int = 20
    sessions: int = 2
    only: tuple[str, ...] = ()
    keep: bool = True


def read_options() -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all of them by default")
    parser.add_argument("--rounds", type=int, help="how often each system has its turn")
    parser.add_argument("--sessions", type=int, help="ten-turn conversations per round")
    parser.add_argument("--only", nargs="*", help="names of systems")
    parser.add_argument("--no-keep", dest="keep", action="store_false")
    options = parser.parse_args(namespace=Options())
    if unknown := set(options.parts) - PARTS.keys():
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    return options


async def _turn(server: BenchmarkServer, options: Options) -> dict[str, Any]:
    chosen = [e for e in turn.entrants() if not options.only or e.name in options.only]
    size = turn.Size(rounds=options.rounds, sessions=options.sessions)
    measured = await turn.measure(server, size, chosen)
    figures: dict[str, Any] = {one.name: one.line() for one in measured}
    _print_nested("all rounds together", figures)
    for peer in (one for one in measured if one.lacks):
        print(f"\n{peer.name}: {peer.lacks}.")
        beside = {one.name: one.beside(peer) for one in measured if one.system == turn.OWN}
        if beside:
            _print_nested(f"divided by {peer.name}", beside)
            figures[peer.name]["beside"] = beside
    return figures


async def _workers(server: BenchmarkServer, _: Options) -> dict[str, Any]:
    figures = await lanes.measure_workers(server)
    _print_nested("worker processes", figures)
    return figures


async def _events(server: BenchmarkServer, _: Options) -> dict[str, Any]:
    figures = await events.measure(server)
    _print_nested("messages on the socket", figures)
    return figures


async def _threads(server: BenchmarkServer, options: Options) -> dict[str, Any]:
    figures = await threads.measure(server, options.rounds)
    _print_nested("called into a thread of 200 messages", figures)
    return figures


async def _knowledge(server: BenchmarkServer, _: Options) -> dict[str, Any]:
    figures = await growth.measure_knowledge(server)
    _print_nested("procedures searched", figures)
    return figures


async def _packs(_: BenchmarkServer, __: Options) -> dict[str, Any]:
    figures = growth.measure_packs()
    _print_nested("tasks packed", figures)
    return figures


async def _tokens(server: BenchmarkServer, _: Options) -> dict[str, Any]:
    figures = await tokens.measure(server)
    print(table(["sent to the model", "tokens or share"], list(figures.items())))
    return figures


async def _memory(server: BenchmarkServer, _: Options) -> dict[str, Any]:
    figures = await lanes.measure_memory(server)
    print(table(["memory", "MiB"], list(figures.items())))
    return figures


async def _messages(server: BenchmarkServer, _: Options) -> dict[str, Any]:
    figures = await lanes.measure_messages(server)
    print(table(["messages in one process", "MiB"], list(figures.items())))
    return figures


async def _start(_: BenchmarkServer, options: Options) -> dict[str, Any]:
    figures = await start.measure(min(options.rounds, 3))
    _print_nested("ready", figures)
    return figures


async def _growth(server: BenchmarkServer, _: Options) -> dict[str, Any]:
    figures = await growth.measure_turns(server)
    _print_nested("agency", figures)
    return figures


async def _plate(_: BenchmarkServer, __: Options) -> dict[str, Any]:
    figures = await plate.measure()
    _print_nested("looked at 1,000 tasks in 40 lists", figures)
    return figures


PARTS: dict[str, Callable[[BenchmarkServer, Options], Awaitable[dict[str, Any]]]] = {
    "turn": _turn,
    "workers": _workers,
    "events": _events,
    "threads": _threads,
    "knowledge": _knowledge,
    "packs": _packs,
    "tokens": _tokens,
    "memory": _memory,
    "messages": _messages,
    "start": _start,
    "growth": _growth,
    "plate": _plate,
}


def _print_nested(what: str, figures: dict[str, dict[str, float]]) -> None:
    head = [what, *next(iter(figures.values()))]
    print(table(head, [[name, *line.values()] for name, line in figures.items()]))


async def main(options: Options) -> None:
    """Run the benchmarks that were asked for, and print and store the results."""
    figures: dict[str, Any] = json.loads(LATEST.read_text()) if LATEST.exists() else {}
    async with running_server() as server:
        for part in options.parts or PARTS:
            print(
                f"\n{part}  (load {os.getloadavg()[0]:.1f}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC)"
            )
            figures[part] = await PARTS[part](server, options)
    if options.keep:
        LATEST.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    asyncio.run(main(read_options()))
