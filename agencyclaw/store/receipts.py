"""The inbox: stores what people did, together with the job that handles it.

Hot path: every message and press.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from weakref import WeakValueDictionary

from pydantic import ValidationError

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, Receipt, ReceiptKind, as_payload
from agencyclaw.store.dispatching import StartedJob
from agencyclaw.store.engine import Connection, Database, Record, fetch_one
from agencyclaw.store.jobs import queue_of, turn_queues_of

# A message joins its lane while there is room. A person with many conversations in progress waits
# in the overflow queue, the longer the more there are, so that a flood holds up only its sender.
# The job of a free lane is stored as running if the worker $17 has room for it, and still exists.
_ACCEPT_MESSAGE = """
with open as (
  select lane, slack_ts from slack_event_receipts
  where status = 'received' and event_type = 'message' and not starts_with(lane, 'background:')
    and (lane = $10 or team_id = $4 and slack_user_id = $9)
), here as (
  select
    (select count(*) from open where lane = $10) as waiting,
    (select count(*) from (
      select lane from open where lane <> $10 and slack_ts < $7 union select unnest($16::text[])
    ) as beside) as elsewhere,
    exists (select from slack_event_receipts where event_key = $1) as is_known
), kept as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 from here where waiting < $12
  on conflict (event_key) do nothing
  returning id
), started as (
  insert into procrastinate_jobs (queue_name, task_name, lock, args, status, worker_id)
  select $14::text, 'turn', $10, jsonb_build_object('receipt_id', kept.id), 'doing', w.id
  from kept, here, procrastinate_workers w
  where w.id = $17::bigint and elsewhere < $13 and not exists (
    select from procrastinate_jobs where lock = $10 and status in ('todo', 'doing'))
  for key share of w
  on conflict (lock) where status = 'doing' do nothing
  returning id
)
select kept.id, here.waiting, here.is_known, started.id as job_id,
  case when kept.id is not null and started.id is null then procrastinate_defer_jobs_v1(array[
    row(
      case when elsewhere < $13 then $14::text else $15::text end,
      'turn', case when elsewhere < $13 then 0 else -least(elsewhere, 1000) end, $10, null,
      jsonb_build_object('receipt_id', kept.id), null
    )::procrastinate_job_to_defer_v1
  ]) end
from here left join kept on true left join started on true
"""

_ACCEPT = """
with kept as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (event_key) do nothing
  returning id
)
select kept.id, procrastinate_defer_jobs_v1(array[
  row($12, 'act', 0, null, null, jsonb_build_object('receipt_id', kept.id), null)
    ::procrastinate_job_to_defer_v1
]) from kept
"""

_KEEP = """
insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
  thread_ts, slack_ts, is_direct, slack_user_id, lane, payload, status, reason, processed_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, now())
on conflict (event_key) do nothing
returning id
"""

# Its words are no consent any more: they were written before the cards that are open now. Without a
# lane of its own ($3) it is a message of its conversation, whichever lane it had before.
_STORE_AGAIN = """
insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
  thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)
select $2::text, 'interactions', event_type, team_id, channel_id, thread_ts, slack_ts, is_direct,
  slack_user_id, coalesce($3, team_id || ':' || channel_id || case when is_direct then ''
    else ':' || thread_ts end),
  payload || jsonb_build_object('key', $2::text, 'source', 'interactions')
from slack_event_receipts where id = $1
on conflict (event_key) do nothing
returning id, team_id, lane
"""

# Not waited for until it is on disk: a turn whose Postgres died starts again, and the commit that
# ends it includes everything before it.
_NEXT = """
update slack_event_receipts set attempts = attempts + 1
where id = (
  select id from slack_event_receipts
  where lane = $1 and status = 'received' and event_type = 'message'
  order by slack_ts, id limit 1
) and status = 'received'
returning *, set_config('synchronous_commit', 'off', true), (
  select count(*) from slack_event_receipts sent
  where sent.slack_user_id = slack_event_receipts.slack_user_id
    and sent.team_id = slack_event_receipts.team_id and sent.event_type = 'message'
    and sent.received_at > slack_event_receipts.received_at - interval '1 minute'
    and sent.received_at <= slack_event_receipts.received_at
) as lately
"""

# What has become a message since is its lane's.
_CLAIM = """
update slack_event_receipts set attempts = attempts + 1
where id = $1 and status = 'received' and event_type <> 'message'
returning *
"""

_CONVERSE = """
with conversation as (
  update slack_event_receipts set event_type = 'message', payload = $3, waiting_since = null
  where id = $1 and status = 'received' and event_type <> 'message'
  returning id, lane
)
select procrastinate_defer_jobs_v1(array[
  row($2, 'turn', 0, lane, null, jsonb_build_object('receipt_id', id), null)
    ::procrastinate_job_to_defer_v1
]) from conversation
"""

_CLOSE = """
with closed as (
  update slack_event_receipts set status = $2, reason = $3, processed_at = now()
  where id = $1 and status = 'received'
  returning id
), freed as (update proposals set suspended_by = null, suspended_until = now() from closed
  where suspended_by = closed.id and suspended_until is null)
