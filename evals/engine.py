"""Plays cases with pydantic-evals: scripts on all cores, a real model k times over."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from pydantic_evals import Case, Dataset
from pydantic_evals.reporting import ReportCase

from evals.databases import running_server
from evals.every_tool import Calls, call_every_tool
from evals.ledger import Ledger
from evals.plays import Minded, Play, perform
from evals.scene import About, Part
from evals.scorers import SCORERS, is_wrong
from evals.world import Ground, open_ground, silence

Came = TypeVar("Came")
PlayAll = Callable[[Ground, Sequence[Play]], Awaitable[list[Came]]]

AT_ONCE = 4
_MOST_PROCESSES = 4


class SentTurn(Part):
    """The size of a turn's first request; `cached` is its longest known prefix."""

    said: str
    sent: int
    cached: int


class Verdict(Part):
    """The result of one play."""

    case: str
    variant: str
    wrong: tuple[str, ...] = ()
    error: str = ""
    seconds: float = 0.0
    requests: int = 0
    tokens: int = 0
    cost_usd: float | None = None
    turns: tuple[SentTurn, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong and it came to its end."""
        return not self.wrong and not self.error


async def judge(
    ground: Ground,
    plays: Sequence[Play],
    *,
    reader: Minded | None = None,
    repeat: int = 1,
    at_once: int = AT_ONCE,
) -> list[Verdict]:
    """Play and score; with a model that reads, every play is repeated."""
    dataset = Dataset[Play, Ledger, About](
        name="evals",
        cases=[Case(name=play.name, inputs=play) for play in plays],
        evaluators=[scorer() for scorer in SCORERS],
    )
    by_name = {play.name: play for play in plays}
    report = await dataset.evaluate(
        _player(ground, reader),
        task_name="play",
        max_concurrency=at_once,
        progress=False,
        repeat=repeat,
    )
    verdicts = [_verdict(one) for one in report.cases]
    for failure in report.failures:
        play = by_name[failure.source_case_name or failure.name]
        verdicts.append(Verdict(case=play.case, variant=play.variant, error=failure.error_message))
    return verdicts


def _player(ground: Ground, reader: Minded | None) -> Callable[[Play], Awaitable[Ledger]]:
    async def play(play: Play) -> Ledger:
        return await perform(ground, play, reader, is_wrong)

    return play


def _verdict(case: ReportCase[Play, Ledger, About]) -> Verdict:
    """Return a verdict from the report of one play."""
    play, ledger = case.inputs, case.output
    results, failures = case.assertions.items(), case.evaluator_failures
    costs = [turn.cost_usd for turn in ledger.turns if turn.cost_usd is not None]
    return Verdict(
        case=play.case,
        variant=play.variant,
        wrong=tuple(f"{name}: {result.reason}" for name, result in results if not result.value),
        error="; ".join(failure.error_message for failure in failures),
        seconds=round(sum(turn.seconds for turn in ledger.turns), 3),
        requests=sum(turn.requests for turn in ledger.turns),
        tokens=sum(turn.tokens for turn in ledger.turns),
        cost_usd=sum(costs) if costs else None,
        turns=tuple(
            SentTurn(said=turn.said, sent=turn.sent, cached=turn.cached)
            for turn in ledger.turns
            if turn.sent
        ),
    )


async def judge_scripts(plays: Sequence[Play]) -> list[Verdict]:
    """Play scripts in several processes on one server."""
    return await _in_processes(judge, plays)


async def call_every_tool_in(plays: Sequence[Play]) -> list[Calls]:
    """Play each case on a model that calls every tool, in several processes on one server."""
    return await _in_processes(_call_all, plays)


async def _call_all(ground: Ground, plays: Sequence[Play]) -> list[Calls]:
    return [await call_every_tool(ground, play) for play in plays]


async def _in_processes(play: PlayAll[Came], plays: Sequence[Play]) -> list[Came]:
    count = max(1, min(os.cpu_count() or 1, _MOST_PROCESSES, len(plays)))
    loop = asyncio.get_running_loop()
    async with running_server() as postgres:
        with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
            shares = [
                loop.run_in_executor(pool, _play_share, play, postgres.admin_dsn, plays[at::count])
                for at in range(count)
            ]
            done = await asyncio.gather(*shares)
    return [one for share in done for one in share]


def _play_share(play: PlayAll[Came], dsn: str, plays: Sequence[Play]) -> list[Came]:
    """Play one process's share."""

    async def on_ground() -> list[Came]:
        async with open_ground(dsn) as ground:
            return await play(ground, plays)

    silence()
    return asyncio.run(on_ground())


async def judge_model(plays: Sequence[Play], reader: Minded, *, repeat: int) -> list[Verdict]:
    """Let a real model play every case, k times over."""
    silence()
    async with running_server() as postgres, open_ground(postgres.admin_dsn) as ground:
        return await judge(ground, plays, reader=reader, repeat=repeat)
