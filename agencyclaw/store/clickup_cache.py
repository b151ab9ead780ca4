"""The task lists that processes of one ClickUp token read within the last minutes.

A list says how old it is, and counts only if it was read after everything we changed.
"""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

import logfire
from pydantic import ValidationError

from agencyclaw.domain.tasks import TaskRead
from agencyclaw.store.engine import AWAY, Database

KEPT = timedelta(minutes=5)
# A change may take as long as its request is tried, and ClickUp's lists show it a little later.
_UNDER_WAY = timedelta(seconds=120)

_FIND = """
select r.tasks, r.read_at from clickup_reads r left join clickup_budgets b using (token)
where r.token = $1 and r.key = $2 and r.read_at > clock_timestamp() - $3::interval
  and (b.token is null or r.read_at > b.reads_from)
"""
# Who keeps another list that was too old waits for nobody: two could wait for each other.
_KEEP = """
with outdated as (delete from clickup_reads where (token, key) in (
  select token, key from clickup_reads where read_at < clock_timestamp() - $5::interval
  for update skip locked
))
insert into clickup_reads as r (token, key, read_at, tasks)
values ($1, $2, clock_timestamp() - $3::interval, $4)
on conflict (token, key) do update set read_at = excluded.read_at, tasks = excluded.tasks
where r.read_at < excluded.read_at
"""
_DROP = """
insert into clickup_budgets as b (token, reads_from)
values ($1, clock_timestamp() + $2::interval)
on conflict (token) do update set reads_from = greatest(b.reads_from, excluded.reads_from)
"""


class ClickUpCache:
    """The lists of one token; while the database is away, everything is read from ClickUp."""

    def __init__(self, db: Database, token: str) -> None:
        self._db = db
        self._token = sha256(token.encode()).hexdigest()

    async def find(self, key: str) -> TaskRead | None:
        """Return what was read under a key, unless it is too old or something changed since."""
        try:
            row = await self._db.pool.fetchrow(_FIND, self._token, key, KEPT)
        except AWAY as error:
            logfire.warn("clickup cache away", error=type(error).__name__)
            return None
        if row is None:
            return None
        try:
            read = TaskRead.model_validate_json(row["tasks"])
        except ValidationError:  # another version kept it
            return None
        # Readers tell its age by the clock of schedules, which a demo moves.
        return read.model_copy(update={"as_of": row["read_at"] + self._db.ahead})

    async def keep(self, key: str, read: TaskRead, took_s: float) -> None:
        """Keep what was just read: it is as old as the beginning of the reading."""
        took = timedelta(seconds=took_s)
        try:
            await self._db.pool.execute(_KEEP, self._token, key, took, read.model_dump_json(), KEPT)
        except AWAY as error:
            logfire.warn("clickup cache away", error=type(error).__name__)

    async def drop(self) -> None:
        """Let nothing count that is read before a change that begins now is over."""
        try:
            await self._db.pool.execute(_DROP, self._token, _UNDER_WAY)
        except AWAY as error:
            logfire.warn("clickup cache away", error=type(error).__name__)
