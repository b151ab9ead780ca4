"""What happens when a schedule is due: once, whoever rings and however often.

In one transaction a reminder's message, or a question's receipt with its job, is stored, the row
moves on to its next time, and the next ring is queued. A second ring finds nothing due, and the
receipt's key refuses the same planned time twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from agencyclaw.domain.clock import day_and_time, zone_named
from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import Incoming, Note, Receipt
from agencyclaw.domain.schedule_changes import RecurringQuestion
from agencyclaw.domain.schedules import LATE, LEAST, Firing, QuietHours, Schedule, Work
from agencyclaw.domain.text import counted
from agencyclaw.store.admin_notices import Recipient, notify
from agencyclaw.store.engine import Connection, Database, Record
from agencyclaw.store.events import record_event
from agencyclaw.store.firing_receipts import (
    TRIED,
    incoming_of,
    queue_unless_busy,
    queue_unless_enough,
)
from agencyclaw.store.homes import wake_home
from agencyclaw.store.proposals import open_proposal
from agencyclaw.store.receipts import keep_settled
from agencyclaw.store.schedule_notices import IS_HERE, firing_key, pause, unanswered
from agencyclaw.store.schedules import end_schedule, ring_at, schedule_of
from agencyclaw.store.watches import REPORTED

_CAME = "it was sent"
_LEFT = "its owner has left"
_RUN = "run"

_DUE = f"""
select s.*, coalesce($2, schedule_clock()) as now, p.slack_user_id,
  {IS_HERE} as is_here
from schedules s join profiles p on p.id = s.person_id
where s.id = $1 and s.active and s.next_at <= coalesce($2, schedule_clock()) for update of s
"""  # noqa: S608
_NOW = "select schedule_clock()"
_OWNER = """
select s.team_id, p.slack_user_id from schedules s join profiles p on p.id = s.person_id
where s.id = $1 and s.active and s.next_at <= schedule_clock() and p.slack_user_id is not null
"""
_TO_RUN = """
select s.*, schedule_clock() as now, p.slack_user_id
from schedules s join profiles p on p.id = s.person_id
where s.id = $1 and s.active and s.paused_because is null for update of s
"""
_RAN_LATELY = """
select exists (select from slack_event_receipts
  where event_type = 'firing' and lane = $1 and status = 'done' and reason is distinct from 'failed'
    and slack_ts::numeric between $2 and $3)
"""
_NEXT = """
update schedules set next_at = $2, unsaid = unsaid + $3, updated_at = now() where id = $1
"""
# What follows a schedule whose time of that day has been answered.
_FOLLOWERS = """
select s.*, schedule_clock() as now, p.slack_user_id
from schedules s join profiles p on p.id = s.person_id
where s.after_id = $1 and s.active and s.next_at > schedule_clock()
  and (s.next_at at time zone (s.timing ->> 'zone'))::date =
    ($2::timestamptz at time zone (s.timing ->> 'zone'))::date
