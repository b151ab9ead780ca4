"""Reads watches client by client, and records what they have reported."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime
from uuid import UUID

from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.people import Value
from agencyclaw.domain.schedules import Timing
from agencyclaw.domain.watches import Watch
from agencyclaw.store.engine import Connection, Database

_CLIENTS = """
select distinct client_id from schedules
where team_id = $1 and client_id is not null and work = 'watch' and active and next_at <= now()
"""
_DUE = """
select s.id, s.team_id, s.words, s.timing, s.watch, s.reported, s.next_at, now() as now,
  p.slack_user_id, p.employment_status <> 'inactive' as is_here
from schedules s join profiles p on p.id = s.person_id
where s.client_id = $1 and s.team_id = $2 and s.work = 'watch' and s.active
  and s.next_at <= now()
order by s.id
"""
# Of two processes that look at once, one reports.
_REPORTED = """
update schedules set reported = $2, updated_at = now()
where id = $1 and active and next_at is not null and reported = $3 returning id
"""
_LOOKED = "update schedules set next_at = $2 where id = $1 and active and next_at = $3"


class DueWatch(Value):
    """A watch whose time has come; `reported` are the keys of what it reported and is so still."""

    id: UUID
    team_id: str
    words: str
    timing: Timing
    watch: Watch
    reported: frozenset[str]
    next_at: datetime
    now: datetime
    slack_user_id: str | None
    is_here: bool

    @property
    def today(self) -> date:
        """The day on its owner's clock."""
        return self.now.astimezone(zone_named(self.timing.zone)).date()


async def watched_clients(db: Database, team_id: str) -> list[UUID]:
    """Return the clients of which a workspace has a watch that is due."""
    return [row["client_id"] for row in await db.pool.fetch(_CLIENTS, team_id)]


async def due_watches(db: Database, team_id: str, client_id: UUID) -> list[DueWatch]:
    """Return a workspace's watches of a client that are due."""
    rows = await db.pool.fetch(_DUE, client_id, team_id)
    return [DueWatch.model_validate(dict(row)) for row in rows]


async def report(conn: Connection, watch: DueWatch, keys: Collection[str]) -> bool:
    """Record what is so now; False if another process did, or the watch has ended or is paused."""
    now_so, before = sorted(keys), sorted(watch.reported)
    return await conn.fetchval(_REPORTED, watch.id, now_so, before) is not None


async def looked(db: Database, watch: DueWatch) -> None:
    """Move a watch that has a timing of its own on to its next time."""
    following = watch.timing.next_after(watch.now)
    if following and watch.timing.every != "change":
        await db.pool.execute(_LOOKED, watch.id, following, watch.next_at)
