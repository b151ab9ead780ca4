"""A watch: begun by a press, looked at by code alone, reported once to its owner."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from acting import INES, MIGUEL, SARA_L, TOMAS, ScriptedModel, calls, minded, offer
from stage import Stage, buttons, dm, eventually, whole_text

from agencyclaw.domain.watches import AGENCY_CHECKS, Check
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

SAID = "tell me when a task of Glintly Inc is late"
FOUND = calls("search_tools", queries=["watch alert"])
FOUND_WORDS = "Watching for "
_OTHER = (["task", "id"], "another")
_LOOK = """
select procrastinate_defer_jobs_v1(array[
  row('work:T0LANTERN', 'watch', 0, null, null, '{"timestamp": 0}', null)
    ::procrastinate_job_to_defer_v1])
"""


@asynccontextmanager
async def watching(
    bench: Bench, db: Database, check: Check = Check.LATE, who: str = INES, **more: Any
) -> AsyncGenerator[tuple[Stage, ScriptedModel]]:
    """Run the assistant with a watch that has begun: of a client, or of the agency."""
    about = {} if check in AGENCY_CHECKS else {"client": "Glintly Inc"}
    prepares = calls("watch_client", check=check.value, **about, **more)
    mind = ScriptedModel(FOUND, prepares, "It is on the card.")
    async with minded(bench, db, mind) as stage:
        root = await stage.say(who, f"{SAID} {' '.join(map(str, more.values()))}")
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


async def change(bench: Bench, task_id: str, **fields: object) -> None:
    """Change a task, as somebody does in ClickUp."""
    address = f"{bench.clickup_api_url}/task/{task_id}"
    async with httpx.AsyncClient(headers={"Authorization": "pk_workbench"}) as clickup:
        answer = await clickup.put(address, json=fields)
    assert answer.is_success, answer.text


@pytest.mark.parametrize("ending", ["closed", "moved", "archived"])
async def test_a_task_somebody_waits_for_is_reported_once_when_it_is_done(
    bench: Bench, agency: Database, ending: str
) -> None:
    title = "Ask the client for the new Glintly brand guide"
    async with watching(bench, agency, Check.DONE, who=SARA_L, task=title) as (stage, mind):
        asked = len(mind.told)
        await look(stage)
        assert [one["active"] for one in await watches(stage)] == [True]

        [task] = await stage.tasks_named(title)
        if ending == "closed":
            await change(bench, task["id"], status="complete")
        elif ending == "archived":
            await change(bench, task["id"], archived=True)
        else:
            await stage.db.pool.execute("update brands set clickup_list_id = '901005000099'")
        await look(stage)
        await look(stage)

        shown = [whole_text(one) for one in await bench.messages(dm(SARA_L))]
        told = [text for text in shown if "is done." in text or "is no longer among" in text]
        assert len(told) == 1
        assert ("is done." in told[0]) == (ending == "closed")
        assert [one["active"] for one in await watches(stage)] == [False]
        assert len(mind.told) == asked


async def test_two_tasks_of_one_title_are_waited_for_at_once(
    bench: Bench, agency: Database
) -> None:
    title = "Ask the client for the new Glintly brand guide"
    async with watching(bench, agency, Check.DONE, who=SARA_L, task=title) as (stage, mind):
        await stage.db.pool.execute(
            "update schedules set watch = jsonb_set(watch, $1, $2)", *_OTHER
        )
        again = calls("watch_client", check="done", client="Glintly Inc", task=title)
        mind.answers(FOUND, again, "It is on the card.")
        root = await stage.say(SARA_L, f"{SAID} {title}")
        await stage.press(SARA_L, await offer(stage, SARA_L, root, "Start"), "Start")
        await stage.settled()

        tasks = {one["watch"]["task"]["id"] for one in await watches(stage)}
        assert len(tasks) == 2


async def test_what_ends_and_begins_again_is_reported_again(bench: Bench, agency: Database) -> None:
    async with watching(bench, agency) as (stage, _):
        await look(stage)
        [before] = await watches(stage)
        assert before["reported"]
        await stage.db.pool.execute("update schedules set reported = '[]'")
        await look(stage)
        assert len(await reports(stage, INES)) == 1, "a watch reports once an hour at most"

        await an_hour_passes(stage)
        await look(stage)

        [after] = await watches(stage)
        assert after["reported"] == before["reported"]
        assert len(await reports(stage, INES)) == 2


async def an_hour_passes(stage: Stage) -> None:
    await stage.db.pool.execute(
        "update schedules set reported_at = reported_at - interval '1 hour'"
    )


async def test_a_threshold_is_reported_only_above_it(bench: Bench, agency: Database) -> None:
    async with watching(bench, agency, above=50) as (stage, _):
        await look(stage)
        assert await reports(stage, INES) == []

        await stage.db.pool.execute("""update schedules set watch = watch || '{"above": 0}'""")
        await look(stage)
        assert len(await reports(stage, INES)) == 1


_RUNS = """
insert into agent_runs (run_key, status, team_id, place, channel_id, thread_ts, source, trace_id)
select 'watched' || n, case when n <= $1 then 'failed' else 'completed' end, 'T0LANTERN', 'D1',
  'D1', '', 'events', ''