select id from closed
"""

# This many of the latest messages are recognised without a query when they come again.
_REMEMBERED = 1_000


@dataclass(frozen=True)
class Accepted:
    """An act was stored, behind so many messages that wait in its lane."""

    receipt_id: int
    waiting: int = 0


@dataclass(frozen=True)
class LaneFull:
    """No message was taken, because too many wait in the lane."""

    waiting: int


class Receipts:
    """The inbox; limited are the messages that wait in a lane, and one person's lanes."""

    def __init__(self, db: Database, *, lane_limit: int = 50, person_limit: int = 4) -> None:
        self._db = db
        self._lane_limit = lane_limit
        self._person_limit = person_limit
        self._one_by_one: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._arriving: set[tuple[str, str, str]] = set()
        self._stored: dict[str, None] = {}

    async def accept(self, incoming: Incoming) -> Accepted | LaneFull | None:
        """Store an act and queue its job, in one statement; None if it is known already.

        Messages wait for their lane; clicks and whole-message refusals take none.
        """
        if incoming.kind is ReceiptKind.MESSAGE:
            return await self._accept_message(incoming)
        queue = queue_of(incoming.place.team_id)
        row = await self._db.pool.fetchrow(_ACCEPT, *columns_of(incoming), queue)
        return Accepted(row["id"]) if row else None

    async def _accept_message(self, incoming: Incoming) -> Accepted | LaneFull | None:
        limits = self._lane_limit, self._person_limit
        queues = turn_queues_of(incoming.place.team_id)
        lane, whose = incoming.place.key, (incoming.place.team_id, incoming.slack_user_id)
        # Two simultaneous messages of one lane would not see each other. Those of one person in
        # several lanes need not wait: each is told what arrives beside it.
        async with self._one_by_one.setdefault(lane, asyncio.Lock()):
            if incoming.key in self._stored:
                return None
            beside = [other for *who, other in self._arriving if (*who,) == whose]
            self._arriving.add((*whose, lane))
            try:
                with self._db.dispatcher.slot(queues[0]) as worker_id:
                    values = (*columns_of(incoming), *limits, *queues, beside, worker_id)
                    row = await fetch_one(self._db.pool, _ACCEPT_MESSAGE, *values)
                    if row["job_id"] is not None:
                        args = {"receipt_id": row["id"]}
                        job = StartedJob(row["job_id"], queues[0], "turn", lane, args)
                        self._db.dispatcher.start(job)
            finally:
                self._arriving.discard((*whose, lane))
            if row["id"] is not None:
                self._note_stored(incoming.key)
        if row["id"] is not None:
            return Accepted(row["id"], row["waiting"])
        is_full = row["waiting"] >= self._lane_limit and not row["is_known"]
        return LaneFull(row["waiting"]) if is_full else None

    def _note_stored(self, key: str) -> None:
        """Remember what was stored: Slack sends a mention twice, as a mention and as a message."""
        self._stored[key] = None
        if len(self._stored) > _REMEMBERED:
            del self._stored[next(iter(self._stored))]

    async def next_message(self, lane: str) -> Receipt | None:
        """Return the lane's unhandled message with the lowest Slack ts, and count the attempt.

        `lately` is how many messages its person sent within the minute before it, itself included.
        """
        return receipt_of(await self._db.pool.fetchrow(_NEXT, lane))

    async def claim(self, receipt_id: int) -> Receipt | None:
        """Claim a receipt that needs no lane; None if it is settled."""
        return receipt_of(await self._db.pool.fetchrow(_CLAIM, receipt_id))

    async def read(self, receipt_id: int) -> Receipt | None:
        """Return a receipt, settled or not."""
        return receipt_of(
            await self._db.pool.fetchrow(
                "select * from slack_event_receipts where id = $1", receipt_id
            )
        )

    async def count_failure(self, receipt_id: int) -> None:
        """Count a failure: the attempt failed by itself, its worker was not killed."""
        await self._db.pool.execute(
            "update slack_event_receipts set failures = failures + 1 where id = $1", receipt_id
        )

    async def lane_of(self, receipt_id: int) -> str | None:
        """Return the lane a receipt belongs to."""
        return await self._db.pool.fetchval(
            "select lane from slack_event_receipts where id = $1", receipt_id
        )

    async def is_settled(self, receipt_id: int) -> bool:
        """Return whether a receipt is handled."""
        return await self._db.pool.fetchval(
            "select status <> 'received' from slack_event_receipts where id = $1", receipt_id
        )

    async def converse(self, receipt_id: int, incoming: Incoming) -> None:
        """Move an act to its lane, as the message it has turned out to be."""
        queue, _ = turn_queues_of(incoming.place.team_id)
        message = incoming.model_copy(update={"kind": ReceiptKind.MESSAGE})
        await self._db.pool.execute(_CONVERSE, receipt_id, queue, as_payload(message))

    async def held(self, key: str) -> Incoming | None:
        """Return what was stored under a key; None where nothing is, or can't be read."""
        row = await self._db.pool.fetchrow(
            "select * from slack_event_receipts where event_key = $1", key
        )
        return _incoming(row) if row else None


