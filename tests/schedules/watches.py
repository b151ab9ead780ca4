"""`make schedules WATCHES=10000`: what an hour of unchanged watches costs.

The tasks are read over HTTP from the stand-in for ClickUp, in this process: the CPU time is that of
both ends.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from agencyclaw.conversation.identity import Identity  # noqa: E402
from agencyclaw.conversation.watching import Watching  # noqa: E402
from agencyclaw.domain.people import (  # noqa: E402
    Actor,
    Freshness,
    Place,
    ScopeKind,
    Surface,
    SurfaceKind,
    Tier,
)
from agencyclaw.domain.watches import AGENCY_CHECKS, Check  # noqa: E402
from agencyclaw.settings import Settings  # noqa: E402
from agencyclaw.store.directory import DirectoryReader  # noqa: E402
from agencyclaw.store.engine import Database  # noqa: E402
from agencyclaw.task_board import clickup_client, clickup_reader  # noqa: E402
from evals.databases import DatabaseContent, running_cluster  # noqa: E402
from workbench.clickup.board import LIST, Board  # noqa: E402
from workbench.clock import MachineClock  # noqa: E402
from workbench.events import EVENTS  # noqa: E402
from workbench.fixture import Bench, running_workbench  # noqa: E402

_LOOKS_AN_HOUR = 4
_TASKS_OF_A_CLIENT = 250
_SPACE, _LIST, _OWNER = "90100500002", "901005000021", "U01INES"
_CLIENT = "insert into agency_clients (name, status) values ($1, 'active') returning id"
_BRAND = """
insert into brands (client_id, name, clickup_space_id, clickup_list_id) values ($1, $2, $3, $4)
"""
_WATCHES = """
insert into schedules (person_id, team_id, words, timing, work, client_id, watch, next_at)
select p.id, 'T0LANTERN', 'watch ' || n, $2, 'watch', $1,
  jsonb_build_object('client', jsonb_build_object('id', $1::uuid, 'name', $3::text),
    'check', $4::text), now()
from profiles p, generate_series(1, $5::int) as n where p.slack_user_id = $6
"""
_TIMING = {"day": "2026-01-01", "at": "09:00", "every": "change", "zone": "Europe/Lisbon"}
_CHECKS = [check for check in Check if check not in AGENCY_CHECKS]
_REPORTS = "select count(*) from outbox where key like 'watch:%'"


@dataclass(frozen=True)
class Hour:
    """What an hour costs in which nothing changes, and how many reports came before and in it."""

    cpu_s: float
    requests: int
    first_reports: int
    reports: int
    runs: int

    @property
    def holds(self) -> bool:
        """Whether nothing was said and no model ran."""
        return not self.reports and not self.runs


async def measure(watches: int, clients: int) -> Hour:
    """Look once, which reports what is so, and then for an hour in which nothing changes."""
    async with (
        running_cluster() as cluster,
        cluster.database(DatabaseContent.AGENCY) as db,
        running_workbench() as bench,
    ):
        await bench.control("POST", "clickup/rate", {"limit": 1_000_000})
        await _fill(db, bench, watches, clients)
        settings = _settings(bench)
        clickup = clickup_client(settings)
        board, directory = clickup_reader(settings, clickup), DirectoryReader(db)
        watching = Watching(db, directory, board, _as_admin)
        await watching.look("T0LANTERN")
        first = await db.pool.fetchval(_REPORTS)
        requests, began = _requests(bench), time.process_time()
        for _ in range(_LOOKS_AN_HOUR):
            await watching.look("T0LANTERN")
        hour = Hour(
            cpu_s=time.process_time() - began,
            requests=_requests(bench) - requests,
            first_reports=first,
            reports=await db.pool.fetchval(_REPORTS) - first,
            runs=await db.pool.fetchval("select count(*) from agent_runs"),
        )
        await clickup.aclose()
        return hour


async def _fill(db: Database, bench: Bench, watches: int, clients: int) -> None:
    """Give each client a list of its own with tasks, and its share of the watches."""
    board = Board(bench.storage, MachineClock(), bench.app[EVENTS])
    pattern, form = board.tasks([_LIST])[0], board.lists[_LIST]
    for number in range(clients):
        list_id, name = f"77{number:07}", f"Watched {number:02}"
        bench.storage.put(LIST, list_id, {**form, "id": list_id, "name": name})
        for task in range(_TASKS_OF_A_CLIENT):
            changes = {"id": f"w{number}x{task}", "name": f"Task {task}", "list_id": list_id}
            board.save_task(pattern.model_copy(update={**changes, "closed": None}), "task_created")
        client_id: UUID = await db.pool.fetchval(_CLIENT, name)
        await db.pool.execute(_BRAND, client_id, name, _SPACE, list_id)
        for at, check in enumerate(_CHECKS):
            share = watches // clients // len(_CHECKS)
            share += watches - share * clients * len(_CHECKS) if number + at == 0 else 0
            row = (client_id, _TIMING, name, check.value, share, _OWNER)
            await db.pool.execute(_WATCHES, *row)


async def _as_admin(place: Place, slack_user_id: str, _: Freshness) -> Identity:
    """Every owner may see every client: what is measured is reading and comparing."""
    actor = Actor(
        profile_id=UUID(int=1),
        name="Ines Varga",
        tier=Tier.SUPER_ADMIN,
        slack_user_id=slack_user_id,
        timezone="Europe/Lisbon",
    )
    surface = Surface(kind=SurfaceKind.DM, scope=ScopeKind.INTERNAL, team_id=place.team_id)
    return Identity(actor=actor, surface=surface)


def _requests(bench: Bench) -> int:
    return sum(entry.get("kind") == "request" for entry in bench.storage.log())


def _settings(bench: Bench) -> Settings:
    values: dict[str, object] = {
        "clickup_api_token": "pk_workbench",
        "clickup_api_url": bench.clickup_api_url,
        "clickup_team_id": "90100400001",
        "clickup_rate_limit_per_minute": 10_000,
    }
    return Settings.model_validate(values)


def main() -> None:
    """Measure, and end with the line that sums up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--watches", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=15)
    options = parser.parse_args()
    hour = asyncio.run(measure(options.watches, options.clients))
    print(f"{hour.first_reports} reports at the first look, {hour.reports} in the hour after it")
    print(
        f"watches: {options.watches} of {options.clients} clients,"
        f" {hour.cpu_s:.1f} CPU seconds an hour, {hour.requests} ClickUp requests an hour,"
        f" {hour.runs} runs of a model"
    )
    sys.exit(0 if hour.holds else 1)


if __name__ == "__main__":
    main()
