"""Audit rows are added; nobody can change, delete or empty them."""

from __future__ import annotations

from uuid import uuid4

import asyncpg
import pytest

from agencyclaw.domain.journal import RefusedCall
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event, record_refusals

_RUN = """
insert into agent_runs (id, run_key, actor_profile_id, team_id, place, channel_id, thread_ts,
  source, trace_id) values ($1, 'a run', $2, 'T', 'T:D', 'D', '1.1', 'events', 'trace')
"""


@pytest.mark.parametrize(
    "statement",
    [
        "delete from agent_events",
        "update agent_events set reason = 'it was allowed'",
        "update agent_events set payload = '{}', run_id = null",
        "truncate agent_events",
    ],
)
async def test_an_audit_row_stays_as_it_is(database: Database, statement: str) -> None:
    await record_event(database.pool, "guard_reply", reason="unlinked_actor", payload={"a": 1})

    with pytest.raises(asyncpg.RaiseError, match="never changed"):
        await database.pool.execute(statement)

    [row] = await database.pool.fetch("select reason, payload from agent_events")
    assert (row["reason"], row["payload"]) == ("unlinked_actor", {"a": 1})


async def test_a_forgotten_run_leaves_its_audit(agency: Database) -> None:
    run = uuid4()
    await agency.pool.execute(_RUN, run, person_id("Ines Varga"))
    await record_event(agency.pool, "guard_reply", reason="command", run_id=run)

    await agency.pool.execute("delete from agent_runs")

    [row] = await agency.pool.fetch("select reason, run_id from agent_events")
    assert (row["reason"], row["run_id"]) == ("command", None)


async def test_a_refused_call_is_kept_with_its_rule_and_what_it_was_judged_by(
    agency: Database,
) -> None:
    run, meta = uuid4(), {"actor_tier": "viewer", "surface": "dm", "scope": "internal", "times": 2}
    await agency.pool.execute(_RUN, run, person_id("Paul Brandt"))

    refused = RefusedCall("create_task", "viewer_mutation_denied", {**meta, "skill": None})
    await record_refusals(agency.pool, run, (refused,))
    await record_refusals(agency.pool, run, ())

    [row] = await agency.pool.fetch("select * from agent_events")
    assert row["event_type"] == "tool_refused"
    assert row["reason"] == "viewer_mutation_denied"
    assert row["actor_profile_id"] == person_id("Paul Brandt")
    assert row["run_id"] == run
    assert row["payload"] == {**meta, "skill": "create_task"}
