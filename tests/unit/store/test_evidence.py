"""Results of earlier runs, by their keys."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.people import Actor, Place, Tier
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from agencyclaw.store.runs import PlaceNotebook

PLACE = Place(team_id="T1", channel_id="C1", thread_ts="1.1", is_direct=False)
INES = Actor(
    profile_id=person_id("Ines Varga"), name="Ines", tier=Tier.ADMIN, slack_user_id="U1INES"
)
_RUN = """
insert into agent_runs (run_key, actor_profile_id, team_id, place, channel_id, thread_ts, source,
  trace_id, input_payload)
values ('run', $1, 'T1', $2, 'C1', '1.1', 'events', 't', '{}') returning id
"""
_RESULT = """
insert into agent_skill_events (run_id, event_type, skill_id, payload, created_at)
values ($1, 'skill_result', 'list_tasks', $2, now() + make_interval(secs => $3))
"""


async def a_run(db: Database, *payloads: dict[str, Any]) -> UUID:
    run_id = await db.pool.fetchval(_RUN, INES.profile_id, PLACE.key)
    for second, payload in enumerate(payloads):
        await db.pool.execute(_RESULT, run_id, payload, float(second))
    return run_id


async def test_a_runs_own_key_brings_its_first_result_although_a_call_failed_before(
    agency: Database,
) -> None:
    results = ({"error": "TimeoutError"}, {"result": {"total": 1}}, {"result": {"total": 2}})
    run_id = await a_run(agency, *results)

    found = await PlaceNotebook(agency, PLACE, INES, {}).evidence(f"ev:{run_id}")

    assert found.payload == {"result": {"total": 1}}


async def test_a_run_whose_calls_all_failed_has_none(agency: Database) -> None:
    run_id = await a_run(agency, {"error": "TimeoutError"})
    notebook = PlaceNotebook(agency, PLACE, INES, {})

    with pytest.raises(NotFound, match="can't be read") as damaged:
        await notebook.evidence(f"ev:{run_id}")
    with pytest.raises(NotFound, match="no earlier result") as unknown:
        await notebook.evidence(f"ev:{uuid4()}")
    reasons = (damaged.value.reason, unknown.value.reason)
    assert reasons == ("invalid_event_payload", "not_found")


@pytest.mark.parametrize("key", ["../etc/passwd", "ev:1/2/3", "ev:1'; drop table x", ""])
async def test_what_is_no_key_is_not_looked_for(agency: Database, key: str) -> None:
    with pytest.raises(NotFound, match="not a key") as refused:
        await PlaceNotebook(agency, PLACE, INES, {}).evidence(key)
    assert refused.value.reason == "invalid_key"
