"""Two workspaces on one database: what admins are told of one says nothing of the other."""

from __future__ import annotations

from uuid import UUID

from acting import INES, SARA_L, Acting
from stage import Stage
from test_operations_flow import GLINTLY, HEARTHLANE, ask, chart, looking

from agencyclaw.conversation.watching import run_figures
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.events import record_event
from agencyclaw.store.homes import Homes
from agencyclaw.store.operations import OperationsReader
from agencyclaw.store.retention import forget_old

OTHER = "T0OTHER"
_MOVED = ("agent_runs", "slack_event_receipts", "proposals", "outbox", "ai_token_usage")


def reader(stage: Stage, team_id: str) -> OperationsReader:
    ines = person_id("Ines Varga")
    actor = Actor(profile_id=ines, name="Ines Varga", tier=Tier.ADMIN, slack_user_id=INES)
    return OperationsReader(stage.db, actor, ines, team_id)


async def gone_wrong(stage: Stage) -> tuple[str, UUID]:
    """Let a turn fail in every way that is reported; returns its workspace and its run."""
    await ask(stage, SARA_L, GLINTLY)
    pool = stage.db.pool
    await pool.execute("update ai_token_usage set cost_usd = 2")
    await pool.execute(
        "update slack_event_receipts set status = 'dead', failures = 3, attempts = 9"
    )
    await pool.execute("update outbox set state = 'dead' where kind = 'answer'")
    row = await pool.fetchrow(
        "update agent_runs set status = 'failed', output_payload = '{}' returning team_id, id"
    )
    assert row is not None
    return row["team_id"], row["id"]


async def test_admins_read_of_no_other_workspace_on_the_same_database(acting: Acting) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"))
    here, run_id = await gone_wrong(stage)

    own, others = reader(stage, here), reader(stage, OTHER)
    assert (await own.run(str(run_id))).id == run_id
    assert {group.tool for group in await own.errors(1)} == {"answer", "delivery", "message"}
    assert (await own.events(1)).failed
    assert (await own.events(1)).repeated
    assert (await own.costs(30, "model")).rows
    for name in (str(run_id), ""):
        try:
            await others.run(name)
        except NotFound:
            continue
        raise AssertionError(f"a run of another workspace is shown for {name!r}")
    assert await others.errors(1) == []
    events = await others.events(1)
    assert (events.counts, events.repeated, events.failed) == ((), (), ())
    assert (await others.costs(30, "model")).rows == ()


async def test_home_and_watches_of_admins_count_no_other_workspace(acting: Acting) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"))
    here, _ = await gone_wrong(stage)
    await stage.db.pool.execute(
        "update slack_event_receipts set status = 'received',"
        " received_at = now() - interval '1 day'"
    )

    homes = Homes(stage.db)
    own, others = await homes.overview(here), await homes.overview(OTHER)
    assert (own.failed_answers, own.undelivered, own.waiting_messages) == (1, 1, 1)
    assert own.spent.cost_usd > 0
    assert (others.failed_answers, others.undelivered, others.waiting_messages) == (0, 0, 0)
    assert (others.spent.cost_usd, others.oldest_s, others.is_healthy) == (0, 0, True)
    assert (await run_figures(stage.db, OTHER)).cost_usd == 0


async def test_costs_keep_workspace_and_client_of_a_run_that_is_deleted(acting: Acting) -> None:
    stage = await acting(chart(HEARTHLANE, "Hearthlane"))
    await ask(stage, INES, HEARTHLANE)
    pool = stage.db.pool
    here = await pool.fetchval("select team_id from agent_runs")
    await pool.execute("update agent_runs set started_at = now() - interval '40 days'")
    await forget_old(stage.db, 30)
    assert await pool.fetchval("select count(*) from agent_runs") == 0

    costs = await reader(stage, here).costs(30, "client")
    assert {row.name for row in costs.rows} == {"Hearthlane"}
    assert (await reader(stage, OTHER).costs(30, "client")).rows == ()
    await pool.execute("update ai_token_usage set team_id = null")
    assert (await reader(stage, here).costs(30, "client")).unplaced > 0


async def test_what_failed_is_told_apart_by_the_client_of_its_run(acting: Acting) -> None:
    stage = await acting(
        chart(HEARTHLANE, "Hearthlane"),
        chart("who works here?", "nobody there"),
        looking("what failed, by client?", "error_digest", by_client=True),
    )
    await ask(stage, INES, HEARTHLANE)
    await ask(stage, INES, "who works here?")
    await stage.db.pool.execute("update agent_runs set status = 'failed', output_payload = '{}'")
    await ask(stage, INES, "what failed, by client?")

    digest = await stage.result("error_digest")
    assert {group["client"] for group in digest["groups"]} == {
        "Hearthlane",
        "no single client, or not recorded",
    }


async def test_what_is_recorded_of_a_turn_is_recorded_for_the_client_it_is_about(
    acting: Acting,
) -> None:
    stage = await acting(chart(HEARTHLANE, "Hearthlane"))
    await ask(stage, INES, HEARTHLANE)
    run_id = await stage.db.pool.fetchval("select id from agent_runs")
    await record_event(stage.db.pool, "guard_reply", run_id=run_id)
    found = await stage.db.pool.fetchval(
        "select client_id from agent_events where event_type = 'guard_reply'"
    )
    assert found == client_id("Hearthlane")
