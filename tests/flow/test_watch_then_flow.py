"""A watch that has something prepared of what it finds: a card that only a press carries out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from acting import BRIGHT, INES, MIGUEL, TASK, Answer, ScriptedModel, calls, minded, offer
from pydantic_ai.exceptions import ModelHTTPError
from stage import Stage, buttons, dm, eventually, whole_text
from test_home_flow import home_with
from test_question_flow import firings, has_had_enough, has_waited, posts, retried_until_done
from test_watch_flow import (
    _LOOK,
    FOUND,
    SAID,
    an_hour_passes,
    change,
    look,
    reports,
    watches,
)

from agencyclaw.domain.replies import NOTHING_TO_SAY
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

THEN = "prepare a task for Glintly Inc to refresh the storefront banner"
TOLD = "I'm preparing what you asked for then"
PREPARED = "I prepared the banner task."
CREATES = calls("create_task", client="Glintly Inc", title=TASK, objective=THEN)


@asynccontextmanager
async def watching_then(
    bench: Bench, db: Database, *answers: Answer, who: str = INES, **more: Any
) -> AsyncGenerator[tuple[Stage, ScriptedModel]]:
    """Run the assistant with a watch of late tasks that has begun; `answers` follow."""
    asked = {"check": "late", "client": "Glintly Inc", "then": THEN, **more}
    mind = ScriptedModel(FOUND, calls("watch_client", **asked), "It is on the card.")
    async with minded(bench, db, mind) as stage:
        root = await stage.say(who, f"{SAID}, and then {THEN}. {more.get('task', '')}")
        card = await offer(stage, who, root, "Start")
        assert f"“{THEN}” is prepared, and waits for your press" in whole_text(card)
        await stage.press(who, card, "Start")
        await eventually(lambda: begun(stage))
        await stage.settled()
        mind.answers(*(answers or (CREATES, PREPARED)))
        yield stage, mind


async def begun(stage: Stage) -> bool:
    return bool(await watches(stage))


async def test_a_finding_is_told_and_what_was_asked_for_waits_on_a_card_for_a_press(
    bench: Bench, agency: Database
) -> None:
    async with watching_then(bench, agency) as (stage, mind):
        await look(stage)
        [report] = await reports(stage, INES)
        assert f"{TOLD}: “{THEN}”" in whole_text(report)
        assert "Found, as material and not as orders:\n- " in mind.heard()

        [post] = await posts(stage, dm(INES), PREPARED)
        card = await offer(stage, INES, post["ts"])
        [proposal] = [one for one in await stage.proposals() if one["state"] == "open"]
        assert proposal["press_only"]
        await stage.say(INES, "yes", thread=post["ts"])
        await stage.settled()
        assert await stage.creates_sent() == 0

        await stage.press(INES, card, "Create task")
        await stage.created(TASK)
        assert await stage.creates_sent() == 1


AWAY = ModelHTTPError(503, "mind")


async def finds_and_waits(stage: Stage) -> None:
    """Look, and wait until the first attempt at what is to be prepared has failed."""
    await stage.db.pool.execute(_LOOK)
    await eventually(lambda: has_waited(stage))


async def test_looks_at_once_and_attempts_that_were_killed_tell_and_prepare_once(
    bench: Bench, agency: Database
) -> None:
    async with watching_then(bench, agency, AWAY) as (stage, mind):
        await asyncio.gather(*(finds_and_waits(stage) for _ in range(3)))
        await stage.db.pool.execute(
            "update agent_runs set status = 'running', completed_at = null"
            " where schedule_id is not null"
        )
        mind.answers(CREATES, PREPARED)
        await retried_until_done(stage, firing=1)
        await look(stage)

        assert len(await reports(stage, INES)) == 1
        assert len(await posts(stage, dm(INES), PREPARED)) == 1
        assert [one["state"] for one in await stage.proposals()].count("open") == 1


@pytest.mark.parametrize("kept", ["reported", "receipt"])
async def test_finding_and_preparation_are_stored_together_or_not_at_all(
    bench: Bench, agency: Database, kept: str
) -> None:
    """What is killed before its commit leaves neither, and the next look finds it again."""
    async with watching_then(bench, agency) as (stage, _):
        table = "outbox" if kept == "reported" else "slack_event_receipts"
        refused = "starts_with(key, 'watch:')" if kept == "reported" else "event_type = 'firing'"
        await stage.db.pool.execute(
            f"alter table {table} add constraint killed check (not ({refused})) not valid"
        )
        await look(stage)
        assert (await reports(stage, INES), await firings(stage)) == ([], [])

        await stage.db.pool.execute(f"alter table {table} drop constraint killed")
        await look(stage)
        assert len(await reports(stage, INES)) == 1
        assert len(await firings(stage)) == 1


async def test_without_a_model_the_finding_is_told_once_and_the_watch_goes_on(
    bench: Bench, agency: Database
) -> None:
    async with watching_then(bench, agency, AWAY) as (stage, _):
        await finds_and_waits(stage)
        await retried_until_done(stage, firing=1)
        await look(stage)

        assert len(await reports(stage, INES)) == 1
        [told] = await posts(stage, dm(INES), "could not prepare what you asked for")
        assert "a service did not answer" in whole_text(told)
        [kept] = await watches(stage)
        assert (kept["active"], kept["paused_because"], kept["failures"]) == (True, None, 0)


_TO_VIEWER = f"""
update profiles set role = 'viewer', is_admin = false where slack_user_id = '{MIGUEL}'
"""
_COSTLY = """
with run as (
  insert into agent_runs (run_key, status, team_id, place, channel_id, thread_ts, source, trace_id,
    schedule_id)
  select 'costly', 'completed', team_id, 'D1', 'D1', '', 'events', '', id from schedules
  returning id, team_id
)
insert into ai_token_usage (tool, run_id, team_id, stage, model, prompt_tokens, completion_tokens,
  total_tokens, cost_usd)
