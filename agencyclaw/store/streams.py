"""Answers streamed to Slack while they are written: which outbox row owns which Slack stream.

The row is written before the stream is opened, so a stream without an owner belongs to a row that
has no stream yet. Only one such row is allowed per thread, so the owner is unambiguous.

Opening a stream and rewriting its message are recorded before the call, and again when Slack has
answered. Once the turn has ended neither is allowed, and the final answer waits until those in
progress have arrived, so that no old text can overwrite it. An addition needs no record: Slack
refuses one to a stream that has ended.

Hot path: every answer that is shown while it is written.
"""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Delivery, OutboxKind
from agencyclaw.store.engine import Database

# Whoever ends the message meanwhile finds the row, or lets none be written.
_BEGIN = """
insert into outbox (key, kind, team_id, channel_id, thread_ts, receipt_id, run_id, state,
  stream_text, stream_busy_since)
select 'answer:' || r.id, $2, r.team_id, r.channel_id, r.thread_ts, r.id, $3, 'streaming', '', now()
from slack_event_receipts r
where r.id = $1 and r.status = 'received' and not exists (
  select 1 from outbox o
  where o.team_id = r.team_id and o.channel_id = r.channel_id and o.thread_ts = r.thread_ts
    and o.stream_text is not null and o.stream_ts is null
    and o.state in ('streaming', 'pending', 'sending') and o.key <> 'answer:' || r.id)
for share of r
on conflict (key) do nothing
returning id
"""

_LEFT = """
select id, stream_ts, extract(epoch from created_at)::float8 as queued_at from outbox
where key = 'answer:' || $1::bigint and state = 'streaming'
"""

_OWN = """
update outbox set stream_ts = $2, stream_busy_since = null where id = $1
"""

_BUSY = """
update outbox set stream_busy_since = now(), stream_is_whole = false
where id = $1 and state = 'streaming' returning id
"""

_QUIET = """
update outbox set stream_busy_since = null where id = $1
"""

_GROWN = """
update outbox set stream_text = $2, stream_is_whole = $3
where id = $1 and state = 'streaming' returning id
"""

_AT_REST = """
select stream_ts, stream_text, stream_is_whole from outbox
where id = $1
  and (stream_busy_since is null or stream_busy_since < now() - make_interval(secs => $2))
"""

_OWNED = """
select ts from unnest($3::text[]) as ts
where exists (select 1 from outbox where team_id = $1 and channel_id = $2
  and (stream_ts = ts or sent_ts = ts))
"""


class Streams:
    """Stores which delivery owns which stream."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def begin(self, receipt_id: int, run_id: UUID) -> UUID | None:
        """Reserve a row for a stream about to be opened; None if there must be none."""
        return await self._db.pool.fetchval(_BEGIN, receipt_id, OutboxKind.ANSWER.value, run_id)

    async def left_by(self, receipt_id: int) -> tuple[UUID, str | None, float] | None:
        """Return the row, stream and start time that an earlier attempt at this message left."""
        row = await self._db.pool.fetchrow(_LEFT, receipt_id)
        return (row["id"], row["stream_ts"], row["queued_at"]) if row else None

    async def own(self, outbox_id: UUID, ts: str) -> None:
        """Make a delivery the owner of the stream at `ts`."""
        await self._db.pool.execute(_OWN, outbox_id, ts)

    async def begin_write(self, outbox_id: UUID) -> bool:
        """Record that a write begins; False once the turn has ended."""
        return await self._db.pool.fetchval(_BUSY, outbox_id) is not None

    async def end_write(self, outbox_id: UUID) -> None:
        """Record that no write is in progress."""
        await self._db.pool.execute(_QUIET, outbox_id)

    async def at_rest(self, row: Delivery, longest_s: float) -> Delivery | None:
        """Return a delivery with its stream's state; None while a write is in progress.

        A write that began more than `longest_s` seconds ago has arrived, or never will.
        """
        known = await self._db.pool.fetchrow(_AT_REST, row.id, longest_s)
        return row.model_copy(update=dict(known)) if known else None

    async def record_text(self, outbox_id: UUID, text: str, *, is_whole: bool = False) -> bool:
        """Record the stream's text; False once the turn has ended, as the stream is no longer ours.

        `is_whole`: it is exactly this text, and nothing more will come.
        """
        return await self._db.pool.fetchval(_GROWN, outbox_id, text, is_whole) is not None

    async def owned(self, place: Place, ts: list[str]) -> set[str]:
        """Return which of these messages a delivery owns."""
        rows = await self._db.pool.fetch(_OWNED, place.team_id, place.channel_id, ts)
        return {row["ts"] for row in rows}