order by s.id for update of s
"""
# Also one that has come for the last time, whose answer may be under way.
_FOLLOWED = "select * from schedules where id = $1 and (active or ended_because = $2)"
# One that came or found something for the last time has ended; one that a person ended or paused
# meanwhile is dropped.
_FIRING = """
select *, schedule_clock() as now from schedules
where id = $1 and (active and paused_because is null or ended_because = any($2))
"""
# Its posts since somebody wrote or pressed below one of them.
_UNHEARD = """
select count(*) from (
  select bool_or(exists (select from slack_event_receipts m
    where m.team_id = f.team_id and m.channel_id = f.channel_id and m.thread_ts = f.thread_ts
      and m.event_type <> 'firing')) over (order by f.id desc) as was_heard
  from slack_event_receipts f
  where f.lane = $1 and f.status = 'done' and f.reason is null and f.thread_ts <> ''
) as posts where not was_heard
"""
_SETTLED = """
update schedules set unsaid = greatest(unsaid - $2, 0), failures = 0, updated_at = now()
where id = $1
"""


@dataclass(frozen=True)
class Schedules:
    """Fires the schedules that are due; `clock` stands in for the database's."""

    db: Database
    quiet: QuietHours | None = None
    clock: Callable[[], datetime | None] = lambda: None

    async def ring(self, schedule_id: UUID) -> None:
        """Fire a schedule that is due, and move it on to its next time.

        Does nothing if it is not due: another ring fired it, or it has ended.
        """
        async with self.db.transaction() as conn:
            row = await conn.fetchrow(_DUE, schedule_id, self.clock())
            if row is None:
                return
            schedule, now = schedule_of(row), row["now"]
            if until := self._quiet_until(schedule, row["next_at"], now):
                await ring_at(conn, schedule_id, row["team_id"], until)
                return
            if not row["is_here"] or row["slack_user_id"] is None:
                await _owner_left(conn, row, schedule)
                return
            missed = schedule.timing.missed(row["next_at"], now)
            followed = await _followed(conn, row)
            if schedule.work is Work.REMIND:
                await _remind(conn, row, schedule, missed)
                missed = 0
            elif followed is not None:
                await _skip(conn, row, followed)
            else:
                missed = await _fire(conn, row, schedule, missed)
            await _move_on(conn, row, schedule, missed, now)

    async def owner(self, schedule_id: UUID) -> Recipient | None:
        """Return whose schedule it is; None if it is not due, or they have no account any more."""
        row = await self.db.pool.fetchrow(_OWNER, schedule_id)
        return Recipient(row["team_id"], row["slack_user_id"]) if row else None

    def _quiet_until(self, schedule: Schedule, planned: datetime, now: datetime) -> datetime | None:
        """Return when something late may come, if it would come in its owner's quiet hours."""
        if self.quiet is None or now - planned <= LATE:
            return None
        return self.quiet.end_of(now, schedule.timing)

    async def firing(self, receipt: Receipt) -> Firing | None:
        """Return what a receipt fires; None if the schedule ended or was paused meanwhile."""
        kind, row_id = receipt.incoming.key.split(":")[:2]
        if kind == TRIED:
            return await self._trial(UUID(row_id))
        schedule_id = UUID(row_id)
        row = await self.db.pool.fetchrow(_FIRING, schedule_id, (_CAME, REPORTED))
        if row is None:
            return None
        schedule = schedule_of(row)
        is_extra = kind == _RUN or schedule.work is Work.WATCH
        return Firing(
            schedule_id=schedule_id,
            schedule=schedule,
            unheard=await self.db.pool.fetchval(_UNHEARD, f"schedule:{schedule_id}"),
            planned=row["now"] if is_extra else _planned(receipt.incoming.key),
            now=row["now"],
            is_extra=is_extra,
            unsaid=row["unsaid"],
            failures=row["failures"],
            next_at=row["next_at"],
            found=receipt.incoming.found,
        )

    async def run_now(self, act: Incoming, schedule_id: UUID) -> str:
        """Have a question answered besides its times, once for a press; returns what to say."""
        async with self.db.transaction() as conn:
            receipt_id = await keep_settled(conn, act)
            row = await conn.fetchrow(_TO_RUN, schedule_id)
            if receipt_id is None or row is None:
                return ""
            schedule, key = schedule_of(row), f"{_RUN}:{schedule_id}:{receipt_id}"
            lately = ((row["now"] - LEAST).timestamp(), row["now"].timestamp())
            if await conn.fetchval(_RAN_LATELY, f"schedule:{schedule_id}", *lately):
                return message("schedules.ran_lately", words=schedule.words)
            if await queue_unless_busy(conn, row, incoming_of(row, schedule, key)):
                return message("schedules.runs_now", words=schedule.words)
            return message("schedules.runs_already")

    async def _trial(self, proposal_id: UUID) -> Firing | None:
        """Return the trial of a proposed question; None if its card is not wanted any more."""
        proposal = await open_proposal(self.db.pool, proposal_id)
        if proposal is None or not isinstance(proposal.effect, RecurringQuestion):
            return None
        now: datetime = await self.db.pool.fetchval(_NOW)
        return Firing(
            schedule_id=None,
            schedule=proposal.effect.schedule,
            planned=now,
            now=now,
            trial_of=proposal_id,
        )


async def _move_on(
    conn: Connection, row: Record, schedule: Schedule, missed: int, since: datetime
) -> None:
    following = schedule.timing.next_after(since)
    if following is None:
        if missed:
            # There is no next post that could say so.
            key = f"{firing_key(row['id'], row['next_at'])}:missed"
            await notify(conn, key, _owner(row), Note(text=unanswered(schedule)))
        await conn.execute(_NEXT, row["id"], None, missed)
        await _end(conn, row, _CAME)
        return
    await conn.execute(_NEXT, row["id"], following, missed)
    await ring_at(conn, row["id"], row["team_id"], following)


async def _fire(conn: Connection, row: Record, schedule: Schedule, missed: int = 0) -> int:
    """Store the receipt of a question that is due, with its job; returns how many were missed.

    This one is, while its last answer is under way, if it is late and comes again within the hour,
    or if its owner has had enough answers for a day.
    """
    now, planned = row["now"], row["next_at"]
    following = schedule.timing.next_after(max(now, planned))
    key, comes_again = firing_key(row["id"], planned), following and following - now < LEAST
    if comes_again or not await queue_unless_enough(conn, row, incoming_of(row, schedule, key)):
        missed += 1
    await _record(conn, "question_due", row, {"planned": planned.isoformat(), "missed": missed})
    return missed


