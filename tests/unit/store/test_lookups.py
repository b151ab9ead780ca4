"""What is asked at every message, press and redraw costs the same after years of talk."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from agencyclaw.store.background import _BACKGROUND
from agencyclaw.store.choices import _OFFERED
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import _CARDS
from agencyclaw.store.proposals import _RECENT
from agencyclaw.store.threads import _POSITION
from agencyclaw.store.transcripts import _POSTED, _SHOWN

_YEARS_OF_TALK = """
with receipt as (
  insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
    thread_ts, slack_ts, is_direct, slack_user_id, lane, payload, status, received_at)
  select 'k' || n, 'events', 'message', 'T', 'C' || n % 50, n::text, n::text, false, 'U' || n % 50,
    'T:C' || n, '{}', 'done', now() - make_interval(mins => n)
  from generate_series(1, 5000) as n
  returning id, channel_id, thread_ts, slack_user_id, received_at
), proposal as (
  insert into proposals (receipt_id, ordinal, team_id, place, channel_id, thread_ts, is_direct,
    actor_profile_id, actor_slack_user_id, actor_name, skill_id, fingerprint, state, opened_at,
    settled_at)
  select receipt.id, 1, 'T', 'T:' || channel_id || ':' || thread_ts, channel_id, thread_ts, false,
    profile.id, receipt.slack_user_id, 'Miguel', 'create_task', 'f', 'done', received_at,
    received_at
  from receipt, (select id from profiles limit 1) as profile
  returning id, receipt_id, channel_id, thread_ts
)
insert into outbox (key, kind, team_id, channel_id, thread_ts, receipt_id, proposal_ids, state,
  sent_ts, created_at)
select kind || receipt_id, kind, 'T', channel_id, thread_ts, receipt_id,
  case when kind = 'card' then array[id] else '{}' end, 'sent', thread_ts,
  now() - make_interval(mins => receipt_id::int)
from proposal, unnest(array['answer', 'notice', 'card']) as kind
"""
_FEW = 600
SOMEBODY, PROPOSAL, CARD = UUID(int=7), UUID(int=8), UUID(int=9)
# One person with all of it: what is asked of a place must not read what they did elsewhere.
_AND_ONE_OF_THEM: tuple[tuple[Any, ...], ...] = (
    ("update proposals set id = $1 where receipt_id = 3000", PROPOSAL),
    (
        "update outbox set id = $1, sent_at = created_at, proposal_ids = array[$2::uuid]"
        " where receipt_id = 3000 and kind = 'card'",
        CARD,
        PROPOSAL,
    ),
    ("insert into profiles (id, email, full_name) values ($1, 'm@x.example', 'M')", SOMEBODY),
    (
        "update proposals p set card_id = o.id, actor_profile_id = $1 from outbox o"
        " where o.kind = 'card' and o.receipt_id = p.receipt_id",
        SOMEBODY,
    ),
)
_ASKED: dict[str, tuple[str, tuple[Any, ...]]] = {
    "what stands before a message of a thread": (_POSITION, ("T", "C7", "7", "8.5", "U7", 3)),
    "what went before": (
        _BACKGROUND,
        ("T", "T:C7:7", "7", SOMEBODY, {}, False, 1800.0, 24, 5, "C7", "Stopped."),
    ),
    "which choices were offered": (_OFFERED, ("T", "C7", "7")),
    "which cards show a proposal": (_CARDS, (PROPOSAL,)),
    "which cards a word can be about": (_SHOWN, ("T", "C0", SOMEBODY)),
    "what stands between a card and a word": (
        _POSTED,
        ("T", "C0", CARD, "5001", datetime.now(UTC), "U0", 3000),
    ),
    "what was done for a person lately": (_RECENT, ("T", "U7")),
}


def rows_in_vain(plan: dict[str, Any]) -> Iterator[int]:
    """How many rows each step of a plan read and threw away."""
    yield plan.get("Rows Removed by Filter", 0) * plan["Actual Loops"]
    for step in plan.get("Plans", ()):
        yield from rows_in_vain(step)


@pytest.mark.parametrize("question", _ASKED)
async def test_it_reads_no_more_than_it_needs(agency: Database, question: str) -> None:
    await agency.pool.execute(_YEARS_OF_TALK)
    for statement, *given in _AND_ONE_OF_THEM:
        await agency.pool.execute(statement, *given)
    await agency.pool.execute("analyze slack_event_receipts, proposals, outbox")
    statement, given = _ASKED[question]

    [[explained]] = await agency.pool.fetch(f"explain (analyze, format json) {statement}", *given)

    assert sum(rows_in_vain(explained[0]["Plan"])) < _FEW
