"""Keeps schedules: reminders and recurring questions. `store/firings.py` has what happens when due.

The row says when a schedule comes next, and a delayed job only rings. One that is active and has no
next time is paused.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.records import NotWritten
from agencyclaw.domain.schedule_adjustments import ChangeTiming
from agencyclaw.domain.schedule_changes import (
    EndSchedule,
    RecurringQuestion,
    ScheduleChange,
    SetSchedule,
)
from agencyclaw.domain.schedules import OwnedSchedule, Schedule, StoredSchedule, Work
from agencyclaw.domain.watches import Watch
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection, Executor, Record
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.person_names import FULL_NAME

_OF_PERSON = """
select * from schedules
where person_id = $1 and active order by next_at, id
"""
_OF_OTHERS = f"""
select s.*, {FULL_NAME} as owner
from schedules s join profiles p on p.id = s.person_id
where s.team_id = $1 and s.person_id <> $2 and s.active and s.work <> 'remind'
order by owner, s.next_at, s.id
"""  # noqa: S608
_HELD = """
select * from schedules where id = $1 and person_id = $2 and active for update
"""
_SAME = """
select * from schedules
where person_id = $1 and work = $2 and active and lower(words) = lower($3)
"""
_TRIED = """
select exists (select from slack_event_receipts
  where team_id = $1 and slack_user_id = $2 and channel_id = $3 and payload ->> 'text' = $4
    and event_type = 'firing' and lane like 'trial:%' and status = 'done'
    and reason is distinct from 'failed' and received_at > now() - interval '1 day')
"""
_SET = """
insert into schedules (person_id, team_id, words, timing, work, channel_id, is_in_channel, watch,
  client_id, after_id, next_at, created_by, updated_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12) returning id
"""
_RESTORE = """
update schedules set active = true, ended_because = null, next_at = $3, updated_by = $4,
  updated_at = now()
where id = $1 and person_id = $2 and not active returning id
"""
_ADJUST = """
update schedules set timing = $2, next_at = $3, failures = 0,
  paused_because = case when $3::timestamptz is null then 'paused' end, updated_by = $4,
  updated_at = now()
where id = $1 and active returning id
"""
# What follows another begins after what that one has begun already.
_SINCE = """
select greatest(schedule_clock(), (select next_at from schedules where id = $1 and active))
"""
# Jobs are due by the server's own time.
_ON_OUR_CLOCK = "select $1::timestamptz - (schedule_clock() - clock_timestamp())"
_END = """
update schedules set active = false, next_at = null, ended_because = $2, updated_by = $3,
  updated_at = now()
