"""Keeps reminders, and sends each one that is due: once, whoever rings and however often.

The row says when a reminder comes next. A delayed job only rings: in one transaction the message is
queued, the row moves on to its next time, and the next job is queued.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from agencyclaw.domain.clock import day_and_time
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.domain.reminders import LATE, EndReminder, ReminderChange
from agencyclaw.domain.schedules import Reminder, StoredReminder
from agencyclaw.domain.text import counted
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.engine import Connection, Database, Executor, Record
from agencyclaw.store.events import record_event
from agencyclaw.store.homes import wake_home
from agencyclaw.store.jobs import defer, queue_of
from agencyclaw.store.outbox import post

_OF_PERSON = """
select id, words, timing, next_at from reminders
where person_id = $1 and active and next_at is not null order by next_at, id
"""
_HELD = "select words, timing from reminders where id = $1 and person_id = $2 and active for update"
_SAME = """
select words, timing from reminders where person_id = $1 and active and lower(words) = lower($2)
"""
_SET = """
insert into reminders (person_id, team_id, words, timing, next_at, created_by, updated_by)
values ($1, $2, $3, $4, $5, $6, $6) returning id
"""
_RESTORE = """
update reminders set active = true, ended_because = null, next_at = $3, updated_by = $4,
  updated_at = now()
where id = $1 and person_id = $2 and not active returning id
"""
_END = """
update reminders set active = false, next_at = null, ended_because = $2, updated_by = $3,
  updated_at = now()
where id = $1 and active returning id
"""
_DUE = """
select r.id, r.person_id, r.team_id, r.words, r.timing, r.next_at, clock_timestamp() as now,
  p.slack_user_id, p.employment_status <> 'inactive'
    and coalesce(m.membership, 'member') = 'member' as is_here
from reminders r join profiles p on p.id = r.person_id
left join slack_members m on m.team_id = r.team_id and m.slack_user_id = p.slack_user_id
where r.id = $1 and r.active and r.next_at <= clock_timestamp() for update of r
"""
_NEXT = "update reminders set next_at = $2, updated_at = now() where id = $1"


class ReminderRecord:
    """A reminder within the caller's transaction."""

    def __init__(self, conn: Connection, effect: ReminderChange) -> None:
        self._conn, self._effect = conn, effect

    async def read(self) -> Reminder | None:
        """Lock and return the reminder to be ended, or an equal one that is set already."""
        effect, person_id = self._effect, self._effect.person.id
        if isinstance(effect, EndReminder):
            row = await self._conn.fetchrow(_HELD, effect.reminder_id, person_id)
        else:
            # Else the same reminder could be set twice.
            await lock_until_commit(self._conn, LockKind.REMINDERS, str(person_id))
            rows = await self._conn.fetch(_SAME, person_id, effect.reminder.words)
            pattern = effect.reminder.timing.pattern
            same = (one for one in rows if _reminder(one).timing.pattern == pattern)
            row = next(same, None)
        return _reminder(row) if row else None

    async def write(self, now: Reminder | None, proposal: Proposal) -> str | None:
        """End it, or set it with the job that rings; None if its time has passed."""
        _ = now
        effect, by = self._effect, proposal.confirmed_by
        if isinstance(effect, EndReminder):
            ended = await self._conn.fetchval(_END, effect.reminder_id, "ended", by)
            return str(ended) if ended else None
        moment: datetime = await self._conn.fetchval("select clock_timestamp()")
        following = effect.reminder.timing.next_after(moment)
        if following is None:
            return None
        kept = await self._set(following, proposal)
        await _ring_at(self._conn, kept, proposal.place.team_id, following)
        return str(kept)

    async def _set(self, following: datetime, proposal: Proposal) -> UUID:
        person_id, wanted = self._effect.person.id, self._effect.reminder
        by, team_id = proposal.confirmed_by, proposal.place.team_id
        former = getattr(self._effect, "reminder_id", None)
        restored = await self._conn.fetchval(_RESTORE, former, person_id, following, by)
        timing = wanted.timing.model_dump(mode="json")
        values = (person_id, team_id, wanted.words, timing, following, by)
        return restored or await self._conn.fetchval(_SET, *values)


async def reminders_of(conn: Executor, profile_id: UUID) -> list[StoredReminder]:
    """Return a person's reminders, the next one first."""
    return [StoredReminder(**row) for row in await conn.fetch(_OF_PERSON, profile_id)]


class Reminders:
    """Sends the reminders that are due."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def ring(self, reminder_id: UUID) -> None:
        """Send a reminder that is due, and move it on to its next time.

        Does nothing if it is not due: another ring sent it, or it has ended.
        """
        async with self._db.transaction() as conn:
            row = await conn.fetchrow(_DUE, reminder_id)
            if row is None:
                return
            if not row["is_here"] or row["slack_user_id"] is None:
                await _end(conn, row, "its owner has left")
                return
            await _send(conn, row)
            following = _reminder(row).timing.next_after(row["now"])
            if following is None:
                await _end(conn, row, "it was sent")
                return
            await conn.execute(_NEXT, reminder_id, following)
            await _ring_at(conn, reminder_id, row["team_id"], following)


async def _send(conn: Connection, row: Record) -> None:
    """Queue the message, below the reminder's own key; what was late or missed is said."""
    planned: datetime = row["next_at"]
    reminder = _reminder(row)
    timing, missed = reminder.timing, reminder.timing.missed(planned, row["now"])
    lines = [message("reminders.reminder", words=reminder.words)]
    if row["now"] - planned > LATE:
        lines.append(message("reminders.planned_for", planned=day_and_time(planned, timing.zone)))
    if missed:
        lines.append(message("reminders.missed", times=counted(missed, "time")))
    again = timing.next_after(row["now"]) is not None
    footer = message("reminders.how_to_end", timing=timing) if again else ""
    await post(
        conn,
        key=f"reminder:{row['id']}:{planned.isoformat()}",
        kind=OutboxKind.EPHEMERAL,
        place=Place.home_tab(row["team_id"]),
        note=Note(text="\n".join(lines), footer=footer),
        slack_user_id=row["slack_user_id"],
    )
    await _record(conn, "reminder_sent", row, {"planned": planned.isoformat(), "missed": missed})


async def _end(conn: Connection, row: Record, why: str) -> None:
    await conn.execute(_END, row["id"], why, None)
    await _record(conn, "reminder_ended", row, {"why": why})
    if row["slack_user_id"]:
        await wake_home(conn, row["team_id"], row["slack_user_id"])


async def _record(conn: Connection, event: str, row: Record, payload: dict[str, Any]) -> None:
    facts = {"reminder_id": str(row["id"]), **payload}
    await record_event(conn, event, actor=row["person_id"], payload=facts)


async def _ring_at(conn: Connection, reminder_id: UUID, team_id: str, at: datetime) -> None:
    args = {"reminder_id": str(reminder_id)}
    await defer(conn, "remind", args, queue=queue_of(team_id), at=at)


def _reminder(row: Record) -> Reminder:
    return Reminder(words=row["words"], timing=row["timing"])
