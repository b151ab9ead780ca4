"""What a proposal's lock guards: nothing is carried out in a workspace that is paused."""

from __future__ import annotations

import asyncio
from uuid import UUID

from agencyclaw.domain.proposals import ProposalState
from agencyclaw.store.engine import Database
from agencyclaw.store.proposal_states import hold

_EXECUTING = """
with receipt as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)
  values ('k', 'events', 'message', 'T', 'D', '1', '1', true, 'U01INES', 'lane', '{}') returning id
)
insert into proposals (receipt_id, ordinal, team_id, place, channel_id, thread_ts, is_direct,
  actor_profile_id, actor_slack_user_id, actor_name, skill_id, fingerprint, state)
select receipt.id, 0, 'T', 'p', 'D', '1', true, p.id, slack_user_id, 'Ines', 'create_task', 'f',
  'executing'
from receipt, profiles p where slack_user_id = 'U01INES' returning id
"""
_PAUSE = """
insert into execution_pauses (team_id, paused_by)
select 'T', id from profiles where slack_user_id = 'U01INES'
"""
_WAITS = """
select exists (select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock')
"""


async def held(db: Database, proposal_id: UUID) -> bool:
    async with db.transaction() as conn:
        return await hold(conn, proposal_id, ProposalState.EXECUTING)


async def test_a_pause_that_begins_while_the_lock_is_awaited_counts(agency: Database) -> None:
    proposal_id = await agency.pool.fetchval(_EXECUTING)
    assert await held(agency, proposal_id)

    async with agency.transaction() as other:
        await other.execute("update proposals set reason = 'edited' where id = $1", proposal_id)
        waiting = asyncio.create_task(held(agency, proposal_id))
        # A session of the database has no event to wait for.
        while not await agency.pool.fetchval(_WAITS):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await agency.pool.execute(_PAUSE)

    assert not await waiting
