"""Measures lanes: memory per thousand of them and as messages come, and turns with more workers."""

from __future__ import annotations

import asyncio
import time

import psutil

from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import Receipts
from benchmarks.conversation import CONVERSATION
from benchmarks.server import BenchmarkServer
from benchmarks.systems.own import AgencyClaw, message
from benchmarks.turn import OWN, Entrant

_LANES = 1_000
_CROWD = 16
# Ten-turn conversations at once, and after how many messages of one process its memory is read.
_TOGETHER = 50
_READ_AFTER = (500, 2_500, 5_000, 7_500, 10_000)
_CONNECTIONS = "select count(*) from pg_stat_activity where datname = current_database()"
_WAITING = "select exists (select 1 from slack_event_receipts where status = 'received')"


async def measure_memory(server: BenchmarkServer) -> dict[str, float]:
    """Open a thousand lanes with one message each, then a thousand more; the second one counts."""
    system = await AgencyClaw.open(await server.database())
    await system.start()
    await _open_lanes(system, "A")
    process, before = psutil.Process(), psutil.Process().memory_info().rss
    await _open_lanes(system, "B")
    after = process.memory_info().rss
    await system.stop()
    await system.close()
    return {
        "mib_per_1000_lanes": round((after - before) / 2**20, 1),
        "process_mib": round(after / 2**20, 1),
    }


async def _open_lanes(system: AgencyClaw, name: str) -> None:
    said = CONVERSATION[0].said
    for start in range(0, _LANES, 50):
        turns = (system.turn(f"{name}{number}", said) for number in range(start, start + 50))
        await asyncio.gather(*turns)
    await system.rest()


async def measure_messages(server: BenchmarkServer) -> dict[str, float]:
    """Answer ten thousand messages in one process; return its memory in MiB after so many."""
    worker = Entrant(OWN, OWN)
    await worker.open(await server.database())
    figures: dict[str, float] = {}
    size = _TOGETHER * len(CONVERSATION)
    for number in range(1, max(_READ_AFTER) // size + 1):
        await worker.ask("crowd", [f"M{number}N{session}" for session in range(_TOGETHER)])
        if number * size in _READ_AFTER:
            taken = psutil.Process(worker.process.pid).memory_info().rss
            figures[f"{number * size:,}"] = round(taken / 2**20, 1)
    await worker.close()
    return figures


async def measure_workers(
    server: BenchmarkServer, counts: tuple[int, ...] = (1, 2, 4)
) -> dict[str, dict[str, float]]:
    """Process the same queued conversations with this many processes, and say what each costs."""
    return {f"{count}": await _work_off(server, count) for count in counts}


async def _work_off(server: BenchmarkServer, count: int) -> dict[str, float]:
    dsn = await server.database()
    db = await Database.open(dsn)
    await _queue_up(db)
    workers = [Entrant(f"{OWN}{number}", OWN) for number in range(count)]
    for worker in workers:
        await worker.open(dsn)
    began, postgres_s = time.perf_counter(), server.cpu_s()
    await asyncio.gather(*(worker.ask("work", []) for worker in workers))
    while await db.pool.fetchval(_WAITING):
        await asyncio.sleep(0.02)
    wall_s, postgres_s = time.perf_counter() - began, server.cpu_s() - postgres_s
    connections = await db.pool.fetchval(_CONNECTIONS)
    ended = [await worker.ask("stop", []) for worker in workers]
    for worker in workers:
        await worker.close()
    await db.close()
    turns = _CROWD * len(CONVERSATION)
    return {
        "turns_per_s": round(turns / wall_s, 1),
        "cpu_ms": round(sum(one["cpu_s"] for one in ended) / turns * 1000, 1),
        "postgres_ms": round(postgres_s / turns * 1000, 1),
        "connections": connections,
    }


async def _queue_up(db: Database) -> None:
    receipts = Receipts(db)
    for number, exchange in enumerate(CONVERSATION):
        for lane in range(_CROWD):
            await receipts.accept(message(f"Q{lane}", exchange.said, number))
