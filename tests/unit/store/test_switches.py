"""What is switched on, and how often a person used it, as the tables say."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Limit, Override
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.engine import Database
from agencyclaw.store.switches import CallMeter, read_switches

TEAM = "T0LANTERN"
GLINTLY = client_id("Glintly Inc")


async def decide(
    db: Database, scope: str = "global", scope_id: str | None = None, **more: Any
) -> None:
    """Store an override of creating tasks, as an admin would."""
    names = ["skill_id", "scope_type", "scope_id", *more]
    places = ", ".join(f"${at}" for at in range(1, len(names) + 1))
    await db.pool.execute(
        f"insert into skill_policy_overrides ({', '.join(names)}) values ({places})",
        "clickup_task_create",
        scope,
        scope_id,
        *more.values(),
    )


async def test_overrides_are_read_by_the_names_of_tools(agency: Database) -> None:
    await decide(agency, min_role_tier="admin", max_calls_per_hour=5)
    await decide(agency, "team", TEAM, enabled=False, allowed_channels=["C01OPS", "dm"])
    await decide(agency, "team", "T0OTHER", enabled=False)
    await decide(agency, "client", str(GLINTLY), requires_confirmation=True)

    switches = await read_switches(agency, TEAM)

    assert "create_task" in switches.enabled
    assert set(switches.overrides) == {
        Override(tool="create_task", scope="global", tier=Tier.ADMIN, calls_per_hour=5),
        Override(
            tool="create_task",
            scope="team",
            scope_id=TEAM,
            enabled=False,
            channels=("C01OPS", "dm"),
        ),
        Override(
            tool="create_task", scope="client", scope_id=str(GLINTLY), requires_confirmation=True
        ),
    }


@pytest.mark.parametrize(
    ("scope", "scope_id", "more"),
    [
        ("global", "T0LANTERN", {}),
        ("client", None, {}),
        ("planet", "x", {}),
        ("global", None, {"requires_confirmation": False}),
        ("global", None, {"min_role_tier": "viewer"}),
        ("global", None, {"max_calls_per_hour": -1}),
    ],
)
async def test_a_decision_that_cannot_be_meant_is_refused_at_once(
    agency: Database, scope: str, scope_id: str | None, more: dict[str, Any]
) -> None:
    with pytest.raises(asyncpg.CheckViolationError):
        await decide(agency, scope, scope_id, **more)


async def test_there_is_one_decision_for_each_scope(agency: Database) -> None:
    await decide(agency, enabled=True)

    with pytest.raises(asyncpg.UniqueViolationError):
        await decide(agency, enabled=False)


async def test_calls_are_counted_within_a_rolling_hour(agency: Database) -> None:
    meter = CallMeter(agency, person_id("Miguel Duarte"))
    assert [await meter.use("list_tasks", Limit(2)) for _ in range(2)] == [None, None]

    free_at = await meter.use("list_tasks", Limit(2))
    now = await agency.pool.fetchval("select now()")
    assert free_at is not None
    assert timedelta(minutes=59) < free_at - now <= timedelta(hours=1)

    await agency.pool.execute(
        "update skill_call_meter set calls[1] = now() - interval '61 minutes'"
    )
    assert await meter.use("list_tasks", Limit(2)) is None
    assert await meter.use("list_tasks", Limit(2)) is not None


async def test_another_person_tool_or_client_has_its_own_count(agency: Database) -> None:
    miguel = CallMeter(agency, person_id("Miguel Duarte"))
    tomas = CallMeter(agency, person_id("Tomas Reed"))
    assert await miguel.use("list_tasks", Limit(1)) is None

    assert await miguel.use("list_tasks", Limit(1)) is not None
    assert await miguel.use("search_kb", Limit(1)) is None
    assert await miguel.use("list_tasks", Limit(1, GLINTLY)) is None
    assert await tomas.use("list_tasks", Limit(1)) is None
    assert await tomas.use("get_client_context", Limit(0)) is not None


async def test_of_many_calls_at_once_no_more_than_allowed_pass(agency: Database) -> None:
    meter = CallMeter(agency, person_id("Miguel Duarte"))

    ends = await asyncio.gather(*(meter.use("list_tasks", Limit(5)) for _ in range(20)))

    assert ends.count(None) == 5
