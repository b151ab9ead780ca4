"""`make schedules`: a simulated year of many schedules; each comes due exactly as its rule says.

The clock is moved from ring to ring, as the queued jobs say. Nothing rings during a downtime, and
some rings come twice. What should come due is worked out apart (`planned_times.py`).
"""

from __future__ import annotations

import argparse
import asyncio
import heapq
import random
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT)]

from agencyclaw.app import build_services  # noqa: E402
from agencyclaw.conversation.firings import Firings  # noqa: E402
from agencyclaw.conversation.slack_ports import NoStatus  # noqa: E402
from agencyclaw.domain.schedules import QuietHours  # noqa: E402
from agencyclaw.settings import Settings  # noqa: E402
from agencyclaw.store.engine import Database  # noqa: E402
from agencyclaw.store.firings import Schedules, answered  # noqa: E402
from agencyclaw.store.receipts import Receipts, close_receipt  # noqa: E402
from agencyclaw.task_board import clickup_client  # noqa: E402
from evals.databases import DatabaseContent, running_cluster  # noqa: E402
from tests.schedules.planned_times import Downtimes, Rule, random_rule  # noqa: E402

_BEGINS = datetime(2027, 1, 1, tzinfo=UTC)
# After the year it goes on until every schedule has said what it missed.
_AFTERMATH = timedelta(days=70)
_RUNG_TWICE = 0.05
_OWNERS = """
select id from profiles
where slack_user_id is not null and role <> 'viewer' and employment_status <> 'inactive' order by id
"""
_UNSAID = "select id from schedules where unsaid > 0"
_ADD = """
insert into schedules (person_id, team_id, words, timing, work, channel_id, next_at)
values ($1, 'T0LANTERN', 'what is due today', $2, $3, 'D0' || $4::text, $5) returning id
"""
_JOBS = """
with rung as (delete from procrastinate_jobs where task_name = 'remind' returning *)
select id, (args ->> 'reminder_id')::uuid as schedule_id, scheduled_at from rung
"""
_FIRINGS = "select id from slack_event_receipts where event_type = 'firing' and status = 'received'"
# What is late waits for the end of its owner's quiet hours.
_NIGHT = timedelta(hours=10)
_AT_ONCE = timedelta(seconds=1)
_MISSED = re.compile(r"It came due (\d+) times? more")


@dataclass
class Tally:
    """What came of all schedules."""

    planned: int = 0
    fired: int = 0
    missed_said: int = 0
    doubled: int = 0
    silent: int = 0
    wrong: list[str] = field(default_factory=list[str])

    @property
    def line(self) -> str:
        """The last line of a run."""
        return (
            f"schedules: planned={self.planned} fired={self.fired}"
            f" missed_said={self.missed_said} doubled={self.doubled} silent={self.silent}"
        )

    @property
    def holds(self) -> bool:
        """Whether each schedule came due as its rule says."""
        is_whole = self.fired + self.missed_said == self.planned
        return is_whole and not (self.doubled or self.silent or self.wrong)


