"""A conversation as it is exported: its own posts, and nobody else's."""

from __future__ import annotations

from uuid import uuid4

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, Note, ReceiptKind
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import post_answer
from agencyclaw.store.receipts import Accepted, Receipts, close_receipt
from agencyclaw.store.run_exports import read_conversation

_RUN = """
insert into agent_runs (id, run_key, receipt_id, team_id, place, channel_id, thread_ts, source,
  trace_id, status)
select $1, 'run:' || id, id, team_id, lane, channel_id, thread_ts, 'events', '', 'completed'
from slack_event_receipts where id = $2
"""


async def asked(db: Database, ts: str) -> int:
    place = Place(team_id="T01", channel_id="C01OPS", thread_ts=ts, is_direct=False)
    accepted = await Receipts(db).accept(
        Incoming(
            key=f"message:{ts}",
            source="events",
            kind=ReceiptKind.MESSAGE,
            place=place,
            slack_ts=ts,
            slack_user_id="U01MIG",
            text="what is due?",
        )
    )
    assert isinstance(accepted, Accepted)
    return accepted.receipt_id


async def answered(db: Database, receipt_id: int, text: str) -> None:
    receipt = await Receipts(db).read(receipt_id)
    assert receipt is not None
    async with db.transaction() as conn:
        await post_answer(conn, receipt, Note(text=text))
        await close_receipt(conn, receipt_id)


async def test_what_was_posted_meanwhile_in_another_thread_of_the_channel_stays_there(
    agency: Database,
) -> None:
    ours, theirs, run_id = await asked(agency, "1.0"), await asked(agency, "2.0"), uuid4()
    await agency.pool.execute(_RUN, run_id, ours)
    await answered(agency, theirs, "Their answer.")
    await answered(agency, ours, "Our answer.")

    conversation = await read_conversation(agency, run_id)

    assert conversation is not None
    assert [one.text for turn in conversation.turns for one in turn.posts] == ["Our answer."]
