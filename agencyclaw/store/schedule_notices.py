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
from agencyclaw.store.schedules import schedule_of

_FAILED = """
update schedules set unsaid = unsaid + 1, failures = failures + 1, updated_at = now()
where id = $1 returning failures
"""
_PAUSE = """
update schedules s set next_at = null, paused_because = $2, updated_at = now() from profiles p
where s.id = $1 and s.active and s.next_at is not null and p.id = s.person_id
returning s.*, case when p.employment_status <> 'inactive' then p.slack_user_id end as owner
"""


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
    payload = {"schedule_id": str(schedule_id), "why": why}
    await record_event(conn, "schedule_paused", actor=row["person_id"], payload=payload)


def unanswered(schedule: Schedule) -> str:
    """Return what is said of a question that does not come again and got no answer."""
    return message("schedules.unanswered", words=schedule.words, timing=schedule.comes)


async def failed(conn: Connection, firing: Firing) -> int:
    """Record that a firing failed, to be said in the next post; returns how many did in a row."""
    return await conn.fetchval(_FAILED, firing.schedule_id)


def firing_key(schedule_id: UUID, planned: datetime) -> str:
    """Return the key of one planned time, which fires once."""
    return f"schedule:{schedule_id}:{planned.isoformat()}"
