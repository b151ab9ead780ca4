"""What keeps a card suspended, and what frees it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Receipt
from agencyclaw.store.edited_messages import withdraw_message
from agencyclaw.store.engine import Database, fetch_one
from agencyclaw.store.receipts import close_receipt, receipt_of
from agencyclaw.store.stopping import stop_message
from agencyclaw.store.suspensions import await_answer, end_suspensions

_ASKING = """
insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
  thread_ts, slack_ts, is_direct, slack_user_id, lane, attempts, payload)
values ('k', 'events', 'message', 'T', 'D', '1', '1', true, 'U01INES', 'lane', 1, '{}')
returning *
"""
_REVISED = """
insert into proposals (receipt_id, ordinal, team_id, place, channel_id, thread_ts, is_direct,
  actor_profile_id, actor_slack_user_id, actor_name, skill_id, fingerprint, state, suspended_by)
select $1, 0, 'T', 'T:D', 'D', '1', true, id, slack_user_id, 'Ines', 'create_task', 'f', 'open', $1
from profiles where slack_user_id = 'U01INES'
"""
_WAITS = """
select exists (select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock')
"""


async def stop(db: Database) -> None:
    async with db.transaction() as conn:
        if stopped := await stop_message(conn, "lane"):
            await end_suspensions(conn, stopped.id)


async def delete(db: Database) -> None:
    async with db.transaction() as conn:
        place = Place(team_id="T", channel_id="D", thread_ts="1", is_direct=True)
        await withdraw_message(conn, place, "1")


async def test_what_was_confirmed_is_free_and_is_not_among_the_cards_that_a_stop_cancels(
    agency: Database,
) -> None:
    asking = receipt_of(await fetch_one(agency.pool, _ASKING))
    assert isinstance(asking, Receipt)
    await agency.pool.execute(_REVISED, asking.id)
    await agency.pool.execute("update proposals set state = 'confirmed'")

    async with agency.transaction() as conn:
        assert await end_suspensions(conn, asking.id) == []

    assert await agency.pool.fetchval("select suspended_by from proposals") is None


@pytest.mark.parametrize("end", [stop, delete])
async def test_what_ends_a_message_waits_for_a_turn_that_ends_with_a_question_just_now(
    agency: Database, end: Callable[[Database], Awaitable[None]]
) -> None:
    asking = receipt_of(await fetch_one(agency.pool, _ASKING))
    assert isinstance(asking, Receipt)
    await agency.pool.execute(_REVISED, asking.id)

    async with agency.transaction() as conn:
        await await_answer(conn, asking)
        ending = asyncio.ensure_future(end(agency))
        # A session of the database has no event to wait for.
        while not await agency.pool.fetchval(_WAITS):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert await close_receipt(conn, asking.id)

    await ending
    assert await agency.pool.fetchval("select suspended_until > now() from proposals")
