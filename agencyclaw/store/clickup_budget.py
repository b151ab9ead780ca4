"""The requests of a minute that all processes with the same ClickUp token share.

Hot path: one statement for every few requests to ClickUp.
"""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

import logfire

from agencyclaw.domain.request_budget import GRANT_KEPT_S, WINDOW_S, Grant
from agencyclaw.store.engine import AWAY, Database

# A grant may be used as late as it is kept, so it counts for as much longer.
_WINDOW = timedelta(seconds=WINDOW_S + GRANT_KEPT_S)
# The requests of a minute in so many grants: fewer statements than requests, and little is lost.
_GRANTS_A_MINUTE = 20

# One row per token, so that two processes can't both take the last grant.
_TAKE = """
insert into clickup_budgets as b (token, grants) values ($1, array[clock_timestamp()])
on conflict (token) do update set grants = array(
  select at from unnest(b.grants) as at where at > clock_timestamp() - $2::interval order by at
) || clock_timestamp()
where b.held_until <= clock_timestamp() and (
  select count(*) from unnest(b.grants) as at where at > clock_timestamp() - $2::interval) < $3
returning true
"""
_WAIT = """
select extract(epoch from greatest(held_until, (
  select at + $2::interval from unnest(grants) as at order by at desc offset $3 - 1 limit 1
)) - clock_timestamp())::float8 from clickup_budgets where token = $1
"""
_HOLD = """
insert into clickup_budgets as b (token, held_until)
values ($1, clock_timestamp() + $2::interval)
on conflict (token) do update set held_until = greatest(b.held_until, excluded.held_until)
"""


class ClickUpBudget:
    """The budget of one token; while the database is away, a process keeps to its own limit."""

    def __init__(self, db: Database, token: str, rate_per_minute: int) -> None:
        self._db = db
        self._token = sha256(token.encode()).hexdigest()
        self._requests = max(1, rate_per_minute // _GRANTS_A_MINUTE)
        self._grants = max(1, rate_per_minute // self._requests)

    async def take(self, *, is_write: bool) -> Grant:
        """Take a grant; a tenth of each minute is left for writes."""
        most = self._grants if is_write else self._grants - self._grants // 10
        asked = (self._token, _WINDOW, most)
        try:
            if await self._db.pool.fetchval(_TAKE, *asked):
                return Grant(self._requests)
            wait_s = await self._db.pool.fetchval(_WAIT, *asked)
        except AWAY as error:
            logfire.warn("clickup budget away", error=type(error).__name__)
            return Grant(1)
        return Grant(0, max(0.0, wait_s or 0.0))

    async def hold(self, seconds: float) -> None:
        """Let no process take a grant for so long."""
        try:
            await self._db.pool.execute(_HOLD, self._token, timedelta(seconds=seconds))
        except AWAY as error:
            logfire.warn("clickup budget away", error=type(error).__name__)
