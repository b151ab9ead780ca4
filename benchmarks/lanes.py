"""Measures lanes: memory per thousand of them, and turns per second with more workers."""

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


async def measure_workers(
    server: BenchmarkServer, counts: tuple[int, ...] = (1, 2, 4)
) -> dict[str, float]:
    """Process the same queued conversations with this many processes."""
    figures: dict[str, float] = {}
    for count in counts:
        dsn = await server.database()
        db = await Database.open(dsn)
        await _queue_up(db)
        workers = [Entrant(f"{OWN}{number}", OWN) for number in range(count)]
        for worker in workers:
            await worker.open(dsn)
        began = time.perf_counter()
        await asyncio.gather(*(worker.ask("work", []) for worker in workers))
        while await db.pool.fetchval(_WAITING):
            await asyncio.sleep(0.02)
        figures[str(count)] = round(_CROWD * len(CONVERSATION) / (time.perf_counter() - began), 1)
        for worker in workers:
            await worker.ask("stop", [])
            await worker.close()
        await db.close()
    return figures


async def _queue_up(db: Database) -> None:
    receipts = Receipts(db)
    for number, exchange in enumerate(CONVERSATION):
        for lane in range(_CROWD):
            await receipts.accept(message(f"Q{lane}", exchange.said, number))
