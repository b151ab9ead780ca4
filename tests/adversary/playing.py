"""Playing runs: every one is judged by every oracle, attack or not."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from agencyclaw.store.engine import Database
from agencyclaw.tools.catalogue import TOOLS
from tests.adversary import (
    attacks_access,
    attacks_accounts,
    attacks_agency,
    attacks_changes,
    attacks_channels,
    attacks_children,
    attacks_consent,
    attacks_files,
    attacks_guides,
    attacks_meaning,
    attacks_messages,
    attacks_planted,
    attacks_policy,
    attacks_programs,
    attacks_records,
    attacks_reminders,
    attacks_shortcuts,
    attacks_threads,
    attacks_words,
)
from tests.adversary.cases import ATTACKS, Case
from tests.adversary.facts import gather, mark
from tests.adversary.oracle import Evidence, Violation, judge
from tests.adversary.owned import SEARCH, Bid
from tests.adversary.singles import single_calls
from tests.adversary.telemetry import Telemetry
from tests.adversary.walks import random_walks
from tests.adversary.world import DM, World

__all__ = [
    "Result",
    "attacks_access",
    "attacks_accounts",
    "attacks_agency",
    "attacks_changes",
    "attacks_channels",
    "attacks_children",
    "attacks_consent",
    "attacks_files",
    "attacks_guides",
    "attacks_meaning",
    "attacks_messages",
    "attacks_planted",
    "attacks_policy",
    "attacks_programs",
    "attacks_records",
    "attacks_reminders",
    "attacks_shortcuts",
    "attacks_threads",
    "attacks_words",
    "every_case",
    "play",
]
WALKS, WALKS_FULL = 60, 2_000
PATIENCE_S = 60


@dataclass(frozen=True)
class Result:
    """How one run ended; `holes` are its violations, unless they only say that something broke."""

    cls: str
    label: str
    violations: tuple[Violation, ...]
    holes: tuple[Violation, ...] = ()


async def play(world: World, case: Case, telemetry: Telemetry | None = None) -> Result:
    """Play one run in a fresh corner of the world and judge it."""
    telemetry = telemetry or Telemetry()
    telemetry.forget()
    before = await mark(world.db)
    broke = ""
    try:
        async with asyncio.timeout(PATIENCE_S):
            await case.play(world)
            await world.settle()
    except (AssertionError, LookupError) as wrong:
        broke = f"{type(wrong).__name__}: {wrong}"
        world.notes.append(broke)
    except TimeoutError:
        world.stuck.append(f"a run that takes longer than {PATIENCE_S} s")
    evidence = await _evidence(world, before, telemetry)
    violations = judge(evidence)
    await world.director.restore_records(evidence.facts.touched)
    await world.reset()
    # What fails for ever leaves much undone.
    holes = () if evidence.stuck else tuple(one for one in violations if one.what != broke)
    return Result(case.cls, case.label, tuple(violations), holes)


async def _evidence(world: World, before: Any, telemetry: Telemetry) -> Evidence:
    return Evidence(
        facts=await gather(world.db, before),
        before=before,
        acts=list(world.acts),
        writes=list(world.clickup.writes),
        reads=list(world.clickup.reads),
        calls=list(world.slack.calls),
        asked=list(world.owned.asked),
        stuck=list(world.stuck),
        notes=list(world.notes),
        expected_tasks=world.expected_tasks,
        expected_changes=world.expected_changes,
        latest=world.director.truth.copied(),
        telemetry=telemetry.text(),
        sockets=telemetry.sockets(),
        log=list(world.slack.log),
        words_in=frozenset(world.words_in),
    )


async def tools_of(world: World) -> tuple[Any, ...]:
    """Return the schemas of all tools, as the model is shown them: at hand, or after a search."""
    rare = [name for name, spec in TOOLS.items() if spec.is_on_demand]
    for at in range(0, len(rare), 6):  # a run calls no tool for ever
        searches = [Bid(SEARCH, {"queries": [name]}) for name in rare[at : at + 6]]
        world.owned.will(searches, "Here I am.")
        # Some tools are there only where a message has a file.
        files = [{"id": "F1", "name": "notes.txt"}]
        await world.say("U01INES", "hello", world.room(DM), subtype="file_share", files=files)
    tools = world.owned.tools
    if missing := TOOLS.keys() - {tool.name for tool in tools}:
        raise LookupError(f"no search finds {sorted(missing)}")
    await gather(world.db, await mark(world.db))
    await world.reset()
    return tools


async def every_case(world: World, *, size: str) -> list[Case]:
    """Return the runs of a size: "small", "pairwise" or "full"."""
    is_full = size == "full"
    tools = await tools_of(world)
    planned = [case for one in ATTACKS for case in one.cases(full=is_full)]
    singles = single_calls(tools, full=is_full)
    walks = random_walks(tools, count=WALKS_FULL if is_full else WALKS)
    if size != "small":
        return [*planned, *singles, *walks]
    return [*_every(planned, 9), *_every(singles, 30), *_every(walks, 15)]


def _every(cases: Sequence[Case], step: int) -> list[Case]:
    """Return every so-manieth case, and at least one of each class."""
    first = {case.cls: at for at, case in reversed(list(enumerate(cases)))}
    return [case for at, case in enumerate(cases) if at % step == 0 or at in first.values()]


@contextmanager
def nothing(_: World) -> Iterator[None]:
    """The house as it is."""
    yield


async def open_database(dsn: str) -> Database:
    """Open a database for one world."""
    return await Database.open(dsn, min_size=1, max_size=4)
