"""`python -m evals.threads`: play every thread, with its script or with a model."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from evals.databases import running_server
from evals.threads.cases import load_threads
from evals.threads.playing import Outcome, Played, play
from evals.world import open_ground, silence

_WRONG = (Outcome.WRONGLY_ANSWERED, Outcome.WRONGLY_SILENT)


def main(argv: Sequence[str] | None = None) -> int:
    """Play and print; returns 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m evals.threads", description=__doc__)
    parser.add_argument("--model", default="", help="provider:name of a model that reads")
    parser.add_argument("--only", default="", help="threads whose name contains this")
    options = parser.parse_args(argv)
    silence()
    return asyncio.run(_play(options.only, options.model))


async def _play(only: str, model: str) -> int:
    every: list[Played] = []
    async with running_server() as postgres, open_ground(postgres.admin_dsn) as ground:
        for case in load_threads(only):
            every.append(await play(ground, case, model=model))
            for line in lines_of(every[-1]):
                print(line, flush=True)
    print(closing_line(every))
    return 0 if every and all(is_right(one) for one in every) else 1


def is_right(played: Played) -> bool:
    """Return whether it spoke where it had to, and said what it had to."""
    return not played.complaints and not any(played.count(one) for one in _WRONG)


def lines_of(played: Played) -> list[str]:
    """Return the figures of a thread, and below them what was wrong."""
    counted = ", ".join(f"{played.count(one)} {one.value}" for one in Outcome)
    cost = f"{played.tokens:,} tokens, first answer in {played.first_answer_ms:.0f} ms"
    wrong = [
        f"  {how.value}: {one.by}: {one.text}" for one, how in played.outcomes if how in _WRONG
    ]
    return [
        f"{played.case.name}: {counted}; {cost}",
        *wrong,
        *(f"  {complaint}" for complaint in played.complaints),
    ]


def closing_line(every: Sequence[Played]) -> str:
    """Return the last line of a run."""
    counted = ", ".join(
        f"{sum(one.count(outcome) for one in every)} {outcome.value}" for outcome in Outcome
    )
    complaints = sum(len(one.complaints) for one in every)
    return f"threads: {len(every)}, {counted}, {complaints} complaints about words"


if __name__ == "__main__":
    sys.exit(main())
