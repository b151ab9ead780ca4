"""A watch: begun by a press, looked at by code alone, reported once to its owner."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from acting import INES, MIGUEL, ScriptedModel, calls, minded, offer
from stage import Stage, buttons, dm, eventually, whole_text

from agencyclaw.domain.watches import Check
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

SAID = "tell me when a task of Glintly Inc is late"
FOUND = calls("search_tools", queries=["watch alert"])
FOUND_WORDS = "Watching for open tasks of Glintly Inc that are late"
_LOOK = """
select procrastinate_defer_jobs_v1(array[
  row('work:T0LANTERN', 'watch', 0, null, null, '{"timestamp": 0}', null)
    ::procrastinate_job_to_defer_v1])
"""


@asynccontextmanager
async def watching(
    bench: Bench, db: Database, check: Check = Check.LATE, who: str = INES
) -> AsyncGenerator[tuple[Stage, ScriptedModel]]:
    """Run the assistant with a watch of a client that has begun."""
    prepares = calls("watch_client", client="Glintly Inc", check=check.value)
    mind = ScriptedModel(FOUND, prepares, "It is on the card.")
    async with minded(bench, db, mind) as stage:
        root = await stage.say(who, SAID)
        await stage.press(who, await offer(stage, who, root, "Start"), "Start")
        await eventually(lambda: begun(stage))
        await stage.settled()
        yield stage, mind


async def begun(stage: Stage) -> bool:
    return bool(await watches(stage))


async def watches(stage: Stage) -> list[dict[str, Any]]:
    return [dict(row) for row in await stage.db.pool.fetch("select * from schedules")]


async def reports(stage: Stage, who: str) -> list[dict[str, Any]]:
    return [one for one in await stage.bench.messages(dm(who)) if FOUND_WORDS in whole_text(one)]


async def test_what_is_so_is_reported_once_without_a_model(bench: Bench, agency: Database) -> None:
    async with watching(bench, agency) as (stage, mind):
        asked = len(mind.told)
        await look(stage)
        [report] = await reports(stage, INES)
        assert "Pause" in buttons(report)

        await look(stage)
        assert len(await reports(stage, INES)) == 1
        assert len(mind.told) == asked
        runs = "select count(*) from agent_runs where run_type <> 'main'"
        assert await stage.db.pool.fetchval(runs) == 0


async def look(stage: Stage) -> None:
    """Look at every watched client, as the engine does every 15 minutes."""
    await stage.db.pool.execute(_LOOK)
    await stage.settled()


async def test_what_ends_and_begins_again_is_reported_again(bench: Bench, agency: Database) -> None:
    async with watching(bench, agency) as (stage, _):
        await look(stage)
        [before] = await watches(stage)
        assert before["reported"]
        await stage.db.pool.execute("update schedules set reported = '[]'")
        await look(stage)

        [after] = await watches(stage)
        assert after["reported"] == before["reported"]
        assert len(await reports(stage, INES)) == 2


async def test_a_client_that_cannot_be_read_is_neither_reported_nor_forgotten(
    bench: Bench, agency: Database
) -> None:
    async with watching(bench, agency) as (stage, _):
        await look(stage)
        [before] = await watches(stage)
        away = {"target": "clickup", "method": "list_tasks", "kind": "error_before", "times": 20}
        await bench.control("POST", "faults", away)
        await look(stage)

        [after] = await watches(stage)
        assert after["reported"] == before["reported"]
        assert len(await reports(stage, INES)) == 1


_COPY = """
insert into schedules (person_id, team_id, words, timing, work, client_id, watch, next_at)
select person_id, $1, words, timing, work,
  (select id from agency_clients where id < client_id order by id limit 1), watch || $2, next_at
from schedules returning id
"""


@pytest.mark.parametrize(
    ("team_id", "other"), [("T0OTHER", {}), ("T0LANTERN", {"check": "not known to this version"})]
)
async def test_another_workspaces_watch_and_one_that_is_unknown_disturb_no_other(
    bench: Bench, agency: Database, team_id: str, other: dict[str, str]
) -> None:
    async with watching(bench, agency) as (stage, _):
        await stage.db.pool.execute("update schedules set reported = '[]'")
        copy = await stage.db.pool.fetchval(_COPY, team_id, other)
        before = [one for one in await watches(stage) if one["id"] == copy]
        await look(stage)

        assert [one for one in await watches(stage) if one["id"] == copy] == before
        assert len(await reports(stage, INES)) == 1


@pytest.mark.parametrize(
    "loss",
    [
        "update profiles set employment_status = 'inactive' where slack_user_id = $1",
        "delete from client_assignments where team_member_id ="
        " (select id from profiles where slack_user_id = $1)",
    ],
)
async def test_who_may_not_see_the_client_any_more_hears_nothing_and_admins_do(
    bench: Bench, agency: Database, loss: str
) -> None:
    async with watching(bench, agency, who=MIGUEL) as (stage, _):
        await stage.db.pool.execute(loss, MIGUEL)
        await look(stage)

        assert await reports(stage, MIGUEL) == []
        [kept] = await watches(stage)
        assert (kept["next_at"], kept["active"]) == (None, True)
        assert kept["paused_because"]


async def test_a_list_that_two_clients_share_is_not_looked_at(
    bench: Bench, agency: Database
) -> None:
    """Whose a task there is, nobody can tell."""
    async with watching(bench, agency) as (stage, _):
        await stage.db.pool.execute(
            "update brands other set clickup_list_id = own.clickup_list_id,"
            " clickup_space_id = own.clickup_space_id"
            " from brands own, agency_clients client"
            " where own.client_id = client.id and client.name = 'Glintly Inc'"
            " and other.client_id <> client.id"
        )
        await look(stage)

        assert await reports(stage, INES) == []
