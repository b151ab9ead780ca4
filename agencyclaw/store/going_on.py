"""Stores a message again whose run reached its time, to go on in the background.

It is the same message in a lane of its own, and the journal of the run has what was done. Its card
is redrawn from the rows, so whoever dies, it ends as the work did.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from agencyclaw.domain.background import BACKGROUND_AT_MOST, BackgroundWork
from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import GOES_ON, Note, OutboxKind, Receipt
from agencyclaw.store.advisory_locks import LockKind, lock_until_commit
from agencyclaw.store.choices import show_answered
from agencyclaw.store.engine import Connection, Database, Executor, Record
from agencyclaw.store.jobs import background_queue_of, defer, queue_of
from agencyclaw.store.outbox import post
from agencyclaw.store.receipts import place_of, receipt_of, store_again

_LOOK_S = 20.0
# A message that its author took back does not go on, nor one that was tried again since.
_LEFT = """
select s.id, s.team_id, s.slack_user_id,
  exists (select from slack_event_receipts where event_key = $2) as is_begun,
  r.status = 'failed' and s.status = 'done' and s.payload ->> 'text' <> ''
    and not exists (select from agent_runs later where later.receipt_id = r.receipt_id
      and later.run_type = 'main' and later.started_at > r.started_at)
    and not exists (select from slack_event_receipts again
      where starts_with(again.event_key, 'retry:' || r.id || ':')) as can_go_on
from agent_runs r join slack_event_receipts s on s.id = r.receipt_id
where r.id = $1 and r.run_type = 'main' and s.event_type = 'message'
"""
_UNDER_WAY = """
select count(*) from slack_event_receipts
where team_id = $1 and status = 'received' and starts_with(lane, 'background:')
"""
_WORKS = """
select s.*, p.timezone, clock_timestamp() as now, coalesce(s.reason, '') as ending,
  coalesce((select r.status <> 'completed' from agent_runs r
    where r.receipt_id = s.id and r.run_type = 'main' order by r.started_at desc limit 1), true)
    as has_failed
from slack_event_receipts s left join profiles p on p.slack_user_id = s.slack_user_id
"""
_WORK = f"{_WORKS} where s.id = $1"
_WORKS_OF = f"""{_WORKS}
where s.team_id = $1 and s.slack_user_id = $2 and s.status = 'received'
  and starts_with(s.lane, 'background:')
order by s.id
"""
# Its button may be pressed before it is known where it stands.
_OFFER = """
update outbox set body = body || jsonb_build_object('answered', $2::text)
where receipt_id = (select receipt_id from agent_runs where id = $1) and kind = 'answer'
  and body ->> 'goes_on' = $1::text and body ->> 'answered' is null and sent_ts is not null
returning id, thread_ts, sent_ts, body
"""
_CARD = "select id, state, sent_ts, body from outbox where key = $1 for update"
_REDRAW = "update outbox set body = $2 where id = $1"
# The journal that got furthest: what goes on may have been interrupted while it caught up.
_RESPONSES = """
select array(select content from agent_messages
  where run_id = furthest.id and role = 'assistant' order by id) as contents
