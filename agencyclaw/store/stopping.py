"""Ends the message in progress when somebody presses Stop, with everything it had begun.

Hot path: every answer looks whether it was stopped.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind, Receipt
from agencyclaw.domain.runs import RunStatus
from agencyclaw.store.engine import Connection, Database, Executor, Record
from agencyclaw.store.outbox import post, post_answer
from agencyclaw.store.proposals import drop_drafts
from agencyclaw.store.receipts import place_in, receipt_of
from agencyclaw.store.runs import end_runs

STOPPED = "stopped"

# What it had suspended stays so for the caller, who cancels what the person revised. What goes on
# in the background is stopped after everything else, also before it has begun.
_STOP = """
update slack_event_receipts set status = 'done', reason = 'stopped', processed_at = now()
where id = (
  select id from slack_event_receipts
  where status = 'received' and event_type = 'message'
    and (lane = $1 and attempts > 0 or starts_with(lane, 'background:' || $1 || ':'))
    and ($2::text is null or thread_ts = $2) and ($3::text is null or slack_user_id = $3)
  order by lane = $1 desc, slack_ts, id limit 1 for update)
returning *
"""

_STOP_THIS = """
update slack_event_receipts set status = 'done', reason = 'stopped', processed_at = now()
where id = $1 and status = 'received' returning *
"""

_STREAMED_TEXT = """
select stream_text from outbox where key = 'answer:' || $1::bigint and state = 'streaming'
"""

_WAS_STOPPED = """
select id from slack_event_receipts where id = any($1) and status = 'done' and reason = 'stopped'
"""

_WAITING = """
select distinct on (ahead.id) ahead.id as ahead, w.team_id, w.channel_id, w.thread_ts, w.is_direct,
  w.slack_user_id, w.slack_user_id = ahead.slack_user_id as is_own
from slack_event_receipts ahead join slack_event_receipts w
  on w.lane = ahead.lane and w.status = 'received' and w.event_type = 'message'
  and w.attempts = 0 and w.id <> ahead.id and coalesce(w.payload ->> 'addressed', 'us') = 'us'
where ahead.id = any($1) and ahead.status = 'received'
order by ahead.id, w.slack_ts
"""


@dataclass(frozen=True)
class QueuedMessage:
    """A message that waits behind another one of its lane, which may be somebody else's."""

    ahead: int
    place: Place
    slack_user_id: str
    is_own: bool


async def stop_message(
    conn: Connection, lane: str, *, thread_ts: str | None = None, slack_user_id: str | None = None
) -> Receipt | None:
    """End the message in progress with its run and drafts; None if there is none."""
    return await end_begun(conn, await conn.fetchrow(_STOP, lane, thread_ts, slack_user_id))


async def stop_background(conn: Connection, receipt_id: int) -> Receipt | None:
    """End a message that goes on in the background; None if it has ended."""
    return await end_begun(conn, await conn.fetchrow(_STOP_THIS, receipt_id))


async def end_begun(conn: Connection, row: Record | None, reason: str = STOPPED) -> Receipt | None:
    """End what a message that was just closed had begun: its runs and drafts."""
    ended = receipt_of(row)
    if ended is not None:
        await _end_begun(conn, ended.id, reason)
    return ended


async def _end_begun(conn: Executor, receipt_id: int, reason: str) -> None:
    await end_runs(conn, receipt_id, RunStatus.CANCELLED, reason)
    await drop_drafts(conn, receipt_id)


async def say_stopped(conn: Connection, stopped: Receipt, words: str) -> None:
    """Say so under the message; the part of its answer that was shown stays."""
    written: str = await conn.fetchval(_STREAMED_TEXT, stopped.id) or ""
    note = Note(text=written, footer=words) if written.strip() else Note(text=words)
    await post_answer(conn, stopped, note)


class QueueReader:
    """Reads the queue for whoever watches running turns."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def stopped_among(self, receipt_ids: list[int]) -> set[int]:
        """Return which of these messages were stopped."""
        return {row["id"] for row in await self._db.pool.fetch(_WAS_STOPPED, receipt_ids)}

    async def end_stopped(self, receipt_id: int) -> None:
        """End what a stopped turn began, and drop what it drafted, while it was being stopped."""
        await _end_begun(self._db.pool, receipt_id, STOPPED)

    async def waiting_behind(self, receipt_ids: list[int]) -> list[QueuedMessage]:
        """Return the first message that waits behind each of these."""
        rows = await self._db.pool.fetch(_WAITING, receipt_ids)
        return [
            QueuedMessage(row["ahead"], place_in(row), row["slack_user_id"], row["is_own"])
            for row in rows
        ]

    async def note_waiting(self, waiting: QueuedMessage, words: str) -> UUID | None:
        """Tell a person, once per slow message, that their next one waits."""
        async with self._db.transaction() as conn:
            return await post(
                conn,
                key=f"queued:{waiting.ahead}",
                kind=OutboxKind.EPHEMERAL,
                place=waiting.place,
                note=Note(text=words),
                slack_user_id=waiting.slack_user_id,
            )
