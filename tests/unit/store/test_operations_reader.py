"""What admins read of runs: whose they are, what failed, what an answer costs."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from agencyclaw.domain.people import Actor, Tier
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from agencyclaw.store.homes import Homes
from agencyclaw.store.operations import OperationsReader
from agencyclaw.store.run_reports import newest_runs
from agencyclaw.store.schedules import schedules_of_others
from agencyclaw.store.setup_checks import linked_people

TEAM = "T0LANTERN"
INES, SARA = person_id("Ines Varga"), person_id("Sara Okafor")
_RUN = """
insert into agent_runs (id, run_key, run_type, parent_run_id, actor_profile_id, team_id, place,
  channel_id, thread_ts, source, trace_id, status, completed_at)
values ($1, 'run:' || $1::uuid, $2, $3, $4, 'T0LANTERN', 'p', 'D', '1', 'events', '', $5, now())
"""
_SPENT = """
insert into ai_token_usage (tool, user_id, run_id, team_id, stage, model, prompt_tokens,
  completion_tokens, total_tokens, cost_usd)
select 'agencyclaw', actor_profile_id, id, team_id, 'main', 'm', 1, 1, 2, $2
from agent_runs where id = $1
"""
_REFUSED = """
insert into agent_skill_events (run_id, event_type, skill_id, payload)
values ($1, 'skill_result', 'search_messages', $2)
"""
_QUESTION = """
insert into schedules (person_id, team_id, words, work, channel_id, timing)
values ($1, 'T0LANTERN', 'what is due', 'ask', 'D',
  '{"at": "09:00", "zone": "UTC", "every": "day", "day": "2026-01-01"}')
"""


def reader(db: Database) -> OperationsReader:
    actor = Actor(profile_id=INES, name="Ines Varga", tier=Tier.ADMIN, slack_user_id="U01INES")
    return OperationsReader(db, actor, uuid4(), TEAM)


async def ran(
    db: Database,
    *,
    person: UUID = SARA,
    below: UUID | None = None,
    status: str = "completed",
    cost: float = 0.0,
) -> UUID:
    run_id = uuid4()
    await db.pool.execute(_RUN, run_id, "child" if below else "main", below, person, status)
    await db.pool.execute(_SPENT, run_id, cost)
    return run_id


async def test_a_person_without_a_full_name_has_a_name_everywhere(agency: Database) -> None:
    renamed = "update profiles set full_name = null, display_name = $2 where id = $1"
    await agency.pool.execute(renamed, SARA, " ")
    await agency.pool.execute(renamed, INES, "Ines")
    email = await agency.pool.fetchval("select email from profiles where id = $1", SARA)
    for person in (SARA, INES):
        await ran(agency, person=person, cost=0.01)
    await agency.pool.execute(_QUESTION, SARA)

    costs = await reader(agency).costs(1, "person")
    assert {row.name for row in costs.rows} == {email, "Ines"}
    assert {run.person for run in await newest_runs(agency, limit=5)} == {email, "Ines"}
    [question] = await schedules_of_others(agency.pool, TEAM, INES)
    assert question.owner.name == email
    assert {email, "Ines"} <= {person.name for person in await linked_people(agency)}


async def test_what_slack_did_not_let_us_read_is_a_warning_as_what_clickup_did_not_is(
    agency: Database,
) -> None:
    run_id = await ran(agency)
    for reason in ("slack_unread", "unavailable", "not_found"):
        refusal = {"result": {"kind": "refusal", "reason": reason, "message": "Not read."}}
        await agency.pool.execute(_REFUSED, run_id, refusal)

    failures = await reader(agency).errors(1)

    assert {one.reason for one in failures} == {"slack_unread", "unavailable"}
    assert {one.severity for one in failures} == {"warning"}


async def test_a_sub_agent_that_failed_is_no_failed_answer(agency: Database) -> None:
    answer = await ran(agency)
    await ran(agency, below=answer, status="failed")

    [failure] = await reader(agency).errors(1)
    assert failure.tool == "sub-agent"
    assert (await Homes(agency).overview(TEAM)).failed_answers == 0


async def test_what_an_answer_costs_is_of_the_same_workspace(agency: Database) -> None:
    elsewhere = await ran(agency, cost=5.0)
    await agency.pool.execute("update agent_runs set team_id = 'T0OTHER' where id = $1", elsewhere)

    assert await reader(agency).cost_of_an_answer() is None
    await ran(agency, cost=0.01)
    assert await reader(agency).cost_of_an_answer() == pytest.approx(0.01)


async def test_what_sub_agents_cost_is_a_part_of_what_an_answer_costs(agency: Database) -> None:
    answer = await ran(agency, cost=0.01)
    await ran(agency, below=answer, cost=0.03)

    assert await reader(agency).cost_of_an_answer() == pytest.approx(0.04)
    run = await reader(agency).run(str(answer)[:8])
    assert (run.cost_usd, run.tokens, run.sub_runs) == (pytest.approx(0.04), 4, 1)
