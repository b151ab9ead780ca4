"""Thread states in Slack: finds threads whose shown state is outdated, and records updates.

A thread's state is derived from receipts and proposals at the moment it is shown, so no update is
ever stale: a thread that changed three times is updated once, and one that is shown correctly is
left alone. One process at a time updates a thread, and only after a call of unknown outcome has
arrived or never will, so that the newest state is the last one shown.

Hot path: every message and press.
"""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import SessionState, SessionUpdate
from agencyclaw.store.engine import Database, Executor

# In one order, so that two transactions marking the same threads can't deadlock.
_MARK = """
insert into slack_sessions (team_id, channel_id, thread_ts, place, changed_at)
select team_id, channel_id, thread_ts, place, clock_timestamp()
from unnest($1::text[], $2::text[], $3::text[], $4::text[])
  as thread(team_id, channel_id, thread_ts, place)
order by channel_id, thread_ts
on conflict (team_id, channel_id, thread_ts) do update set changed_at = excluded.changed_at
"""

# First threads wrongly shown as busy, then those that wait for a reply, then those that began; the
# newest first.
_NEXT = """
with due as (
  select s.*, stands.as_it_is, case
      when s.shown is null then stands.as_it_is = 'active'
      else s.shown = stands.as_it_is
    end as is_shown
  from slack_sessions s, lateral (select case
      when exists (select 1 from slack_event_receipts r
        where r.lane = s.place and r.thread_ts = s.thread_ts and r.status = 'received'
          and r.event_type = 'message' and r.attempts > 0
          and coalesce(r.payload ->> 'addressed', 'us') = 'us') then 'processing'
      when exists (select 1 from proposals p
        where p.place = s.place and p.thread_ts = s.thread_ts
          and p.state = 'open' and p.expires_at > now()) then 'suspended'
      else 'active'
    end as as_it_is) as stands
  where s.team_id = $1 and s.changed_at is not null
    and (s.busy_until is null or s.busy_until < now())
  order by s.changed_at desc limit 500
), right_already as (
  update slack_sessions s set changed_at = null
  from due where due.is_shown and s.team_id = due.team_id and s.channel_id = due.channel_id
    and s.thread_ts = due.thread_ts and s.changed_at = due.changed_at
)
update slack_sessions s set shown = 'unclear', busy_until = now() + make_interval(secs => $2)
from (
  select * from due where not is_shown
  order by coalesce(shown, '') not in ('processing', 'unclear'), as_it_is <> 'suspended',
    changed_at desc
  limit 1
) as next left join lateral (
  select payload ->> 'text' as text, slack_user_id from slack_event_receipts r
  where r.channel_id = next.channel_id and r.thread_ts = next.thread_ts and r.team_id = $1
    and r.event_type = 'message' and coalesce(r.payload ->> 'addressed', 'us') = 'us'
  order by r.slack_ts limit 1
) as asked on true
where s.team_id = next.team_id and s.channel_id = next.channel_id
  and s.thread_ts = next.thread_ts and (s.busy_until is null or s.busy_until < now())
returning s.channel_id, s.thread_ts, s.place, s.changed_at, next.shown, next.as_it_is,
  extract(epoch from now() - next.changed_at)::float8 as waited_s,
  coalesce(asked.text, '') as title, coalesce(asked.slack_user_id, '') as initiator
"""

_AWAITED = """
select exists (select 1 from slack_event_receipts
  where lane = $1 and thread_ts = $2 and status = 'received' and event_type = 'message')
"""

_SHOWN = """
update slack_sessions set shown = $4, shown_at = now(), busy_until = null,
  changed_at = case when changed_at <> $5 then changed_at end
where team_id = $1 and channel_id = $2 and thread_ts = $3
"""

_NOT_SHOWN = """
update slack_sessions set shown = $4, busy_until = now() + make_interval(secs => $5)
where team_id = $1 and channel_id = $2 and thread_ts = $3
"""


class Sessions:
    """Reads and records how Slack shows the threads of a workspace."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def mark(self, places: Sequence[Place]) -> None:
        """Record that these threads may no longer be shown correctly."""
        await mark_sessions(self._db.pool, places)

    async def next(self, team_id: str, busy_s: float) -> SessionUpdate | None:
        """Return the thread that most needs an update; None if none does.

        No other process takes it within the next `busy_s` seconds.
        """
        row = await self._db.pool.fetchrow(_NEXT, team_id, busy_s)
        if row is None:
            return None
        place = Place(
            team_id=team_id,
            channel_id=row["channel_id"],
            thread_ts=row["thread_ts"],
            is_direct=not row["place"].endswith(f":{row['thread_ts']}"),
        )
        state = SessionState(row["as_it_is"])
        return SessionUpdate(
            place,
            state,
            row["shown"],
            row["changed_at"],
            row["waited_s"],
            row["title"],
            row["initiator"],
        )

    async def shown(self, showing: SessionUpdate, *, as_it_is: bool = True) -> None:
        """Record how Slack shows a thread; `as_it_is` is False if Slack shows nothing of it."""
        shown = showing.state.value if as_it_is else None
        await self._db.pool.execute(_SHOWN, *_key(showing), shown, showing.changed_at)

    async def not_shown(self, showing: SessionUpdate, after_s: float, *, is_certain: bool) -> None:
        """Retry later; if the call's outcome is unknown, it may still arrive until then."""
        before = showing.before if is_certain else "unclear"
        await self._db.pool.execute(_NOT_SHOWN, *_key(showing), before, after_s)

    async def is_awaited(self, place: Place) -> bool:
        """Return whether a message of a thread has not been handled yet."""
        return await self._db.pool.fetchval(_AWAITED, place.key, place.thread_ts)


async def mark_sessions(conn: Executor, places: Sequence[Place]) -> None:
    """Record that these threads may no longer be shown correctly."""
    rows = {(one.team_id, one.channel_id, one.thread_ts, one.key) for one in places}
    if rows:
        await conn.execute(_MARK, *map(list, zip(*rows, strict=True)))


def _key(showing: SessionUpdate) -> tuple[str, str, str]:
    place = showing.place
    return place.team_id, place.channel_id, place.thread_ts
