"""Streams: who may begin one."""

from __future__ import annotations

import asyncio
from uuid import uuid4

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.store.edited_messages import withdraw_message
from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import Accepted, Receipts
from agencyclaw.store.streams import Streams

PLACE = Place(team_id="T01", channel_id="C01OPS", thread_ts="1.0", is_direct=False)
ASKED = Incoming(
    key="message:1",
    source="events",
    kind=ReceiptKind.MESSAGE,
    place=PLACE,
    slack_ts="1.0",
    slack_user_id="U01MIG",
    text="hello",
)
WAITS = """
select count(*) > 0 from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock'
"""


async def test_no_stream_begins_for_a_message_that_is_being_deleted(agency: Database) -> None:
    accepted = await Receipts(agency).accept(ASKED)
    assert isinstance(accepted, Accepted)
    async with agency.transaction() as conn:
        await withdraw_message(conn, PLACE, "1.0")
        begun = asyncio.create_task(Streams(agency).begin(accepted.receipt_id, uuid4()))
        while not begun.done() and not await agency.pool.fetchval(WAITS):  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    assert await begun is None
