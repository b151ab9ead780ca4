"""The log of confirmed effects."""

from __future__ import annotations

from fakes.slack_store import a_proposal

from agencyclaw.store.engine import Database
from agencyclaw.store.events import log_confirmed, log_outcome

_FAILED = """
with receipt as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane, payload)
  values ('k', 'events', 'message', 'T', 'D', '1', '1', true, 'U01INES', 'lane', '{}') returning id
)
insert into proposals (receipt_id, ordinal, team_id, place, channel_id, thread_ts, is_direct,
  actor_profile_id, actor_slack_user_id, actor_name, skill_id, fingerprint, state)
select receipt.id, 0, 'T', 'p', 'D', '1', true, p.id, slack_user_id, 'Ines', 'create_task', 'f',
  'failed'
from receipt, profiles p where slack_user_id = 'U01INES' returning id, actor_profile_id
"""


async def test_an_effect_that_is_confirmed_again_has_no_result_yet(agency: Database) -> None:
    row = await agency.pool.fetchrow(_FAILED)
    proposal = a_proposal(
        id=row["id"], actor_profile_id=row["actor_profile_id"], confirmed_by=row["actor_profile_id"]
    )
    await log_confirmed(agency.pool, proposal)
    await log_outcome(agency.pool, proposal, "failed", {"reason": "away"})

    await log_confirmed(agency.pool, proposal)

    [logged] = await agency.pool.fetch("select status, result from skill_invocation_log")
    assert (logged["status"], logged["result"]) == ("pending", None)
