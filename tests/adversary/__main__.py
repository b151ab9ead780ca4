"""`python -m tests.adversary`: play all runs, then the sabotages; the last line sums up."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from agencyclaw.store.engine import Database
from tests.adversary.cases import Case
from tests.adversary.playing import every_case, play
from tests.adversary.sabotage import SABOTAGES, Sabotage, sabotaged
from tests.adversary.telemetry import Telemetry, Watch
from tests.adversary.world import World, open_world
from tests.consent import line as consent
from tests.databases import Cluster, DatabaseContent, running_cluster

SHOWN = int(os.environ.get("SHOWN", "40"))


@dataclass
class Share:
    """What one worker did."""

    runs: int = 0
    classes: dict[str, int] = field(default_factory=dict[str, int])
    violations: list[str] = field(default_factory=list[str])
    caught: dict[str, str] = field(default_factory=dict[str, str])
    uncaught: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Part:
    """Which runs a worker plays: every so-manieth of them."""

    number: int
    of: int
    size: str
    only: tuple[str, ...]

    def plays(self, case: Case) -> bool:
        """Return whether a case has one of the words asked for in its class or label, or any."""
        return not self.only or any(word in case.cls + case.label for word in self.only)

    def of_all(self, things: list[Any]) -> list[Any]:
        """Return this worker's share."""
        return things[self.number :: self.of]


async def work(dsn: str, part: Part) -> Share:
    """Play one worker's share on its own database."""
    watch, share = Watch(), Share()
    db = await Database.open(dsn, min_size=1, max_size=4)
    try:
        async with open_world(db) as world:
            cases = await every_case(world, size=part.size)
            mine = part.of_all([case for case in cases if part.plays(case)])
            gc.freeze()
            gc.set_threshold(50_000, 20, 100)
            for result in [await play(world, case, watch) for case in mine]:
                share.runs += 1
                share.classes[result.cls] = share.classes.get(result.cls, 0) + 1
                share.violations += [
                    f"{result.cls} {result.label}: {one.oracle}: {one.what}"
                    for one in result.violations
                ]
            if part.size == "small":
                cases = await every_case(world, size="pairwise")
            if _tries_sabotages(part.only):
                for sabotage in part.of_all(list(SABOTAGES)):
                    await try_sabotage(world, sabotage, cases, watch, share)
    finally:
        await db.close()
    return share


async def try_sabotage(
    world: World, sabotage: Sabotage, cases: list[Case], watch: Telemetry, share: Share
) -> None:
    """Play with a rail missing until an oracle speaks.

    A hole lets something pass: what only breaks the house is noticed by everybody.
    """
    with sabotaged(sabotage):
        for case in _nearest_first(sabotage, cases):
            result = await play(world, case, watch)
            if result.holes:
                found = result.holes[0]
                share.caught[sabotage.name] = f"{found.oracle} in {result.cls}: {found.what}"
                return
    share.uncaught.append(sabotage.name)


def _nearest_first(sabotage: Sabotage, cases: list[Case]) -> Iterator[Case]:
    for cls in sabotage.classes:
        yield from (case for case in cases if case.cls == cls)
    yield from (case for case in cases if case.cls not in sabotage.classes)


def _fork(number: int, part: Part) -> tuple[int, int, int]:
    """Start a worker that waits for its database; returns (pid, where to write, where to read)."""
    orders, reports = os.pipe(), os.pipe()
    pid = os.fork()
    if pid:
        os.close(orders[0])
        os.close(reports[1])
        return pid, orders[1], reports[0]
    os.close(orders[1])
    os.close(reports[0])
    try:
        with os.fdopen(orders[0]) as order, os.fdopen(reports[1], "w") as report:
            if dsn := order.readline().strip():
                json.dump(asdict(asyncio.run(work(dsn, part))), report)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


async def _conduct(workers: list[tuple[int, int, int]]) -> list[Share]:
    """Give every worker a database of its own and collect what they report."""
    async with running_cluster() as cluster, _databases(cluster, len(workers)) as names:
        for (_, orders, _), name in zip(workers, names, strict=True):
            with os.fdopen(orders, "w") as order:
                order.write(f"{name}\n")
        texts = await asyncio.gather(
            *(asyncio.to_thread(_read_all, report) for _, _, report in workers)
        )
    return [
        Share(**json.loads(text)) if text else Share(uncaught=["a worker died"]) for text in texts
    ]


def _read_all(report: int) -> str:
    with os.fdopen(report) as pipe:
        return pipe.read()


@asynccontextmanager
async def _databases(cluster: Cluster, count: int) -> AsyncGenerator[list[str]]:
    """Give one database per worker, each with the agency in it."""
    async with AsyncExitStack() as stack:
        made = [
            await stack.enter_async_context(cluster.database(DatabaseContent.AGENCY))
            for _ in range(count)
        ]
        yield [db.dsn for db in made]


def main() -> int:
    """Play, print, and say by the exit code whether the promise holds."""
    size = "full" if os.environ.get("FULL") else "small" if os.environ.get("SMALL") else "pairwise"
    count = int(os.environ.get("WORKERS", "3"))
    only = tuple(sys.argv[1:])
    began = time.monotonic()
    workers = [_fork(at, Part(at, count, size, only)) for at in range(count)]
    shares = asyncio.run(_conduct(workers))
    for pid, _, _ in workers:
        os.waitpid(pid, 0)
    return _report(shares, time.monotonic() - began, only)


def _tries_sabotages(only: tuple[str, ...]) -> bool:
    """Return whether rails are taken away: in a whole run, or if asked for."""
    return not only or "sabotage" in only


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _report(shares: list[Share], seconds: float, only: tuple[str, ...]) -> int:
    runs = sum(share.runs for share in shares)
    classes = Counter[str]()
    for share in shares:
        classes.update(share.classes)
    violations = [one for share in shares for one in share.violations]
    caught = {name: how for share in shares for name, how in share.caught.items()}
    uncaught = [name for share in shares for name in share.uncaught]
    for one in violations[:SHOWN]:
        _say(f"VIOLATION {one}")
    if len(violations) > SHOWN:
        _say(f"… and {len(violations) - SHOWN} more")
    for name, how in caught.items():
        _say(f"caught: {name} ({how[:120]})")
    for name in uncaught:
        _say(f"NOT CAUGHT: {name}")
    _say(f"{seconds:.1f} s")
    # Of a part, neither the model of consent nor the other rails are played.
    holds = bool(only) or consent.report(is_small=bool(os.environ.get("SMALL")))
    tried = len(SABOTAGES) if _tries_sabotages(only) else 0
    _say(
        f"adversary: {runs} runs, {len(classes)} classes, {len(violations)} violations, "
        f"{len(caught)}/{tried} sabotages caught"
    )
    is_sound = runs + tried and not violations and not uncaught and len(caught) == tried
    return 0 if is_sound and holds else 1


if __name__ == "__main__":
    raise SystemExit(main())