from generate_series(1, 10) as n
"""
_GAP = """
insert into knowledge_gaps (key, client_id, question, best)
select 'refill', c.id, 'How do we <!channel> refill?', 0 from agency_clients c
where c.name = 'Glintly Inc'
"""
_SPENT = """
insert into ai_token_usage (tool, run_id, stage, model, prompt_tokens, completion_tokens,
  total_tokens, cost_usd)
select 'main', id, 'main', 'any', 1, 1, 2, 60 from agent_runs limit 1
"""
_CHANGED = """
update playbook_sops set version = '2', last_synced_at = now() where id =
  (select id from playbook_sops where state = 'approved' order by name limit 1)
"""


@pytest.mark.parametrize(
    ("check", "more", "happens", "shown"),
    [
        (Check.CHANGED_PROCEDURE, {}, [_CHANGED], "procedures that are new or have changed: 1"),
        (Check.UNANSWERED_QUESTION, {}, [_GAP], "refill? (asked 1 time)"),
        (Check.ERROR_RATE, {"above": 20}, [_RUNS], "answers failed within a day"),
        (Check.COST, {"above": 50}, [_SPENT], "$60.00 so far this month"),
    ],
)
async def test_what_the_agency_itself_knows_is_watched_without_a_model(
    bench: Bench,
    agency: Database,
    check: Check,
    more: dict[str, Any],
    happens: list[str],
    shown: str,
) -> None:
    async with watching(bench, agency, check, **more) as (stage, mind):
        await look(stage)
        assert await reports(stage, INES) == []
        asked = len(mind.told)
        for statement in happens:
            await stage.db.pool.execute(statement, *([10] if "$1" in statement else []))
        await look(stage)
        await look(stage)

        [report] = await reports(stage, INES)
        assert shown in whole_text(report)
        assert "<!channel>" not in whole_text(report)
        assert len(mind.told) == asked


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"check": "cost", "client": "Glintly Inc", "above": 50}, "of_agency_alone"),
        ({"check": "changed_procedure", "client": "Glintly Inc"}, "of_agency_alone"),
        (
            {"check": "unanswered_question", "client": "Brightkettle", "brand": "Tessera"},
            "not_of_a_brand",
        ),
    ],
)
async def test_what_is_not_known_of_a_client_or_brand_is_not_watched_for_another(
    bench: Bench, agency: Database, asked: dict[str, Any], reason: str
) -> None:
    mind = ScriptedModel(FOUND, calls("watch_client", **asked), "Of the whole agency?")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, f"tell me {' '.join(map(str, asked))} 50"))

        assert (await stage.result("watch_client"))["reason"] == reason
        assert await stage.proposals() == []


@pytest.mark.parametrize("check", [Check.UNANSWERED_QUESTION, Check.ERROR_RATE, Check.COST])
async def test_a_member_watches_neither_errors_nor_cost(
    bench: Bench, agency: Database, check: Check
) -> None:
    prepares = calls("watch_client", check=check.value, above=50)
    async with minded(bench, agency, ScriptedModel(FOUND, prepares, "I can't.")) as stage:
        root = await stage.say(MIGUEL, "tell me what the models cost")
        await stage.reply_with(MIGUEL, root, "I can't.")
        await stage.settled()

        assert await watches(stage) == []
        assert not await stage.db.pool.fetchval("select count(*) from proposals")


async def test_who_is_no_admin_any_more_hears_no_cost(bench: Bench, agency: Database) -> None:
    async with watching(bench, agency, Check.COST, who=TOMAS, above=50) as (stage, _):
        await stage.db.pool.execute(
            "update profiles set is_admin = false, role = 'member' where slack_user_id = $1", TOMAS
        )
        await stage.db.pool.execute(_SPENT)
        await look(stage)

        assert await reports(stage, TOMAS) == []
        [kept] = await watches(stage)
        assert kept["paused_because"]


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
        "insert into skill_policy_overrides (skill_id, scope_type, scope_id, enabled)"
        " select 'watch_client', 'client', client_id::text, false from schedules s"
        " join profiles p on p.id = s.person_id where p.slack_user_id = $1",
    ],
)
async def test_who_may_not_watch_the_client_any_more_hears_nothing_and_admins_do(
    bench: Bench, agency: Database, loss: str
) -> None:
    async with watching(bench, agency, who=MIGUEL) as (stage, _):
        await stage.db.pool.execute(loss, MIGUEL)
        await look(stage)

        assert await reports(stage, MIGUEL) == []
        [kept] = await watches(stage)
        assert (kept["next_at"], kept["active"]) == (None, True)
        assert kept["paused_because"]
        # Who is still here may rely on it.
        told = [whole_text(one) for one in await bench.messages(dm(MIGUEL))]
        is_here = "inactive" not in loss
        assert any("I paused" in one and kept["words"] in one for one in told) is is_here


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