where id = $1 and active returning id
"""


class ScheduleRecord:
    """A schedule within the caller's transaction."""

    def __init__(self, conn: Connection, effect: ScheduleChange) -> None:
        self._conn, self._effect = conn, effect

    async def read(self) -> Schedule | None:
        """Lock and return the schedule to be changed, or what is set already: equal or too near."""
        effect, person_id = self._effect, self._effect.person.id
        if isinstance(effect, EndSchedule | ChangeTiming):
            row = await self._conn.fetchrow(_HELD, effect.schedule_id, person_id)
            return schedule_of(row) if row else None
        # Else the same schedule could be set twice.
        await lock_until_commit(self._conn, LockKind.SCHEDULES, str(person_id))
        new = effect.schedule
        rows = await self._conn.fetch(_SAME, person_id, new.work, new.words)
        since: datetime = await self._conn.fetchval(_SINCE, None)
        kept = [schedule_of(row) for row in rows]
        same = [one for one in kept if one.pattern == new.pattern]
        near = (one for one in kept if one.is_too_near(new, since))
        return next(iter(same), next(near, None))

    async def write(self, now: Schedule | None, proposal: Proposal) -> str | NotWritten | None:
        """End, change or set it, with the job that rings; None if its time has passed."""
        _ = now
        effect, by = self._effect, proposal.confirmed_by
        if isinstance(effect, EndSchedule):
            ended = await end_schedule(self._conn, effect.schedule_id, "ended", by)
            return str(effect.schedule_id) if ended else None
        if not await self._is_tried(proposal):
            return NotWritten(message("schedules.untried"), "untried")
        after = effect.after if isinstance(effect, ChangeTiming) else effect.schedule
        moment: datetime = await self._conn.fetchval(_SINCE, after.after_id)
        following = None if after.is_paused else after.timing.next_after(moment)
        if following is None and not after.is_paused:
            return None
        if isinstance(effect, ChangeTiming):
            kept = await self._conn.fetchval(
                _ADJUST, effect.schedule_id, _stored(after), following, by
            )
        else:
            kept = await self._set(effect, following, proposal)
        if kept and following and after.work is not Work.WATCH:
            await ring_at(self._conn, kept, proposal.place.team_id, following)
        return str(kept) if kept else None

    async def _is_tried(self, proposal: Proposal) -> bool:
        """Return whether exactly this question was tried for who asks it, if it is a new one."""
        effect = self._effect
        if not isinstance(effect, RecurringQuestion) or effect.schedule_id:
            return True
        place = proposal.place
        asked = (place.team_id, proposal.actor_slack_user_id, place.channel_id)
        return await self._conn.fetchval(_TRIED, *asked, effect.schedule.words)

    async def _set(
        self, effect: ScheduleChange, following: datetime | None, proposal: Proposal
    ) -> UUID:
        person_id, new = effect.person.id, effect.schedule
        by, team_id = proposal.confirmed_by, proposal.place.team_id
        former = effect.schedule_id if isinstance(effect, SetSchedule) else None
        restored = await self._conn.fetchval(_RESTORE, former, person_id, following, by)
        where = (new.work, new.channel_id, new.is_in_channel, *_watched(new), new.after_id)
        values = (person_id, team_id, new.words, _stored(new), *where, following, by)
        return restored or await self._conn.fetchval(_SET, *values)


async def schedules_of(conn: Executor, profile_id: UUID) -> list[StoredSchedule]:
    """Return a person's schedules, the next one first and paused ones last."""
    return [
        StoredSchedule(**dict(schedule_of(row)), id=row["id"], next_at=row["next_at"])
        for row in await conn.fetch(_OF_PERSON, profile_id)
    ]


async def schedules_of_others(
    conn: Executor, team_id: str, profile_id: UUID
) -> list[OwnedSchedule]:
    """Return everybody else's recurring questions and watches, for admins."""
    rows = await conn.fetch(_OF_OTHERS, team_id, profile_id)
    return [
        OwnedSchedule(
            **dict(schedule_of(row)),
            id=row["id"],
            next_at=row["next_at"],
            owner=Named(id=row["person_id"], name=row["owner"]),
        )
        for row in rows
    ]


async def end_schedule(conn: Connection, schedule_id: UUID, why: str, by: UUID | None) -> bool:
    """End a schedule; False if it has ended already."""
    return await conn.fetchval(_END, schedule_id, why, by) is not None


async def ring_at(conn: Connection, schedule_id: UUID, team_id: str, at: datetime) -> None:
    """Queue the job that rings; its names are those of the previous version, which rings too."""
    args = {"reminder_id": str(schedule_id)}
    at = await conn.fetchval(_ON_OUR_CLOCK, at)
    await defer(conn, "remind", args, queue=queue_of(team_id), at=at)


def schedule_of(row: Record) -> Schedule:
    """Build a schedule from a row of its table."""
    return Schedule(
        words=row["words"],
        timing=row["timing"],
        work=row["work"],
        channel_id=row["channel_id"],
        is_in_channel=row["is_in_channel"],
        is_paused=row["next_at"] is None,
        watch=Watch.model_validate(row["watch"]) if row["watch"] else None,
        after_id=row["after_id"],
    )


def _watched(schedule: Schedule) -> tuple[dict[str, Any], UUID | None]:
    watch = schedule.watch
    if watch is None:
        return {}, None
    # A process of the previous version refuses the field.
    unset = set[str]() if watch.then else {"then"}
    stored = watch.model_dump(mode="json", exclude=unset)
    return stored, watch.client.id if watch.client else None


def _stored(schedule: Schedule) -> dict[str, Any]:
    return schedule.timing.model_dump(mode="json")
