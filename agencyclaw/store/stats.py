"""Counts for metrics: what waits, what is open, and what ended how."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from agencyclaw.store.engine import Database, fetch_one
from agencyclaw.store.migrate import has_all
from agencyclaw.store.schema import missing_tables

_KEPT_S = 5.0

# Ended work is counted for the last hour only, which the index on the time keeps cheap.
_COUNT = """
select
  (select coalesce(json_agg(q), '[]') from (
    select task_name as task, count(*) filter (where status = 'doing') as running,
      count(*) filter (where status = 'todo' and coalesce(scheduled_at <= now(), true)) as waiting
    from procrastinate_jobs where status in ('todo', 'doing') group by task_name
  ) as q) as jobs,
  (select coalesce(extract(epoch from now() - min(received_at)), 0)::float8
    from slack_event_receipts where status = 'received') as oldest_s,
  (select coalesce(json_agg(r), '[]') from (
    select status, coalesce(reason, '') as reason, count(*) as number from slack_event_receipts
    where received_at > now() - interval '1 hour' or status = 'received' group by 1, 2
  ) as r) as receipts,
  (select coalesce(json_agg(o), '[]') from (
    select state, kind, count(*) as number from outbox
    where state in ('pending', 'sending', 'dead') group by 1, 2
  ) as o) as deliveries,
  (select coalesce(json_agg(p), '[]') from (
    select state, count(*) as number from proposals group by 1
  ) as p) as proposals
"""


@dataclass(frozen=True)
class StatsSnapshot:
    """Numbers by their labels, and how long the oldest message has waited."""

    jobs: list[dict[str, Any]]
    receipts: list[dict[str, Any]]
    deliveries: list[dict[str, Any]]
    proposals: list[dict[str, Any]]
    oldest_s: float


class Stats:
    """Counts on demand; a result is reused for a few seconds."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._last: tuple[float, StatsSnapshot] | None = None

    async def count(self) -> StatsSnapshot:
        """Return the counts, at most a few seconds old."""
        if self._last is not None and time.monotonic() - self._last[0] < _KEPT_S:
            return self._last[1]
        counts = StatsSnapshot(**await fetch_one(self._db.pool, _COUNT))
        self._last = (time.monotonic(), counts)
        return counts

    async def is_reachable(self) -> bool:
        """Return whether the database answers."""
        return await self._db.pool.fetchval("select 1") == 1

    async def is_migrated(self) -> bool:
        """Return whether the database has all that this version needs; it may be newer."""
        current: str = await self._db.pool.fetchval("select version_num from alembic_version")
        return has_all(current) and not await missing_tables(self._db)