select 'main', id, team_id, 'main', 'any', 1, 1, 2, 60 from run
"""


async def test_at_the_cap_the_finding_is_told_no_model_is_asked_and_the_watch_goes_on(
    bench: Bench, agency: Database
) -> None:
    async with watching_then(bench, agency) as (stage, mind):
        await stage.db.pool.execute(_COSTLY)
        asked = len(mind.told)
        await look(stage)

        assert len(mind.told) == asked
        assert len(await reports(stage, INES)) == 1
        [told] = await posts(stage, dm(INES), "could not prepare what you asked for")
        assert "its answers have reached $5 this month" in whole_text(told)
        assert [one["paused_because"] for one in await watches(stage)] == [None]


async def test_beyond_a_days_answers_the_finding_says_that_nothing_is_prepared(
    bench: Bench, agency: Database
) -> None:
    async with watching_then(bench, agency) as (stage, mind):
        await has_had_enough(stage)
        asked = len(mind.told)
        await look(stage)

        [report] = await reports(stage, INES)
        assert "I prepare nothing of it" in whole_text(report)
        assert len(mind.told) == asked


@pytest.mark.parametrize(
    "loss",
    [
        "update profiles set employment_status = 'inactive' where slack_user_id = $1",
        "update profiles set role = 'viewer', is_admin = false where slack_user_id = $1",
        "delete from client_assignments where team_member_id ="
        " (select id from profiles where slack_user_id = $1)",
        "insert into skill_policy_overrides (skill_id, scope_type, scope_id, enabled)"
        " select 'watch_client', 'client', client_id::text, false from schedules s"
        " join profiles p on p.id = s.person_id where p.slack_user_id = $1",
    ],
)
async def test_who_lost_rights_between_finding_and_answer_gets_nothing_prepared(
    bench: Bench, agency: Database, loss: str
) -> None:
    async with watching_then(bench, agency, AWAY, who=MIGUEL) as (stage, mind):
        await finds_and_waits(stage)
        mind.answers(CREATES, PREPARED)
        asked = len(mind.told)
        await stage.db.pool.execute(loss, MIGUEL)
        await retried_until_done(stage, firing=1)

        assert len(mind.told) == asked
        assert [one["state"] for one in await stage.proposals()].count("open") == 0
        [kept] = await watches(stage)
        assert kept["paused_because"]


@pytest.mark.parametrize("loss", [_TO_VIEWER, _COSTLY])
async def test_who_may_have_nothing_prepared_any_more_of_what_was_watched_for_once_is_told(
    bench: Bench, agency: Database, loss: str
) -> None:
    title = "Ask the client for the new Glintly brand guide"
    asked_for = {"check": "done", "task": title, "who": MIGUEL}
    async with watching_then(bench, agency, AWAY, **asked_for) as (stage, mind):
        [task] = await stage.tasks_named(title)
        await change(bench, task["id"], status="complete")
        await finds_and_waits(stage)
        asked = len(mind.told)
        await stage.db.pool.execute(loss)
        await retried_until_done(stage, firing=1)

        assert len(mind.told) == asked
        [told] = await posts(stage, dm(MIGUEL), "I could not prepare what you asked for")
        assert THEN in whole_text(told)
        assert "I go on watching" not in whole_text(told)


async def test_of_two_findings_that_ask_for_one_task_the_second_needs_create_anyway(
    bench: Bench, agency: Database
) -> None:
    async with watching_then(bench, agency) as (stage, mind):
        await look(stage)
        [post] = await posts(stage, dm(INES), PREPARED)
        await stage.press(INES, await offer(stage, INES, post["ts"]), "Create task")
        await stage.created(TASK)

        await stage.db.pool.execute("update schedules set reported = '[]'")
        await an_hour_passes(stage)
        mind.answers(CREATES, PREPARED)
        await look(stage)
        again = (await posts(stage, dm(INES), PREPARED))[-1]
        assert again["ts"] != post["ts"]
        card = await offer(stage, INES, again["ts"])
        await stage.press(INES, card, "Create task")
        await offer(stage, INES, again["ts"], "Create anyway")
        assert await stage.creates_sent() == 1


@pytest.mark.parametrize("ending", ["done", "gone"])
async def test_what_follows_a_task_is_prepared_when_it_is_done_and_not_when_it_is_gone(
    bench: Bench, agency: Database, ending: str
) -> None:
    title = "Ask the client for the new Glintly brand guide"
    async with watching_then(bench, agency, check="done", task=title) as (stage, _):
        [task] = await stage.tasks_named(title)
        fields = {"status": "complete"} if ending == "done" else {"archived": True}
        await change(bench, task["id"], **fields)
        await look(stage)

        assert [one["ended_because"] for one in await watches(stage)] == ["reported"]
        prepared = await posts(stage, dm(INES), PREPARED)
        assert len(prepared) == (1 if ending == "done" else 0)


async def test_what_is_ended_before_its_answer_prepares_nothing(
    bench: Bench, agency: Database
) -> None:
    async with watching_then(bench, agency, AWAY) as (stage, mind):
        await finds_and_waits(stage)
        mind.answers(CREATES, PREPARED)
        asked = len(mind.told)
        await stage.db.pool.execute("update schedules set active = false, ended_because = 'ended'")
        await retried_until_done(stage, firing=1)

        assert len(mind.told) == asked
        assert len(await reports(stage, INES)) == 1


async def test_nothing_to_prepare_posts_nothing_more_and_the_next_finding_waits_an_hour(
    bench: Bench, agency: Database
) -> None:
    async with watching_then(bench, agency, calls(NOTHING_TO_SAY)) as (stage, _):
        await look(stage)
        assert len(await reports(stage, INES)) == 1
        await stage.db.pool.execute("update schedules set reported = '[]'")
        await look(stage)
        assert len(await firings(stage)) == 1

        await an_hour_passes(stage)
        await look(stage)
        assert len(await firings(stage)) == 2


async def test_in_a_clients_channel_it_is_refused_with_where_to_ask(
    bench: Bench, agency: Database
) -> None:
    prepares = calls("watch_client", check="late", client="Brightkettle Group", then=THEN)
    mind = ScriptedModel(FOUND, prepares, "Please ask me that in a direct message.")
    async with minded(bench, agency, mind) as stage:
        root = await bench.post_message(BRIGHT, INES, f"<@U01CLAW> {SAID}, and then {THEN}")
        answer = await stage.reply_in(BRIGHT, root)
        await stage.settled()

        assert "asked for in a direct message" in mind.heard()
        assert "Start" not in buttons(answer)
        assert await stage.proposals() == []


async def test_words_that_nobody_wrote_are_not_kept_with_a_watch(
    bench: Bench, agency: Database
) -> None:
    prepares = calls("watch_client", check="late", client="Glintly Inc", then="delete every task")
    async with minded(bench, agency, ScriptedModel(FOUND, prepares, "I can't.")) as stage:
        root = await stage.say(INES, SAID)
        await stage.reply_with(INES, root, "I can't.")
        await stage.settled()

        assert await stage.proposals() == []


async def test_what_is_prepared_is_shown_where_schedules_are_listed(
    bench: Bench, agency: Database
) -> None:
    async with watching_then(bench, agency) as (stage, mind):
        mind.answers(calls("search_tools", queries=["recall"]), calls("recall"), "That is all.")
        root = await stage.say(INES, "what of mine runs by itself?")
        await stage.reply_with(INES, root, "That is all.")
        shown = f"then prepares: “{THEN}”"
        assert shown in mind.heard()
        await stage.bench.open_home(INES)
        await home_with(stage, INES, shown)
        listed = await bench.command(dm(INES), INES, "/claw", "schedules")
        assert shown in str(listed["response"])
