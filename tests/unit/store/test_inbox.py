"""The inbox: which queue a message waits in."""

from __future__ import annotations

import asyncio

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import LaneFull, Receipts
from agencyclaw.store.sessions import Sessions

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

    rows = await agency.pool.fetch("select queue_name, lock from procrastinate_jobs order by lock")
    queues = [row["queue_name"] for row in rows]
    assert queues == [f"turns:{TEAM}"] * 2 + [f"crowd:{TEAM}"] * 10


async def test_messages_of_one_lane_at_the_same_instant_overfill_nothing(agency: Database) -> None:
    receipts = Receipts(agency, lane_limit=3)
    said = [mention(1).model_copy(update={"key": f"message:{number}"}) for number in range(9)]

    taken = await asyncio.gather(*(receipts.accept(one) for one in said))

    assert sum(isinstance(one, LaneFull) for one in taken) == 6


async def test_a_message_does_not_wait_for_one_of_the_same_person_elsewhere(
    agency: Database,
) -> None:
    receipts = Receipts(agency)
    async with agency.transaction() as conn:
        # Whoever stores this one waits for us.
        await conn.execute(
            "insert into slack_event_receipts (event_key, event_source, event_type, team_id,"
            " channel_id, thread_ts, slack_ts, is_direct, slack_user_id, lane)"
            " values ('message:1', 'events', 'message', $1, $2, '', '1.0', false, $3, 'x')",
            TEAM,
            OPS,
            MIGUEL,
        )
        held = asyncio.create_task(receipts.accept(mention(1)))
        assert await asyncio.wait_for(receipts.accept(mention(2)), 300)
        assert not held.done()
    assert await held is None


async def test_a_thread_waits_for_us_until_its_message_has_been_handled(agency: Database) -> None:
    said, sessions = mention(1), Sessions(agency)
    assert not await sessions.is_awaited(said.place)

    await Receipts(agency).accept(said)
    assert await sessions.is_awaited(said.place)
    assert not await sessions.is_awaited(mention(2).place)

    await agency.pool.execute("update slack_event_receipts set status = 'done'")
    assert not await sessions.is_awaited(said.place)
