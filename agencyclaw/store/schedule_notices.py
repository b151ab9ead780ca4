"""What is said of a schedule besides its answers: that it was paused, skipped or not answered."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.schedules import Firing, Schedule
from agencyclaw.store.admin_notices import Recipient, notify, tell_admins
from agencyclaw.store.engine import Connection
from agencyclaw.store.events import record_event
from agencyclaw.store.homes import wake_home
from agencyclaw.store.schedules import schedule_of

_FAILED = """
update schedules set unsaid = unsaid + 1, failures = failures + 1, updated_at = now()
where id = $1 returning failures
"""
# Whether the owner, p, of a schedule, s, is one of the agency's people still.
IS_HERE = """
(p.employment_status <> 'inactive' and not exists (select from slack_members m
  where m.team_id = s.team_id and m.slack_user_id = p.slack_user_id and m.membership <> 'member'))
"""
_PAUSE = f"""
update schedules s set next_at = null, paused_because = $2, updated_at = now() from profiles p
where s.id = $1 and s.active and s.next_at is not null and p.id = s.person_id
returning s.*, case when {IS_HERE} then p.slack_user_id end as owner
"""  # noqa: S608
_OWNER = f"""
select s.team_id, p.slack_user_id from schedules s join profiles p on p.id = s.person_id
where s.id = $1 and p.slack_user_id is not null and {IS_HERE}
"""  # noqa: S608


async def pause(conn: Connection, schedule_id: UUID, why: str, *, planned: datetime) -> None:
    """Pause a schedule that can't go on, and let its owner and the admins know."""
    row = await conn.fetchrow(_PAUSE, schedule_id, why)
    if row is None:
        return
    text = message("schedules.paused_for_admins", words=row["words"], why=why)
    key = firing_key(schedule_id, planned)
    await tell_admins(conn, row["team_id"], f"{key}:paused", text, message("alerts.schedule"))
    if row["owner"]:
        timing = schedule_of(row).comes
        text = message("schedules.paused_because", words=row["words"], timing=timing, why=why)
        await notify(conn, f"{key}:told", Recipient(row["team_id"], row["owner"]), Note(text=text))
        await wake_home(conn, row["team_id"], row["owner"])
    payload = {"schedule_id": str(schedule_id), "why": why}
    await record_event(conn, "schedule_paused", actor=row["person_id"], payload=payload)


async def tell_unanswered(conn: Connection, firing: Firing, why: str, *, key: str) -> None:
    """Tell the owner, if they are still here, that what has ended was not answered, and why."""
    owner = await conn.fetchrow(_OWNER, firing.schedule_id)
    if owner:
        await notify(conn, key, Recipient(*owner), Note(text=unanswered_because(firing, why)))


def unanswered_because(firing: Firing, why: str) -> str:
    """Return what is said of a firing without an answer whose schedule does not come again."""
    words, then = firing.words, firing.schedule.then
    if then:
        return message("watches.ended_unprepared", words=words, then=then, why=why)
    timing = firing.schedule.comes
    return message("schedules.unanswered_because", words=words, timing=timing, why=why)


def unanswered(schedule: Schedule) -> str:
    """Return what is said of a question that does not come again and got no answer."""
    return message("schedules.unanswered", words=schedule.words, timing=schedule.comes)


async def failed(conn: Connection, firing: Firing) -> int:
    """Record that a firing failed, to be said in the next post; returns how many did in a row."""
    return await conn.fetchval(_FAILED, firing.schedule_id)


def firing_key(schedule_id: UUID, planned: datetime) -> str:
    """Return the key of one planned time, which fires once."""
    return f"schedule:{schedule_id}:{planned.isoformat()}"
