"""What is said of a schedule besides its answers: that it was paused, skipped or not answered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.domain.schedules import Firing, Schedule
from agencyclaw.store.engine import Connection
from agencyclaw.store.events import record_event
from agencyclaw.store.outbox import post

_FAILED = """
update schedules set unsaid = unsaid + 1, failures = failures + 1, updated_at = now()
where id = $1 returning failures
"""
_PAUSE = """
update schedules set next_at = null, paused_because = $2, updated_at = now()
where id = $1 and active returning person_id, team_id, words
"""
_ADMINS = """
select slack_user_id from profiles
where is_admin and employment_status <> 'inactive' and slack_user_id is not null
order by slack_user_id
"""


async def pause(conn: Connection, schedule_id: UUID, why: str, *, planned: datetime) -> None:
    """Pause a schedule that can't go on, and let the admins know."""
    row = await conn.fetchrow(_PAUSE, schedule_id, why)
    if row is None:
        return
    note = Note(text=message("schedules.paused_for_admins", words=row["words"], why=why))
    for admin in await conn.fetch(_ADMINS):
        key = f"{firing_key(schedule_id, planned)}:paused:{admin['slack_user_id']}"
        await notify(conn, key, Recipient(row["team_id"], admin["slack_user_id"]), note)
    payload = {"schedule_id": str(schedule_id), "why": why}
    await record_event(conn, "schedule_paused", actor=row["person_id"], payload=payload)


@dataclass(frozen=True)
class Recipient:
    """Who gets a direct message."""

    team_id: str
    slack_user_id: str


async def notify(conn: Connection, key: str, recipient: Recipient, note: Note) -> None:
    """Queue a direct message, once for its key."""
    await post(
        conn,
        key=key,
        kind=OutboxKind.EPHEMERAL,
        place=Place.home_tab(recipient.team_id),
        note=note,
        slack_user_id=recipient.slack_user_id,
    )


def unanswered(schedule: Schedule) -> str:
    """Return what is said of a question that does not come again and got no answer."""
    return message("schedules.unanswered", words=schedule.words, timing=schedule.timing)


async def failed(conn: Connection, firing: Firing) -> int:
    """Record that a firing failed, to be said in the next post; returns how many did in a row."""
    return await conn.fetchval(_FAILED, firing.schedule_id)


def firing_key(schedule_id: UUID, planned: datetime) -> str:
    """Return the key of one planned time, which fires once."""
    return f"schedule:{schedule_id}:{planned.isoformat()}"