async def rewrite_receipt(conn: Connection, receipt_id: int, incoming: Incoming) -> None:
    """Store what is known of an act by now."""
    rewrite = "update slack_event_receipts set payload = $2 where id = $1"
    await conn.execute(rewrite, receipt_id, as_payload(incoming))


async def hold_receipt(conn: Connection, receipt_id: int) -> bool:
    """Lock a receipt until the transaction ends; False if it was stopped or taken back before."""
    hold = "select id from slack_event_receipts where id = $1 and status = 'received' for update"
    return await conn.fetchval(hold, receipt_id) is not None


async def close_receipt(
    conn: Connection, receipt_id: int, status: str = "done", reason: str | None = None
) -> bool:
    """Close a receipt inside the caller's transaction; False if it was closed already."""
    return await conn.fetchval(_CLOSE, receipt_id, status, reason) is not None


async def store_again(
    conn: Connection, receipt_id: int, key: str, *, lane: str | None = None
) -> Record | None:
    """Store a message once more, to be answered again; None if there is one with this key."""
    return await conn.fetchrow(_STORE_AGAIN, receipt_id, key, lane)


async def place_of(conn: Connection, receipt_id: int) -> Place | None:
    """Return the place a receipt came from."""
    row = await conn.fetchrow("select * from slack_event_receipts where id = $1", receipt_id)
    return place_in(row) if row else None


def place_in(row: Record) -> Place:
    """Build a place from the columns that receipts, proposals and deliveries have of it."""
    return Place(
        team_id=row["team_id"],
        channel_id=row["channel_id"],
        thread_ts=row["thread_ts"] or "",
        is_direct=row["is_direct"],
    )


async def keep_settled(
    conn: Connection, incoming: Incoming, status: str = "done", reason: str | None = None
) -> int | None:
    """Store a receipt that is handled in the same transaction; None if it is known."""
    return await conn.fetchval(_KEEP, *columns_of(incoming), status, reason)


def columns_of(incoming: Incoming, *, lane: str = "") -> tuple[Any, ...]:
    """Return the values that every insert begins with, in its order; the lane is its place's."""
    place = incoming.place
    return (
        incoming.key,
        incoming.source,
        incoming.kind.value,
        place.team_id,
        place.channel_id,
        place.thread_ts,
        incoming.slack_ts,
        place.is_direct,
        incoming.slack_user_id,
        lane or place.key,
        as_payload(incoming),
    )


def receipt_of(row: Record | None) -> Receipt | None:
    """Build a receipt from its row; None without one."""
    if row is None:
        return None
    received_at: datetime = row["received_at"]
    incoming = _incoming(row)
    return Receipt(
        id=row["id"],
        incoming=incoming or _outline(row),
        attempts=row["attempts"] - row["waits"],
        waits=row["waits"],
        failures=row["failures"],
        received_at=received_at,
        is_readable=incoming is not None,
        lately=row.get("lately") or 1,
    )


def _incoming(row: Record) -> Incoming | None:
    try:
        return Incoming.model_validate(row["payload"])
    except ValidationError:
        return None


def _outline(row: Record) -> Incoming:
    """Return who, where and when of a receipt whose payload can't be read."""
    return Incoming(
        key=row["event_key"],
        source=row["event_source"],
        kind=ReceiptKind(row["event_type"]),
        place=place_in(row),
        slack_ts=row["slack_ts"],
        slack_user_id=row["slack_user_id"],
    )
