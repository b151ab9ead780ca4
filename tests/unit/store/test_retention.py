"""What is old is removed, what is young, open or part of the audit stays."""

from __future__ import annotations

from agencyclaw.cli.tidy import REMOVED
from agencyclaw.store.engine import Database
from agencyclaw.store.retention import forget_old

_A_MONTH_OF_TALK = """
with people as (select id as profile, slack_user_id from profiles where slack_user_id = 'U01MIG'),
receipt as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane, payload, status, received_at)
  select 'k' || age, 'events', 'message', 'T', 'D', age::text, age::text, true, 'U01MIG', 'lane',
    '{}', case when age = 40 then 'received' else 'done' end, now() - make_interval(days => age)
  from generate_series(1, 60) as age
  returning id, received_at
), run as (
  insert into agent_runs (run_type, run_key, status, team_id, place, channel_id, thread_ts, source,
    trace_id, receipt_id, started_at)
  select 'main', 'r' || id, 'completed', 'T', 'p', 'D', '1', 'events', '', id, received_at
  from receipt returning id, receipt_id, started_at
), message as (
  insert into agent_messages (run_id, role, content) select id, 'user', '{}' from run
), cost as (
  insert into ai_token_usage (tool, run_id, stage, model, prompt_tokens, completion_tokens,
    total_tokens, created_at) select 'main', id, 'main', 'm', 1, 1, 2, started_at from run
), said as (
  insert into outbox (key, kind, team_id, channel_id, receipt_id, run_id, state, created_at)
  select 'o' || receipt_id, 'answer', 'T', 'D', receipt_id, id, 'sent', started_at from run
), thread as (
  insert into slack_sessions (team_id, channel_id, thread_ts, place, shown, shown_at)
  select 'T', 'D', receipt_id, 'p', 'active', started_at from run
), digest as (
  insert into thread_digests (team_id, channel_id, thread_ts, text, covers_until, fingerprint,
    made_at)
  select 'T', 'C', receipt_id, 'They agreed.', '1', 'f', started_at from run
), event as (
  insert into agent_events (event_type, run_id) select 'guard_reply', id from run
)
insert into proposals (receipt_id, run_id, ordinal, team_id, place, channel_id, thread_ts,
  is_direct, actor_profile_id, actor_slack_user_id, actor_name, skill_id, fingerprint, state,
  created_at)
select receipt_id, run.id, 0, 'T', 'p', 'D', '1', true, profile, slack_user_id, 'Miguel',
  'create_task', 'f', 'done', started_at
from run, people where started_at < now() - interval '50 days'
"""


async def count(db: Database, table: str) -> int:
    return await db.pool.fetchval(f"select count(*) from {table}")


async def test_after_thirty_days_words_go_and_the_audit_stays(agency: Database) -> None:
    await agency.pool.execute(_A_MONTH_OF_TALK)
    audit, proposals = await count(agency, "agent_events"), await count(agency, "proposals")

    forgotten = await forget_old(agency, 30)

    # Of thirty one old receipts one is unanswered, and ten led to proposals.
    assert forgotten == {
        "runs": 30,
        "deliveries": 31,
        "receipts": 20,
        "sessions": 0,
        "gaps": 0,
        "shown_threads": 31,
        "digests": 31,
        "costs": 0,
        "clickup_reads": 0,
    }
    assert await count(agency, "slack_event_receipts") == 60 - 20
    assert await count(agency, "agent_messages") == 30
    assert await count(agency, "ai_token_usage") == 60
    # The clean-up itself is audited, too.
    assert (await count(agency, "agent_events"), await count(agency, "proposals")) == (
        audit + 1,
        proposals,
    )
    assert sum((await forget_old(agency, 30)).values()) == 0


async def test_what_was_removed_is_told_in_the_audit(agency: Database) -> None:
    await agency.pool.execute(_A_MONTH_OF_TALK)

    await forget_old(agency, 30)
    await forget_old(agency, 30)

    [told] = await agency.pool.fetch("select * from agent_events where event_type = 'retention'")
    assert told["reason"] == "30 days"
    assert told["payload"]["receipts"] == 20


async def test_gaps_go_when_they_are_settled_or_nobody_misses_them_any_more(
    agency: Database,
) -> None:
    await agency.pool.execute(
        "insert into knowledge_gaps (key, question, last_asked, settled_at) values"
        " ('a', 'open and young', now() - interval '100 days', null),"
        " ('b', 'open and old', now() - interval '181 days', null),"
        " ('c', 'settled lately', now() - interval '100 days', now() - interval '29 days'),"
        " ('d', 'settled long ago', now() - interval '100 days', now() - interval '31 days')"
    )
    assert (await forget_old(agency, 30))["gaps"] == 2
    left = await agency.pool.fetch("select question from knowledge_gaps order by key")
    assert [row["question"] for row in left] == ["open and young", "settled lately"]


async def test_of_an_old_proposal_its_card_stays_and_not_each_redrawing(agency: Database) -> None:
    await agency.pool.execute(
        "insert into outbox (key, kind, team_id, channel_id, proposal_ids, state, created_at)"
        " select kind, kind, 'T', 'D', array[gen_random_uuid()], 'sent', now() - interval '40 days'"
        " from unnest(array['card', 'card_update', 'home']) as kind"
    )

    assert (await forget_old(agency, 30))["deliveries"] == 1
    kept = await agency.pool.fetch("select kind from outbox order by kind")
    assert [row["kind"] for row in kept] == ["card", "home"]


async def test_the_command_has_words_for_everything_that_is_removed(agency: Database) -> None:
    assert (await forget_old(agency, 30)).keys() == REMOVED.keys()
