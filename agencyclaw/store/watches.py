"""Reads watches client by client, and records what they have reported."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime
from uuid import UUID

from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.people import Value
from agencyclaw.domain.schedules import Timing
from agencyclaw.domain.watches import ChangedProcedure, Check, RunFigures, Watch
from agencyclaw.store.engine import Connection, Database, fetch_one

# Why a watch ended that had found what it waited for.
REPORTED = "reported"
_CLIENTS = """
select distinct client_id from schedules
where team_id = $1 and work = 'watch' and active and next_at <= schedule_clock()
"""
_DUE = """
select s.id, s.team_id, s.words, s.timing, s.watch, s.reported, s.next_at, s.created_at,
  s.reported_at > schedule_clock() - interval '1 hour' as was_reported_lately,
  schedule_clock() as now, p.slack_user_id,
  p.employment_status <> 'inactive' as is_here
from schedules s join profiles p on p.id = s.person_id
where s.client_id is not distinct from $1 and s.team_id = $2 and s.work = 'watch' and s.active
  and s.next_at <= schedule_clock()
order by s.id
"""
# Of two processes that look at once, one reports.
_REPORTED = """
update schedules set reported = $2, updated_at = now(),
  reported_at = case when $4 then schedule_clock() else reported_at end
where id = $1 and active and next_at is not null and reported = $3 returning id
"""
_LOOKED = "update schedules set next_at = $2 where id = $1 and active and next_at = $3"
_CHANGED = """
select id, name as title, version, last_synced_at as changed_at from playbook_sops
where state = 'approved' and last_synced_at > $1 order by name, id
"""
_FIGURES = """
select
  count(*) filter (where status in ('completed', 'awaiting_confirmation', 'failed')) as ended,
  count(*) filter (where status = 'failed') as failed,
  to_char(now(), 'YYYY-MM') as month,
  (select coalesce(sum(u.cost_usd), 0)::float
    from ai_token_usage u left join agent_runs r on r.id = u.run_id
    where coalesce(u.team_id, r.team_id) = $1 and u.created_at >= date_trunc('month', now())
  ) as cost_usd
from agent_runs
where team_id = $1 and run_type in ('main', 'heartbeat') and started_at > now() - interval '1 day'
"""


class DueWatch(Value):
    """A watch whose time has come; `reported` are the keys of what it reported and is so still.

    It began at `created_at`, and `was_reported_lately` if it has reported within the last hour.
    """

    id: UUID
    team_id: str
    words: str
    timing: Timing
    watch: Watch
    reported: frozenset[str]
    next_at: datetime
    created_at: datetime
    was_reported_lately: bool | None
    now: datetime
    slack_user_id: str | None
    is_here: bool

    @property
    def today(self) -> date:
        """The day on its owner's clock."""
        return self.now.astimezone(zone_named(self.timing.zone)).date()

    @property
    def since(self) -> datetime | None:
        """Since when changes count; None if it is not changes that it looks for."""
        return self.created_at if self.watch.check is Check.CHANGED_PROCEDURE else None


async def watched_clients(db: Database, team_id: str) -> list[UUID | None]:
    """Return the clients of which a workspace has a watch that is due; None for the agency."""
    return [row["client_id"] for row in await db.pool.fetch(_CLIENTS, team_id)]


async def due_watches(db: Database, team_id: str, client_id: UUID | None) -> list[DueWatch]:
    """Return a workspace's watches of a client, or of the whole agency, that are due."""
    rows = await db.pool.fetch(_DUE, client_id, team_id)
    return [DueWatch.model_validate(dict(row)) for row in rows]


async def report(
    conn: Connection, watch: DueWatch, keys: Collection[str], *, is_reported: bool
) -> bool:
    """Record what is so now, and whether something of it is new and reported.

    Returns False if another process did, or the watch has ended or is paused.
    """
    now_so, before = sorted(keys), sorted(watch.reported)
    return await conn.fetchval(_REPORTED, watch.id, now_so, before, is_reported) is not None


async def changed_procedures(db: Database, since: datetime) -> list[ChangedProcedure]:
    """Return the procedures in use whose page is new, or has changed, since a moment."""
    return [ChangedProcedure(**row) for row in await db.pool.fetch(_CHANGED, since)]


async def run_figures(db: Database, team_id: str) -> RunFigures:
    """Return how many answers ended and failed within a day, and what the month has cost."""
    return RunFigures(**await fetch_one(db.pool, _FIGURES, team_id))


async def looked(db: Database, watch: DueWatch) -> None:
    """Move a watch that has a timing of its own on to its next time."""
    following = watch.timing.next_after(watch.now)
    if following and watch.timing.every != "change":
        await db.pool.execute(_LOOKED, watch.id, following, watch.next_at)
