"""Jobs of the lane engine, put into the queue inside the transaction that makes them due."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from agencyclaw.store.engine import Connection

# What nobody should wait for behind conversations: presses, effects, deliveries, upkeep.
WORK = "work"
# Messages; and those of a person who has several conversations under way already.
TURNS = "turns"
CROWD = "crowd"
TERMINAL = "terminal"
# The debug chat: a terminal from which nothing is changed.
DEBUG = "debug"

DEFER = """
select procrastinate_defer_jobs_v1(array[
  row($1, $2, 0, $3, null, $4::jsonb, $5::timestamptz)::procrastinate_job_to_defer_v1
])
"""


def queue_of(team_id: str) -> str:
    """Return the queue of a workspace; a terminal's work is done by the terminal's own process."""
    return TERMINAL if is_local(team_id) else WORK


def turn_queues_of(team_id: str) -> tuple[str, str]:
    """Return the queue of a workspace's messages, and the one of those that wait with the crowd."""
    return (TERMINAL, TERMINAL) if is_local(team_id) else (TURNS, CROWD)


def is_local(team_id: str) -> bool:
    """Return whether answers are read from the outbox by who asked, instead of being delivered."""
    return team_id in (TERMINAL, DEBUG)


async def defer(
    conn: Connection,
    task: str,
    args: dict[str, Any],
    *,
    queue: str = WORK,
    lock: str | None = None,
    at: datetime | None = None,
) -> None:
    """Put a job into the queue; part of the caller's transaction. A delayed job takes no lock."""
    await conn.execute(DEFER, queue, task, lock, args, at)


async def defer_delivery(conn: Connection, outbox_id: UUID, team_id: str, place_key: str) -> None:
    """Queue one delivery; deliveries of one place keep their order."""
    if not is_local(team_id):
        await defer(conn, "deliver", {"outbox_id": str(outbox_id)}, lock=f"out:{place_key}")


async def defer_in(
    conn: Connection,
    task: str,
    args: dict[str, Any],
    *,
    seconds: float,
    queue: str = WORK,
    lock: str | None = None,
) -> None:
    """Queue a job for later, by the database's clock; part of the caller's transaction.

    A lock is its own and no lane's: a job that waits holds up whatever else carries the lock.
    """
    at: datetime = await conn.fetchval("select now() + make_interval(secs => $1)", seconds)
    await defer(conn, task, args, queue=queue, lock=lock, at=at)