async def fire_for_finding(
    conn: Connection, schedule_id: UUID, planned: datetime, found: str
) -> bool:
    """Have what its owner asked for prepared of what a watch found, once for the moment of a look.

    Returns False while the last is under way, or if its owner has had enough answers for a day.
    """
    row = await conn.fetchrow(_TO_RUN, schedule_id)
    if row is None:
        return False
    schedule = schedule_of(row)
    incoming = incoming_of(row, schedule, firing_key(schedule_id, planned)).model_copy(
        update={"text": schedule.then, "found": found}
    )
    return await queue_unless_enough(conn, row, incoming)


async def _remind(conn: Connection, row: Record, schedule: Schedule, missed: int) -> None:
    """Queue the message, below the reminder's own key; what was late or missed is said."""
    planned: datetime = row["next_at"]
    timing = schedule.timing
    lines = [message("reminders.reminder", words=schedule.words)]
    if row["now"] - planned > LATE:
        lines.append(message("reminders.planned_for", planned=day_and_time(planned, timing.zone)))
    if missed:
        lines.append(message("reminders.missed", times=counted(missed, "time")))
    again = timing.next_after(row["now"]) is not None
    footer = message("reminders.how_to_end", timing=timing) if again else ""
    key = f"reminder:{row['id']}:{planned.isoformat()}"
    await notify(conn, key, _owner(row), Note(text="\n".join(lines), footer=footer))
    await _record(conn, "reminder_sent", row, {"planned": planned.isoformat(), "missed": missed})


async def _followed(conn: Connection, row: Record) -> Schedule | None:
    """Return what a schedule follows; None if that has ended, unless it is of this day."""
    followed = await conn.fetchrow(_FOLLOWED, row["after_id"], _CAME)
    if followed is None:
        return None
    schedule = schedule_of(followed)
    if followed["active"]:
        return schedule
    # It has no next time because it has ended, not because it is paused.
    schedule = schedule.model_copy(update={"is_paused": False})
    return schedule if _is_of_this_day(schedule, row) else None


def _is_of_this_day(followed: Schedule, row: Record) -> bool:
    day = row["next_at"].astimezone(zone_named(followed.timing.zone)).date()
    return followed.timing.comes_on(day)


async def _skip(conn: Connection, row: Record, followed: Schedule) -> None:
    """Skip what has come before the one it follows was answered; said where that was due today."""
    if not followed.is_paused and _is_of_this_day(followed, row):
        text = message("schedules.skipped", words=row["words"], followed=followed.words)
        key = f"{firing_key(row['id'], row['next_at'])}:skipped"
        await notify(conn, key, _owner(row), Note(text=text, schedule=row["id"]))
    await _record(conn, "question_due", row, {"planned": row["next_at"].isoformat(), "skipped": 1})


async def _owner_left(conn: Connection, row: Record, schedule: Schedule) -> None:
    """End a reminder, which nobody else reads; pause a question, and let the admins know."""
    if schedule.work is Work.REMIND:
        await _end(conn, row, _LEFT)
        return
    await pause(conn, row["id"], _LEFT, planned=row["next_at"])


async def answered(conn: Connection, firing: Firing, *, has_posted: bool) -> None:
    """Record that a firing ended well, and fire what follows it.

    What was missed is said by now if it posted an answer.
    """
    await conn.execute(_SETTLED, firing.schedule_id, firing.unsaid if has_posted else 0)
    if firing.schedule_id and not firing.is_extra:
        await _fire_followers(conn, firing)


async def _fire_followers(conn: Connection, firing: Firing) -> None:
    """Fire each schedule that follows this one and is due later on the same day."""
    for row in await conn.fetch(_FOLLOWERS, firing.schedule_id, firing.planned):
        schedule = schedule_of(row)
        missed = await _fire(conn, row, schedule)
        await _move_on(conn, row, schedule, missed, row["next_at"])


async def _end(conn: Connection, row: Record, why: str) -> None:
    await end_schedule(conn, row["id"], why, None)
    await _record(conn, "reminder_ended", row, {"why": why})
    if row["slack_user_id"]:
        await wake_home(conn, row["team_id"], row["slack_user_id"])


async def _record(conn: Connection, event: str, row: Record, payload: dict[str, Any]) -> None:
    facts = {"reminder_id": str(row["id"]), **payload}
    await record_event(conn, event, actor=row["person_id"], payload=facts)


def _owner(row: Record) -> Recipient:
    return Recipient(row["team_id"], row["slack_user_id"])


def _planned(key: str) -> datetime:
    return datetime.fromisoformat(key.split(":", 2)[2])