@dataclass
class Year:
    """A simulated year on one database."""

    db: Database
    dice: random.Random
    downtimes: Downtimes
    until: datetime
    turns: Firings
    turns_left: int
    now: datetime = _BEGINS
    rules: dict[UUID, Rule] = field(default_factory=dict[UUID, Rule])
    fired: dict[UUID, list[datetime]] = field(
        default_factory=lambda: defaultdict[UUID, list[datetime]](list)
    )
    said: Counter[UUID] = field(default_factory=Counter[UUID])
    late: list[str] = field(default_factory=list[str])
    rings: list[tuple[datetime, str]] = field(default_factory=list[tuple[datetime, str]])

    @property
    def schedules(self) -> Schedules:
        """What fires, by the simulated clock."""
        night = QuietHours(since=time(21), until=time(7))
        return Schedules(self.db, night, lambda: self.now)

    async def begin(self, count: int) -> None:
        """Store the schedules, half of them reminders, with their first rings."""
        owners = [row["id"] for row in await self.db.pool.fetch(_OWNERS)]
        for number in range(count):
            rule = random_rule(self.dice, _BEGINS.date())
            first = next(rule.occurrences(_BEGINS, _BEGINS + timedelta(days=70)))
            work = "ask" if number % 2 else "remind"
            row = (self.dice.choice(owners), rule.as_timing(), work, str(number), first)
            schedule_id: UUID = await self.db.pool.fetchval(_ADD, *row)
            self.rules[schedule_id] = rule
            heapq.heappush(self.rings, (self.downtimes.up_at(first), str(schedule_id)))

    async def live(self) -> None:
        """Ring whatever is due, from ring to ring, until nothing that was missed is left unsaid."""
        while self.rings and self.rings[0][0] <= self.until + _AFTERMATH:
            self.now = self.rings[0][0]
            due: list[UUID] = []
            while self.rings and self.rings[0][0] == self.now:
                due.append(UUID(heapq.heappop(self.rings)[1]))
            if self.now > self.until:
                unsaid = {row["id"] for row in await self.db.pool.fetch(_UNSAID)}
                due = [one for one in due if one in unsaid]
            due += [one for one in due if self.dice.random() < _RUNG_TWICE]
            await asyncio.gather(*(self.schedules.ring(one) for one in due))
            await self._answer_what_fired()
            for job in await self.db.pool.fetch(_JOBS):
                at = self.downtimes.up_at(job["scheduled_at"])
                heapq.heappush(self.rings, (at, str(job["schedule_id"])))

    async def _answer_what_fired(self) -> None:
        receipts = Receipts(self.db)
        for row in await self.db.pool.fetch(_FIRINGS):
            receipt = await receipts.read(row["id"])
            firing = await self.schedules.firing(receipt) if receipt else None
            if receipt is None or firing is None:
                continue
            self.fired[firing.schedule_id].append(firing.planned)
            if not self._is_in_time(firing.planned):
                self.late.append(f"{firing.planned} came at {self.now}")
            self.said[firing.schedule_id] += firing.unsaid
            if self.turns_left and self.dice.random() < 0.01:
                self.turns_left -= 1
                await self.turns.handle(receipt.id)
                continue
            async with self.db.transaction() as conn:
                await close_receipt(conn, receipt.id)
                await answered(conn, firing, has_posted=True)
        await self.db.pool.execute("delete from procrastinate_jobs where task_name <> 'remind'")

    def _is_in_time(self, planned: datetime) -> bool:
        """Whether what is due comes at its moment, or soon after the downtime that it fell into."""
        up = self.downtimes.up_at(planned)
        latest = planned if up == planned else self.downtimes.up_at(up + _NIGHT)
        return planned <= self.now <= latest + _AT_ONCE

    async def count(self) -> Tally:
        """Compare what came with what each rule says."""
        tally = Tally(wrong=[*self.late])
        await self._read_reminders()
        for row in await self.db.pool.fetch("select id, next_at, unsaid from schedules"):
            rule, fired = self.rules[row["id"]], self.fired[row["id"]]
            if row["next_at"] is None:
                tally.wrong.append(f"{rule} was paused")
                continue
            planned = set(rule.occurrences(_BEGINS, row["next_at"] - timedelta(seconds=1)))
            said = self.said[row["id"]]
            tally.planned += len(planned)
            tally.fired += len(set(fired))
            tally.missed_said += said
            tally.doubled += len(fired) - len(set(fired))
            tally.silent += max(0, len(planned) - len(set(fired)) - said)
            if not set(fired) <= planned:
                tally.wrong.append(f"{rule}: {sorted(set(fired) - planned)[:3]}")
        return tally

    async def _read_reminders(self) -> None:
        """Read from the messages themselves when reminders came, and what they said they missed."""
        rows = await self.db.pool.fetch(
            "select key, body ->> 'text' as text from outbox where key like 'reminder:%'"
        )
        for row in rows:
            _, schedule_id, planned = row["key"].split(":", 2)
            self.fired[UUID(schedule_id)].append(datetime.fromisoformat(planned))
            missed = _MISSED.search(row["text"])
            self.said[UUID(schedule_id)] += int(missed[1]) if missed else 0


async def play(count: int, days: int, downtimes: int, turns: int, seed: int) -> Tally:
    """Play a year, or part of one; returns what came of it."""
    dice = random.Random(seed)
    script = ROOT / "tests" / "schedules" / "script.yaml"
    settings = _settings(script)
    async with running_cluster() as cluster, cluster.database(DatabaseContent.AGENCY) as db:
        clickup = clickup_client(settings)
        services = build_services(settings, db, clickup, NoStatus())
        year = Year(
            db=db,
            dice=dice,
            downtimes=Downtimes.random(dice, _BEGINS, days, downtimes),
            until=_BEGINS + timedelta(days=days),
            turns=services.firings,
            turns_left=turns,
        )
        await year.begin(count)
        await year.live()
        tally = await year.count()
        answers = await db.pool.fetchval("select count(*) from outbox where kind = 'answer'")
        await clickup.aclose()
    print(f"{count} schedules, {downtimes} downtimes, {days} days, seed {seed};", end=" ")
    print(f"{turns - year.turns_left} whole turns left {answers} answers")
    tally.wrong += [] if answers == turns - year.turns_left else ["a turn left no answer"]
    return tally


def _settings(script: Path) -> Settings:
    values: dict[str, Any] = {
        "agencyclaw_model": f"scripted:{script}",
        "clickup_api_token": "pk_nobody",
        "clickup_team_id": "1",
    }
    return Settings(**values)


def main() -> None:
    """Play, and end with the line that sums up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--schedules", type=int, default=500)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--downtimes", type=int, default=40)
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    tally = asyncio.run(play(given.schedules, given.days, given.downtimes, given.turns, given.seed))
    print("\n".join(tally.wrong[:20]), end="\n" if tally.wrong else "")
    print(tally.line)
    sys.exit(0 if tally.holds else 1)


if __name__ == "__main__":
    main()
