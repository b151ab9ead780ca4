"""Puts jobs into the queue, inside the transaction that makes them due.

Hot path: every message, press and delivery.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from agencyclaw.store.engine import Connection, Database

# Presses, effects and deliveries, which must not wait behind conversations.
WORK = "work"
# Messages, and messages of a person who has several conversations in progress.
TURNS = "turns"
OVERFLOW = "crowd"
# Messages that go on beside everything else, for as long as they take.
BACKGROUND = "background"
# Maintenance that one process does for the whole database.
SHARED = "house"
TERMINAL = "terminal"
# The debug chat: a terminal that can't change anything.
DEBUG = "debug"


_DEFER = """
select procrastinate_defer_jobs_v1(array[
  row($1, $2, 0, $3, null, $4::jsonb,
    coalesce($5::timestamptz, now() + make_interval(secs => $6)))::procrastinate_job_to_defer_v1
])
"""

# A schedule whose job was lost: with a dump that was restored, or to a process of an older version.
# Where the clock was moved ahead ($3), the jobs that were queued before come too late.
_QUEUE_SCHEDULES = """
select procrastinate_defer_jobs_v1(array_agg(
  row($2, 'remind', 0, null, null, jsonb_build_object('reminder_id', r.id), null)
    ::procrastinate_job_to_defer_v1))
from schedules r
where r.active and r.team_id = $1 and r.next_at < schedule_clock() - interval '1 minute'
  and r.work <> 'watch' and not exists (
  select from procrastinate_jobs j where j.task_name = 'remind' and j.status in ('todo', 'doing')
    and j.args ->> 'reminder_id' = r.id::text
    and (j.scheduled_at is null or j.scheduled_at <= now() or not $3))
having count(*) > 0
"""


# A firing whose job was lost in the same way.
_QUEUE_FIRINGS = """
select procrastinate_defer_jobs_v1(array_agg(
  row($2, 'fire', 0, null, null, jsonb_build_object('receipt_id', r.id), null)
    ::procrastinate_job_to_defer_v1))
from slack_event_receipts r
where r.status = 'received' and r.event_type = 'firing' and r.team_id = $1
  and r.received_at < now() - interval '1 minute' and not exists (
    select from procrastinate_jobs j where j.task_name = 'fire' and j.status in ('todo', 'doing')
      and (j.args ->> 'receipt_id')::bigint = r.id)
having count(*) > 0
"""


def queue_of(team_id: str) -> str:
    """Return the queue of a workspace's presses, effects and deliveries."""
    return _queue(WORK, team_id)


def turn_queues_of(team_id: str) -> tuple[str, str]:
    """Return the queue of a workspace's messages, and its overflow queue."""
    return _queue(TURNS, team_id), _queue(OVERFLOW, team_id)


def background_queue_of(team_id: str) -> str:
    """Return the queue of a workspace's work in the background."""
    return _queue(BACKGROUND, team_id)


def queues_of(team_id: str) -> list[str]:
    """Return the queues a process serves: those of its workspace and no other."""
    queues = [queue_of(team_id), *turn_queues_of(team_id), background_queue_of(team_id)]
    return [TERMINAL] if is_local(team_id) else [*queues, SHARED]


def _queue(kind: str, team_id: str) -> str:
    """Return a queue of a workspace; a terminal's own process serves the terminal's only one."""
    return TERMINAL if is_local(team_id) else f"{kind}:{team_id}"


async def requeue_lost_jobs(db: Database, team_id: str) -> None:
    """Queue the lost jobs of a workspace's schedules and firings again."""
    if not is_local(team_id):
        await db.pool.execute(_QUEUE_SCHEDULES, team_id, queue_of(team_id), db.ahead > timedelta())
        await db.pool.execute(_QUEUE_FIRINGS, team_id, turn_queues_of(team_id)[1])


def is_local(team_id: str) -> bool:
    """Return whether answers are read from the outbox instead of being delivered to Slack."""
    return team_id in (TERMINAL, DEBUG)


async def defer(
    conn: Connection,
    task: str,
    args: dict[str, Any],
    *,
    queue: str,
    lock: str | None = None,
    at: datetime | None = None,
    seconds: float | None = None,
) -> None:
    """Queue a job inside the caller's transaction: for now, for a moment, or in some seconds.

    A delayed job must not take a lane's lock: it would hold up everything with the same lock.
    """
    await conn.execute(_DEFER, queue, task, lock, args, at, seconds)


async def defer_delivery(conn: Connection, outbox_id: UUID, team_id: str, place_key: str) -> None:
    """Queue one delivery; deliveries to one place keep their order."""
    if not is_local(team_id):
        args, lock = {"outbox_id": str(outbox_id)}, f"out:{place_key}"
        await defer(conn, "deliver", args, queue=queue_of(team_id), lock=lock)
