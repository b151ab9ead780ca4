"""Since when messages wait for a service."""

from __future__ import annotations

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import Accepted, Receipts
from agencyclaw.store.waiting import Waits

PLACE = Place(team_id="T01", channel_id="D01MIG", thread_ts="", is_direct=True)


async def asked(db: Database, ts: str) -> int:
    accepted = await Receipts(db).accept(
        Incoming(
            key=f"message:{ts}",
            source="events",
            kind=ReceiptKind.MESSAGE,
            place=PLACE,
            slack_ts=ts,
            slack_user_id="U01MIG",
            text="what is due?",
        )
    )
    assert isinstance(accepted, Accepted)
    return accepted.receipt_id


async def waits(db: Database, receipt_id: int) -> bool:
    since = "select waiting_since is not null from slack_event_receipts where id = $1"
    return await db.pool.fetchval(since, receipt_id)


async def test_a_message_waits_with_the_one_before_it_and_not_with_work_in_the_background(
    agency: Database,
) -> None:
    first, second, beside = [await asked(agency, ts) for ts in ("1.0", "2.0", "3.0")]
    move = "update slack_event_receipts set lane = 'background:' || lane || ':r' where id = $1"
    await agency.pool.execute(move, beside)
    receipts, waiting = Receipts(agency), Waits(agency)
    going_on, ahead = await receipts.read(beside), await receipts.read(first)
    assert going_on is not None
    assert ahead is not None

    await waiting.wait(going_on)
    assert not await waits(agency, second)

    await waiting.wait(ahead)
    assert await waits(agency, second)
    await waiting.service_is_back(going_on)
    assert await waits(agency, second)
    await waiting.service_is_back(ahead)
    assert not await waits(agency, second)
    assert await waits(agency, first)
    assert await waits(agency, beside)
