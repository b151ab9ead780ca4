"""`python -m tests.consent.line`: product and oracle compared, in one line."""

from __future__ import annotations

import asyncio
import os
import sys

from tests.consent.compare import Tally, compare
from tests.consent.generate import generate
from tests.consent.moves import MOVES
from tests.consent.verdict import kind_of
from tests.consent.wire import on_the_wire
from tests.consent.without import SABOTAGES, Sabotage, without

PURE, SAMPLE = 7600, 1500
WIRE, WIRE_SAMPLE = 290, 8
SHOWN = 10


def report(*, is_small: bool = False) -> bool:
    """Play, print what came of it, and return whether every rule holds and is watched."""
    tally = compare(generate(SAMPLE if is_small else PURE))
    tally.join(asyncio.run(on_the_wire(WIRE_SAMPLE if is_small else WIRE, more=MOVES)))
    caught = [one for one in SABOTAGES if _is_caught(one)]
    broken = len(tally.violations) + len(tally.errors)
    for line in _findings(tally, caught):
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(
        f"consent: transcripts={tally.transcripts} violations={broken} "
        f"sabotages={len(caught)}/{len(SABOTAGES)}\n"
    )
    return not broken and len(caught) == len(SABOTAGES)


def _is_caught(sabotage: Sabotage) -> bool:
    with without(sabotage):
        return bool(compare(generate(SAMPLE), until_broken=True).violations)


def _findings(tally: Tally, caught: list[Sabotage]) -> list[str]:
    broken = [
        f"CONSENT VIOLATION {kind_of(done)} where the page says {kind_of(allowed)}: "
        f"{', '.join(case.about)}"
        for case, allowed, done in tally.violations[:SHOWN]
    ]
    missed = [f"NOT CAUGHT: {one.name}" for one in SABOTAGES if one not in caught]
    later = [f"judged at the act: {n} {what}" for what, n in tally.later.most_common()]
    stricter = [f"stricter than the page: {n} {what}" for what, n in tally.stricter.most_common(8)]
    broken += [f"ERROR: a play without an end, twice: {one}" for one in tally.errors]
    return [*broken, *missed, *later, *stricter]


if __name__ == "__main__":
    sys.exit(0 if report(is_small=bool(os.environ.get("SMALL"))) else 1)
