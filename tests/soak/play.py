"""`make soak`: a long day of many people over several processes; nothing lost, nothing grown."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "chaos")]

from ground import Ground, open_ground  # noqa: E402
from newcomers import settle_people  # noqa: E402
from processes import Process, open_pool  # noqa: E402
from reckoning import Verdict, reckon, settle  # noqa: E402
from town import BREATH_S, ThreadWatcher, Town  # noqa: E402

from evals.databases import DatabaseContent, fast_folder, running_cluster  # noqa: E402

_PEOPLE = 200
_FIFTHS = 5
_DRAIN_S = 180.0
# Nobody is killed here, so nobody has to be found out as quickly as where people are.
_PATIENT = {
    "AGENCYCLAW_TURN_TIMEOUT_S": "60",
    "AGENCYCLAW_HEARTBEAT_S": "2",
    "AGENCYCLAW_DEAD_AFTER_S": "10",
    "CLICKUP_TIMEOUT_S": "20",
    "CLICKUP_LOOK_DELAYS": "2,10,60",
    "CLICKUP_LIST_LAG_S": "5",
}


@dataclass
class Outcome:
    """What the day came to."""

    verdict: Verdict
    messages: int
    seconds: float
    waits_ms: list[float]
    sizes_mb: list[list[float]] = field(default_factory=list[list[float]])
    """Of every process, after each fifth of the day."""

    @property
    def line(self) -> str:
        """The last line of a run."""
        lost, doubled = len(self.verdict.lost), len(self.verdict.doubled)
        p50, p99 = (percentile(self.waits_ms, p) for p in (50, 99))
        return (
            f"soak: {self.messages} messages, {lost} lost, {doubled} doubled, "
            f"{self.messages / self.seconds:.1f} turns/s, p50/p99 {p50:.0f}/{p99:.0f} ms, "
            f"memory {self._memory}"
        )

    @property
    def _memory(self) -> str:
        """What all processes hold, warmed up and at the end; the first fifth is the warm-up."""
        warm, end = sum(self.sizes_mb[0]), sum(self.sizes_mb[-1])
        per_thousand = (end - warm) / (self.messages * (1 - 1 / _FIFTHS) / 1000)
        return f"{warm:.0f} → {end:.0f} MB ({per_thousand:+.1f} MB per 1,000 messages)"


def percentile(values: list[float], percent: int) -> float:
    """The value that so many per cent lie below."""
    return quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else 0.0


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def size_mb(life: Process) -> float:
    """What a process holds in memory, shared pages of its parent included."""
    status = Path(f"/proc/{life.pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


async def weigh(town: Town, lives: list[Process], messages: int, sizes: list[list[float]]) -> None:
    """Note the size of every process after each fifth of the day but the last."""
    for fifth in range(1, _FIFTHS):
        while len(town.waits_s) < messages * fifth / _FIFTHS:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        sizes.append([size_mb(life) for life in lives])
        held = " ".join(f"{size:.0f}" for size in sizes[-1])
        gone, total = sorted(town.waits_s[-500:]), len(town.waits_s)
        middle = gone[len(gone) // 2] * 1000 if gone else 0
        say(f"  after {fifth}/{_FIFTHS}: {total} answers, lately {middle:.0f} ms, memory {held} MB")


async def day(ground: Ground, options: argparse.Namespace) -> Outcome:
    """Let everybody talk, let all of it come to an end, and compare the ledgers."""
    messages, workers = options.messages, options.workers
    people = await settle_people(ground, min(_PEOPLE, max(8, messages // 2)))
    lives = [await ground.start() for _ in range(workers)]
    await ground.connected(at_least=workers)
    watcher = ThreadWatcher(ground)
    watching = asyncio.create_task(watcher.watch())
    town = Town(ground, watcher, random.Random(options.seed), messages, options.breath)
    sizes: list[list[float]] = []
    weighing = asyncio.create_task(weigh(town, lives, messages, sizes))
    began = time.monotonic()
    await town.live(people)
    seconds = time.monotonic() - began
    left = await settle(ground, _DRAIN_S)
    sizes.append([size_mb(life) for life in lives])
    for task in (weighing, watching):
        task.cancel()
    await asyncio.gather(weighing, watching, return_exceptions=True)
    verdict = await reckon(ground, town.ledger)
    verdict.lost += [f"{count} {what} still under way" for what, count in left.items()]
    codes = [life.died.result() for life in lives if not life.is_alive]
    verdict.lost += [f"a process ended with {code}" for code in codes]
    say(f"  what people did: {dict(town.done)}")
    waits_ms = [wait * 1000 for wait in town.waits_s]
    return Outcome(verdict, len(town.ledger.said), seconds, waits_ms, sizes)


async def run(options: argparse.Namespace) -> Outcome:
    """Play one day on a database of its own."""
    folder = Path(tempfile.mkdtemp(prefix="agencyclaw-soak-", dir=fast_folder()))
    try:
        async with contextlib.AsyncExitStack() as stack:
            cluster = await stack.enter_async_context(running_cluster(""))
            db = await stack.enter_async_context(cluster.database(DatabaseContent.AGENCY))
            pool = await stack.enter_async_context(open_pool(folder))
            patient = {"DATABASE_URL": db.dsn, **_PATIENT}
            ground = await stack.enter_async_context(open_ground(pool, db.dsn, **patient))
            return await day(ground, options)
    finally:
        if options.keep:
            say(f"kept: {folder}")
        else:
            shutil.rmtree(folder)


def main() -> int:
    """Read the options, play, print the verdict."""
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the logs")
    parser.add_argument("--breath", type=float, default=BREATH_S, help="between two of a person's")
    options = parser.parse_args()
    outcome = asyncio.run(run(options))
    for trouble in (*outcome.verdict.lost, *outcome.verdict.doubled)[:50]:
        say(f"  {trouble}")
    for at, sizes in enumerate(zip(*outcome.sizes_mb, strict=True), 1):
        held = " → ".join(f"{size:.0f}" for size in sizes)
        say(f"  memory of process {at}: {held} MB")
    say(f"  {outcome.verdict.created} tasks created, {outcome.seconds:.0f} s")
    say(outcome.line)
    return 0 if outcome.verdict.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
