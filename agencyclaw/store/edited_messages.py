"""What becomes of a stored message that its author edits or deletes."""

from __future__ import annotations

from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, Note, OutboxKind, Receipt
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.outbox import post, post_answer
from agencyclaw.store.stopping import end_begun

_REWORD = """
with edited as (
  update slack_event_receipts set payload = payload || $5::jsonb, edited_at = now()
  where team_id = $1 and channel_id = $2 and slack_ts = $3 and slack_user_id = $4
    and event_type = 'message' and (event_source = 'events'
      or starts_with(event_key, 'retry:') or starts_with(event_key, 'goes_on:'))
  returning id, status
), forgotten as (
  delete from thread_summaries s using agent_runs r, edited
  where r.receipt_id = edited.id and s.team_id = r.team_id and s.place = r.place
    and s.covers_until >= r.started_at
)
select edited.id from edited join agent_runs r on r.receipt_id = edited.id
where edited.status = 'received' and r.status = 'running' limit 1
"""

_WITHDRAW = """
with closed as (
  update slack_event_receipts set status = 'ignored', reason = 'unsaid', processed_at = now()
  where team_id = $1 and channel_id = $2 and slack_ts = $3
    and status = 'received' and event_type in ('message', 'word')
  returning *
), freed as (update proposals set suspended_by = null, suspended_until = now() from closed
  where suspended_by = closed.id and suspended_until is null)
select * from closed
"""

_IS_SHOWN = "select exists (select from outbox where key = $1 and state = 'streaming')"


async def reword(db: Database, incoming: Incoming, *, begun: str) -> None:
    """Let a message to us be what it was edited to; a deleted one is not answered any more.

    What its run saw stays in the journal. A summary that was made of it is made anew. Its author is
    told `begun` where a run is answering what it said before.
    """
    place = incoming.place
    content = incoming.model_dump(mode="json", include={"text", "carries", "files"})
    async with db.transaction() as conn:
        if not incoming.text:
            await withdraw_message(conn, place, incoming.about_ts)
        key = (place.team_id, place.channel_id, incoming.about_ts, incoming.slack_user_id)
        answered = await conn.fetchval(_REWORD, *key, content)
        if answered is not None:
            await post(
                conn,
                key=f"edited:{answered}:{incoming.slack_ts}",
                kind=OutboxKind.EPHEMERAL,
                place=place,
                note=Note(text=begun),
                slack_user_id=incoming.slack_user_id,
            )


async def withdraw_message(conn: Connection, place: Place, ts: str) -> None:
    """Close a message that its author deleted or edited before it was handled.

    A run in progress ends and can prepare nothing any more, and what was shown of its answer is
    taken back.
    """
    for row in await conn.fetch(_WITHDRAW, place.team_id, place.channel_id, ts):
        receipt = await end_begun(conn, row, "unsaid")
        if receipt is not None:
            await _take_back(conn, receipt)


async def _take_back(conn: Connection, receipt: Receipt) -> None:
    """End the stream of an answer; a statement of its own, to see one that began meanwhile."""
    if await conn.fetchval(_IS_SHOWN, f"answer:{receipt.id}"):
        await post_answer(conn, receipt, Note(text=message("streaming.unsaid")))
