"""The inbox: which queue a message waits in."""

from __future__ import annotations

import asyncio

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import Receipts

TEAM, OPS, MIGUEL = "T01", "C01OPS", "U01MIG"


def mention(number: int) -> Incoming:
    ts = f"1700000{number:03}.000100"
    place = Place(team_id=TEAM, channel_id=OPS, thread_ts=ts, is_direct=False)
    return Incoming(
        key=f"message:{number}",
        source="events",
        kind=ReceiptKind.MESSAGE,
        place=place,
        slack_ts=ts,
        slack_user_id=MIGUEL,
        text="hello",
    )


async def test_messages_of_one_person_at_the_same_instant_are_counted_all_the_same(
    agency: Database,
) -> None:
    receipts = Receipts(agency, person_limit=2)

    await asyncio.gather(*(receipts.accept(mention(number)) for number in range(12)))

    rows = await agency.pool.fetch("select queue_name, lock from procrastinate_jobs order by id")
    queues = [row["queue_name"] for row in rows]
    assert queues == ["turns"] * 2 + ["crowd"] * 10
