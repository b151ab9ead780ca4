"""What suspends a proposal, and what ends its message, wait for each other in one order."""

from __future__ import annotations

import asyncio

from agencyclaw.domain.people import Place
from agencyclaw.store.engine import Database
from agencyclaw.store.receipts import Receipts, close_receipt, withdraw_message
from agencyclaw.store.suspensions import await_answer

_SUSPENDED = """
with receipt as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)
  values ('k', 'events', 'message', 'T', 'D', '1', '1', true, 'U01INES', 'lane', '{}') returning id
)
insert into proposals (receipt_id, ordinal, team_id, place, channel_id, thread_ts, is_direct,
  actor_profile_id, actor_slack_user_id, actor_name, skill_id, fingerprint, state, suspended_by)
select receipt.id, 0, 'T', 'p', 'D', '1', true, p.id, slack_user_id, 'Ines', 'create_task', 'f',
  'open', receipt.id
from receipt, profiles p where slack_user_id = 'U01INES' returning receipt_id
"""
_WAITS = """
select exists (select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock')
"""
_UNTIL = "select suspended_until > now() from proposals"


async def delete_message(db: Database) -> None:
    async with db.transaction() as conn:
        place = Place(team_id="T", channel_id="D", thread_ts="1", is_direct=True)
        await withdraw_message(conn, place, "1")


async def test_a_message_may_be_deleted_while_its_turn_ends_with_a_question(
    agency: Database,
) -> None:
    receipt_id = await agency.pool.fetchval(_SUSPENDED)
    receipt = await Receipts(agency).read(receipt_id)
    assert receipt

    async with agency.transaction() as conn:
        await await_answer(conn, receipt)
        deleting = asyncio.create_task(delete_message(agency))
        # A session of the database has no event to wait for.
        while not await agency.pool.fetchval(_WAITS):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert await close_receipt(conn, receipt_id)

    await deleting
    assert await agency.pool.fetchval(_UNTIL)
