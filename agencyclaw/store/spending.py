"""Adds up what answers have cost since the month began."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.spending import CostCaps, Spent, WorkspaceSpent
from agencyclaw.store.engine import Database, fetch_one

# Sub-agents' runs carry the schedule, too. A month is that of the database's clock.
_SPENT = """
select to_char(now(), 'YYYY-MM') as month,
  coalesce(sum(u.cost_usd) filter (where r.schedule_id = $3), 0)::float8 as schedule,
  coalesce(sum(u.cost_usd) filter (where u.user_id = $2), 0)::float8 as person,
  coalesce(sum(u.cost_usd), 0)::float8 as workspace
from ai_token_usage u left join agent_runs r on r.id = u.run_id
where u.created_at >= date_trunc('month', now()) and coalesce(u.team_id, r.team_id) = $1
"""
_WORKSPACES = """
with spent as (
  select coalesce(u.team_id, r.team_id) as team_id, u.user_id, sum(u.cost_usd) as cost_usd,
    sum(u.total_tokens) filter (where u.cost_usd is null) as unpriced
  from ai_token_usage u left join agent_runs r on r.id = u.run_id
  where u.created_at >= date_trunc('month', now()) group by 1, 2
)
select team_id, coalesce(sum(cost_usd), 0)::float8 as cost_usd,
  coalesce(sum(unpriced), 0)::bigint as unpriced,
  count(*) filter (where $1 > 0 and cost_usd >= $1) as people_at_limit
from spent where team_id is not null group by team_id order by team_id
"""


async def spent_this_month(
    db: Database, team_id: str, profile_id: UUID, schedule_id: UUID | None = None
) -> Spent:
    """Return what a workspace, a person of it and a schedule have spent this month."""
    return Spent(**await fetch_one(db.pool, _SPENT, team_id, profile_id, schedule_id))


async def spent_by_workspace(db: Database, caps: CostCaps) -> list[WorkspaceSpent]:
    """Return what each workspace has spent this month."""
    return [WorkspaceSpent(**row) for row in await db.pool.fetch(_WORKSPACES, caps.person)]
