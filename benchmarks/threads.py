"""The first and the second answer in a thread of 200 messages, from the event to what is posted.

As in `events`, the assistant is in a process of its own, and the times are those of the workbench's
log. Five people have talked about what the model, which answers at once, is then asked. Tokens are
those of the requests to the model, counted as in `tokens`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from agencyclaw.store.engine import Database
from benchmarks.events import PEOPLE, assistant, ends, settle
from benchmarks.figures import percentile
from benchmarks.instant import Kind
from benchmarks.server import BenchmarkServer
from workbench.fixture import Bench, running_workbench

_CHANNEL = "C01OPS"
_MESSAGES = 200
_REMARK = "remark {number:03}: {rest}"
_REST = "we go on about the banner, its photos and who pays for them, as we did before, " * 2
_AT_REST = """
select not exists (select from slack_event_receipts where status = 'received')
  and not exists (select from procrastinate_jobs
    where status in ('todo', 'doing') and scheduled_at is null)
"""
_SPENT = "select stage, prompt_tokens from ai_token_usage order by id"


@dataclass
class _Turns:
    """The n-th answers in their threads: how long each took, and what the model was sent."""

    seconds: list[float] = field(default_factory=list[float])
    tokens: list[float] = field(default_factory=list[float])
    condensed: list[float] = field(default_factory=list[float])

    def line(self) -> dict[str, float]:
        """Return the figures."""
        return {
            "answer_p50_ms": round(percentile(self.seconds, 50) * 1000, 1),
            "answer_max_ms": round(max(self.seconds) * 1000, 1),
            "tokens_of_a_request": round(percentile(self.tokens, 50)),
            "tokens_to_condense": round(percentile(self.condensed or [0.0], 50)),
        }


async def measure(server: BenchmarkServer, rounds: int) -> dict[str, dict[str, float]]:
    """Call the assistant twice into threads of 200 messages, one thread after the other."""
    dsn = await server.database()
    first, second = _Turns(), _Turns()
    db = await Database.open(dsn)
    async with running_workbench() as bench, assistant(bench, dsn, Kind.COUNTING):
        for number in range(rounds + 1):
            root = await _talk(bench, db)
            for turns in (first, second):
                await _call(bench, db, root, number, turns if number else _Turns())
    await db.close()
    return {"first answer": first.line(), "second answer": second.line()}


async def _talk(bench: Bench, db: Database) -> str:
    """Let five people talk, and wait until all of it was heard."""
    root = await _say(bench, 0, None)
    for number in range(1, _MESSAGES):
        await _say(bench, number, root)
    await _at_rest(db)
    return root


async def _say(bench: Bench, number: int, root: str | None) -> str:
    words = _REMARK.format(number=number, rest=_REST)
    return await bench.post_message(_CHANNEL, PEOPLE[number % 5], words, root)


async def _call(bench: Bench, db: Database, root: str, number: int, turns: _Turns) -> None:
    spent = len(await db.pool.fetch(_SPENT))
    since = bench.storage.log()[-1]["seq"]
    words = f"<@U01CLAW> what was agreed, in talk {number}?"
    called = await bench.post_message(_CHANNEL, PEOPLE[0], words, root)
    await settle(bench, [root], 60, since=since)
    new = bench.storage.log(since)
    told = [e for e in new if e["kind"] == "envelope" and _ts(e) == called]
    turns.seconds.append(ends(new)[root] - told[0]["at"])
    await _at_rest(db)
    for stage, tokens in (await db.pool.fetch(_SPENT))[spent:]:
        (turns.condensed if stage == "summary" else turns.tokens).append(tokens)


def _ts(envelope: dict[str, Any]) -> str:
    return str(envelope["payload"]["event"].get("ts"))


async def _at_rest(db: Database) -> None:
    async with asyncio.timeout(60):
        while not await db.pool.fetchval(_AT_REST):
            await asyncio.sleep(0.02)