from (
  select r.id from agent_runs r left join agent_messages m on m.run_id = r.id
  where (r.id = $2 or r.receipt_id = $1) and r.run_type = 'main'
  group by r.id order by count(m.id) desc, r.started_at desc limit 1
) as furthest
"""


async def left_by(conn: Connection, team_id: str, run_id: UUID) -> Any:
    """Return the message of a run that reached its time, and whether it can go on.

    Until the transaction ends, nothing else of the workspace begins to go on.
    """
    await lock_until_commit(conn, LockKind.BACKGROUND, team_id)
    return await conn.fetchrow(_LEFT, run_id, f"{GOES_ON}{run_id}")


async def store_going_on(conn: Connection, receipt_id: int, run_id: UUID) -> BackgroundWork | None:
    """Store what `left_by` returned in its own lane, with its job and card; None beyond five."""
    place = await place_of(conn, receipt_id)
    if place is None or await conn.fetchval(_UNDER_WAY, place.team_id) >= BACKGROUND_AT_MOST:
        return None
    lane = f"background:{place.key}:{run_id}"
    row = await store_again(conn, receipt_id, f"{GOES_ON}{run_id}", lane=lane)
    if row is None:
        return None
    going_on, queue = row["id"], background_queue_of(place.team_id)
    await defer(conn, "turn", {"receipt_id": going_on}, queue=queue, lock=lane)
    work = await read_work(conn, going_on)
    if work is not None:
        await post(
            conn, key=_key(going_on), kind=OutboxKind.NOTICE, place=place, note=work.note(0, "")
        )
        await settle_offer(conn, work)
        await look_again(conn, work)
    return work


async def settle_offer(conn: Connection, work: BackgroundWork) -> None:
    """Replace the button that was pressed with what became of it, once it is known where it is."""
    rows = await conn.fetch(_OFFER, work.run, message("background.went_on"))
    await show_answered(conn, work.place, rows)


async def read_work(conn: Connection, receipt_id: int) -> BackgroundWork | None:
    """Return how a message goes on in the background; None if it does not."""
    return _work(await conn.fetchrow(_WORK, receipt_id))


async def works_of(conn: Executor, team_id: str, slack_user_id: str) -> list[BackgroundWork]:
    """Return what of a person's goes on in the background of a workspace, the oldest first."""
    works = map(_work, await conn.fetch(_WORKS_OF, team_id, slack_user_id))
    return [work for work in works if work is not None]


def _work(row: Record | None) -> BackgroundWork | None:
    receipt = receipt_of(row)
    if row is None or receipt is None or receipt.goes_on_from is None:
        return None
    return BackgroundWork(
        receipt_id=receipt.id,
        run=receipt.goes_on_from,
        place=receipt.incoming.place,
        slack_user_id=receipt.incoming.slack_user_id,
        words=receipt.incoming.text,
        zone=row["timezone"] or "UTC",
        began_at=row["received_at"],
        now=row["now"],
        ended_at=row["processed_at"],
        ending=row["ending"],
        has_failed=row["has_failed"],
    )


async def redraw(conn: Connection, work: BackgroundWork, note: Note) -> bool:
    """Let the card tell how it is going; False while Slack is being sent an older one."""
    card = await conn.fetchrow(_CARD, _key(work.receipt_id))
    if card is None or card["state"] == "sending":
        return card is None
    if card["body"] == note.stored():
        return True
    await conn.execute(_REDRAW, card["id"], note.stored())
    if card["state"] == "sent":
        await post(
            conn,
            key=f"{_key(work.receipt_id)}:{work.now.isoformat()}",
            kind=OutboxKind.ANSWER_UPDATE,
            place=work.place,
            note=note,
            changes_ts=card["sent_ts"],
        )
    return True


async def look_again(conn: Connection, work: BackgroundWork) -> None:
    """Queue the next look at how it is going."""
    args, queue = {"receipt_id": work.receipt_id}, queue_of(work.place.team_id)
    await defer(conn, "show_work", args, queue=queue, seconds=_LOOK_S)


async def going_on_from(conn: Executor, run_id: UUID) -> int | None:
    """Return the message that goes on from a run."""
    key = f"{GOES_ON}{run_id}"
    return await conn.fetchval("select id from slack_event_receipts where event_key = $1", key)


async def stored_responses(db: Database, receipt: Receipt) -> list[Any]:
    """Return what the model has answered so far to a message that goes on."""
    row = await db.pool.fetchrow(_RESPONSES, receipt.id, receipt.goes_on_from)
    return list(row["contents"]) if row else []


def _key(receipt_id: int) -> str:
    return f"background:{receipt_id}"
