"""Which tools are enabled, what admins decided about them, and how often a person called them.

Hot path: every message.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Limit, Override, Switches
from agencyclaw.store.engine import Database, fetch_one

# Of the workspace $1.
SWITCHES = """
array(select tool from enabled_tools) as enabled,
  (select coalesce(json_agg(o), '[]') from tool_overrides o
    where o.scope <> 'team' or o.scope_id = $1) as overrides
"""

# One row per person and tool, so that two simultaneous runs can't both take the last call. `calls`
# holds the times of the calls within the last hour, oldest first.
_USE = """
insert into skill_call_meter as m (profile_id, tool, calls)
select $1, $2, array[now()] where $3 > 0
on conflict (profile_id, tool) do update set calls = array(
  select at from unnest(m.calls) as at where at > now() - interval '1 hour' order by at
) || now()
where (select count(*) from unnest(m.calls) as at where at > now() - interval '1 hour') < $3
returning true
"""
_FREE_AT = """
select coalesce((
  select at + interval '1 hour' from skill_call_meter m, unnest(m.calls) as at
  where m.profile_id = $1 and m.tool = $2 and at > now() - interval '1 hour'
  order by at desc offset greatest($3 - 1, 0) limit 1
), now() + interval '1 hour')
"""


async def read_switches(db: Database, team_id: str) -> Switches:
    """Return which tools are enabled and the admins' overrides for this workspace."""
    row = await fetch_one(db.pool, f"select {SWITCHES}", team_id)
    return switches_of(row["enabled"], row["overrides"])


def switches_of(enabled: Iterable[str], overrides: Iterable[dict[str, Any]]) -> Switches:
    """Build Switches from the `enabled` and `overrides` columns."""
    return Switches(frozenset(enabled), tuple(_override(one) for one in overrides))


def _override(row: dict[str, Any]) -> Override:
    tier: str | None = row["tier"]
    return Override.model_validate(row | {"tier": Tier[tier.upper()] if tier else None})


class CallMeter:
    """Counts a person's calls of rate-limited tools."""

    def __init__(self, db: Database, profile_id: UUID) -> None:
        self._db = db
        self._profile_id = profile_id

    async def use(self, tool: str, limit: Limit) -> datetime | None:
        """Count a call; returns None if it is allowed, else the time when the next one is.

        Times are the database's, in UTC. A limit for a client has a count of its own.
        """
        name = f"{tool}:{limit.client_id}" if limit.client_id else tool
        asked = (self._profile_id, name, limit.calls_per_hour)
        if await self._db.pool.fetchval(_USE, *asked):
            return None
        return await self._db.pool.fetchval(_FREE_AT, *asked)
