"""One system in a process of its own: reads commands from stdin, answers with figures on stdout.

All of them run on the same event loop, the one the assistant is served on.

A process each keeps the systems' garbage, caches and CPU apart; the parent lets only one work.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import time
from typing import Any, Protocol

from agencyclaw.cli import eventloop
from benchmarks.conversation import CONVERSATION

# A person does not answer within the same millisecond: what a system does after it has answered is
# in its CPU time, not in the next turn's.
THINK_S = 0.0
SYSTEMS = {
    "agencyclaw": ("benchmarks.systems.own", "AgencyClaw"),
    "pydantic_ai_bare": ("benchmarks.systems.pydantic_ai_bare", "PydanticAIBare"),
    "langgraph_postgres": ("benchmarks.systems.langgraph_postgres", "LangGraphPostgres"),
    "openai_agents_sqlalchemy": ("benchmarks.systems.openai_agents", "OpenAIAgents"),
}


class System(Protocol):
    """A system to measure."""

    def exported(self) -> int:
        """Send what is left of its spans, and return how many there were so far."""
        ...

    async def start(self) -> None:
        """Start a round."""
        ...

    async def turn(self, session: str, said: str) -> None:
        """Answer one message of a session and return once the answer is stored."""
        ...

    async def rest(self) -> None:
        """Finish work for which a person would not wait."""
        ...

    async def answers(self, session: str) -> list[str]:
        """Return every answer of a session."""
        ...

    async def stop(self) -> None:
        """End a round."""
        ...

    async def close(self) -> None:
        """Release all resources."""
        ...


async def series(system: System, sessions: list[str]) -> dict[str, Any]:
    """Hold conversations one after the other, and time each turn."""
    walls: list[float] = []
    spans = system.exported()
    cpu = time.process_time()
    for session in sessions:
        for exchange in CONVERSATION:
            began = time.perf_counter()
            await system.turn(session, exchange.said)
            walls.append(time.perf_counter() - began)
            await system.rest()
            await asyncio.sleep(THINK_S)
    spans = system.exported() - spans
    return {"walls": walls, "cpu_s": time.process_time() - cpu, "spans": spans}


async def crowd(system: System, sessions: list[str]) -> dict[str, Any]:
    """Hold all conversations at once, and time them together."""
    cpu, began = time.process_time(), time.perf_counter()
    await asyncio.gather(*(_hold(system, session) for session in sessions))
    await system.rest()
    return {
        "wall_s": time.perf_counter() - began,
        "turns": len(sessions) * len(CONVERSATION),
        "cpu_s": time.process_time() - cpu,
    }


async def _hold(system: System, session: str) -> None:
    for exchange in CONVERSATION:
        await system.turn(session, exchange.said)


async def work(_: System, __: list[str]) -> dict[str, Any]:
    """Process queued jobs until the next line of input."""
    cpu = time.process_time()
    _say({"working": True})
    await asyncio.to_thread(sys.stdin.readline)
    return {"cpu_s": time.process_time() - cpu}


async def check(system: System, sessions: list[str]) -> None:
    """Raise unless every turn was answered with the right words."""
    expected = [exchange.answer for exchange in CONVERSATION]
    for session in sessions:
        found = await system.answers(session)
        if found != expected:
            raise AssertionError(f"{session}: {found!r}")


async def serve(name: str, dsn: str) -> None:
    """Open a system and execute commands until standard input ends."""
    module, kind = SYSTEMS[name]
    system: System = await getattr(importlib.import_module(module), kind).open(dsn)
    measures = {"series": series, "crowd": crowd, "work": work}
    # As `serve` does once it listens.
    eventloop.freeze_loaded_objects()
    _say({"ready": name})
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        await system.start()
        figures = await measures[command["do"]](system, command["sessions"])
        await check(system, command["sessions"])
        await system.stop()
        _say(figures)
    await system.close()


def _say(figures: dict[str, Any]) -> None:
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    eventloop.run(serve(sys.argv[1], sys.argv[2]))
