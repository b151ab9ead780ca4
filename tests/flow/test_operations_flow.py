"""How the assistant is doing, asked for in Slack: runs, failures, events and costs."""

from __future__ import annotations

from typing import Any

import pytest
from acting import (
    ASKED,
    INES,
    SARA_L,
    SARA_O,
    TASK,
    Acting,
    ScriptedModel,
    call,
    calls,
    minded,
    offer,
    text,
    turn,
)
from stage import Stage, whole_text

from agencyclaw.domain.errors import NotAllowed, NotFound
from agencyclaw.domain.people import Actor, ScopeKind, Surface, SurfaceKind, Tier
from agencyclaw.domain.policy import Answering, answered_in
from agencyclaw.domain.receipts import Incoming
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.edited_messages import reword
from agencyclaw.store.engine import Database
from agencyclaw.store.operations import OperationsReader
from agencyclaw.store.retries import retries_left, store_retry
from agencyclaw.tools.catalogue import TOOLS
from workbench.fixture import Bench

GLINTLY, PAWTRAIL = "who works for Glintly?", "who works for Pawtrail?"
HEARTHLANE = "who works for Hearthlane?"


def reader_for(db: Database, name: str, tier: Tier) -> OperationsReader:
    """What a person reads with; no run is their present one."""
    person = person_id(name)
    actor = Actor(profile_id=person, name=name, tier=tier, slack_user_id=SARA_O)
    return OperationsReader(db, actor, person, "T0LANTERN")


def looking(say: str, tool: str, /, **arguments: object) -> dict[str, object]:
    """A turn that finds a rarely needed tool first, and then calls it."""
    return turn(say, call("search_tools", queries=[tool]), call(tool, **arguments), text("There."))


def chart(say: str, client: str) -> dict[str, object]:
    return looking(say, "cc_org_chart_ascii", client=client)


async def ask(stage: Stage, user: str, say: str) -> str:
    """Ask, and return the answer's whole text."""
    root = await stage.say(user, say)
    answer = await stage.reply(user, root)
    await stage.settled()
    return whole_text(answer)


async def test_what_a_run_did_is_looked_up_by_whose_it_is(acting: Acting) -> None:
    stage = await acting(
        chart(GLINTLY, "Glintly Inc"), looking("what was my last run?", "run_status_lookup")
    )
    await ask(stage, SARA_L, GLINTLY)
    await ask(stage, SARA_L, "what was my last run?")

    run = await stage.result("run_status_lookup")
    assert run["status"] == "completed"
    assert run["client"] == "Glintly Inc"
    assert run["request"] == GLINTLY
    assert [step["step"] for step in run["steps"]][-1] == "Drawing the org chart"


async def test_of_somebody_elses_run_a_member_learns_nothing_and_an_admin_no_words(
    acting: Acting,
) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"))
    await ask(stage, SARA_L, GLINTLY)
    run_id = await stage.db.pool.fetchval("select id from agent_runs")

    with pytest.raises(NotFound):
        await reader_for(stage.db, "Sara Okafor", Tier.MEMBER).run(str(run_id)[:8])
    seen = await reader_for(stage.db, "Ines Varga", Tier.ADMIN).run(str(run_id)[:8])
    assert seen.person == "Sara Lindqvist"
    assert seen.request is None


async def test_a_run_is_found_by_its_traces_id_as_by_its_own(acting: Acting) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"))
    await ask(stage, SARA_L, GLINTLY)
    run = await stage.db.pool.fetchrow("select id, trace_id from agent_runs")
    assert run is not None

    admin = reader_for(stage.db, "Ines Varga", Tier.ADMIN)
    assert (await admin.run(run["trace_id"])).id == run["id"]
    with pytest.raises(NotFound):
        await admin.run("0" * 32)
    with pytest.raises(NotFound):
        await reader_for(stage.db, "Sara Okafor", Tier.MEMBER).run(run["trace_id"])


async def test_what_only_admins_may_see_is_refused_by_the_store(agency: Database) -> None:
    reader = reader_for(agency, "Sara Okafor", Tier.MEMBER)
    for read in (reader.errors(1), reader.events(1), reader.costs(1, "client")):
        with pytest.raises(NotAllowed):
            await read


async def test_failures_are_counted_by_kind_and_their_texts_hold_no_secrets(
    acting: Acting,
) -> None:
    secret = "sk-abcdefghijklmnop123456"
    stage = await acting(chart(GLINTLY, "Glintly Inc"), looking("what failed?", "error_digest"))
    await ask(stage, SARA_L, GLINTLY)
    await ask(stage, SARA_L, GLINTLY)
    output = {"reason": "model_error", "cause": f"no answer with {secret}"}
    await stage.db.pool.execute(
        "update agent_runs set status = 'failed', output_payload = $1", output
    )
    await ask(stage, INES, "what failed?")

    digest = await stage.result("error_digest")
    [group] = digest["groups"]
    assert (group["tool"], group["severity"], group["count"]) == ("answer", "error", 2)
    assert group["message"].startswith("no answer with ")
    assert secret not in str(digest)


async def test_without_failures_that_is_said(acting: Acting) -> None:
    stage = await acting(looking("what failed?", "error_digest"))
    await ask(stage, INES, "what failed?")
    assert (await stage.result("error_digest"))["note"] == "There were no errors or warnings."


async def failing_charts(acting: Acting, *asked: dict[str, object]) -> Stage:
    """The stage after the tool that draws charts broke once for each of two reasons."""
    stage = await acting(chart(GLINTLY, "Glintly Inc"), *asked)
    await ask(stage, SARA_L, GLINTLY)
    for reason in ("broken", "unavailable"):
        refusal = {"result": {"kind": "refusal", "reason": reason, "message": "It failed."}}
        await stage.db.pool.execute(
            "insert into agent_skill_events (run_id, event_type, skill_id, payload)"
            " select id, 'skill_result', 'cc_org_chart_ascii', $1 from agent_runs",
            refusal,
        )
    return stage


@pytest.mark.parametrize("called", ["Drawing the org chart", "cc_org_chart_ascii"])
async def test_failures_of_a_tool_are_found_by_what_the_digest_calls_it(
    acting: Acting, called: str
) -> None:
    stage = await failing_charts(acting, looking("what failed?", "error_digest", tool=called))
    await ask(stage, INES, "what failed?")

    digest = await stage.result("error_digest")
    assert [group["tool"] for group in digest["groups"]] == ["Drawing the org chart"] * 2


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ({"severity": "warning"}, "There were no warnings; nothing else was looked for."),
        (
            {"tool": "Reading costs"},
            "There were no errors or warnings of “Reading costs”; nothing else was looked for.",
        ),
    ],
)
async def test_a_digest_without_failures_says_what_was_looked_for(
    acting: Acting, asked: dict[str, object], note: str
) -> None:
    stage = await failing_charts(acting, looking("what failed?", "error_digest", **asked))
    await stage.db.pool.execute(
        "delete from agent_skill_events where payload -> 'result' ->> 'reason' = 'unavailable'"
    )
    await ask(stage, INES, "what failed?")

    digest = await stage.result("error_digest")
    assert (digest.get("groups"), digest["note"]) == (None, note)


async def test_a_digest_says_that_it_lists_the_most_frequent_kinds_only(acting: Acting) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"), looking("what failed?", "error_digest"))
    await ask(stage, SARA_L, GLINTLY)
    await stage.db.pool.execute(
        "insert into agent_skill_events (run_id, event_type, skill_id, payload)"
        " select id, 'skill_result', 'tool ' || n, $1 from agent_runs, generate_series(1, 16) n",
        {"result": {"kind": "refusal", "reason": "broken", "message": "It failed."}},
    )
    await ask(stage, INES, "what failed?")

    digest = await stage.result("error_digest")
    assert len(digest["groups"]) == 15
    assert "15 most frequent" in digest["note"]


async def test_a_run_says_that_it_lists_its_first_steps_only(acting: Acting) -> None:
    stage = await acting(
        chart(GLINTLY, "Glintly Inc"), looking("what was my last run?", "run_status_lookup")
    )
    await ask(stage, SARA_L, GLINTLY)
    await stage.db.pool.execute(
        "insert into agent_skill_events (run_id, event_type, skill_id, payload)"
        " select id, 'skill_result', 'list_tasks', '{}' from agent_runs, generate_series(1, 100)"
    )
    await ask(stage, SARA_L, "what was my last run?")

    run = await stage.result("run_status_lookup")
    assert len(run["steps"]) == 100
    assert "first 100 steps" in run["note"]


async def test_a_runs_cost_says_what_has_no_known_price(acting: Acting) -> None:
    stage = await acting(
        chart(GLINTLY, "Glintly Inc"), looking("what was my last run?", "run_status_lookup")
    )
    await ask(stage, SARA_L, GLINTLY)
    await stage.db.pool.execute(
        "update ai_token_usage set cost_usd = 0.25, total_tokens = 1234"
        " where id = (select id from ai_token_usage limit 1)"
    )
    unpriced = "select sum(total_tokens) from ai_token_usage where cost_usd is null"
    tokens = await stage.db.pool.fetchval(unpriced)
    await ask(stage, SARA_L, "what was my last run?")

    run = await stage.result("run_status_lookup")
    assert run["cost_usd"] == 0.25
    assert f"Not in its cost: {tokens:,} tokens" in run["note"]


@pytest.mark.parametrize("run", ["", "  "])
async def test_no_run_is_tried_again_that_nobody_named(acting: Acting, run: str) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"), looking("try again", "run_retry", run=run))
    await ask(stage, INES, GLINTLY)
    await stage.db.pool.execute("update agent_runs set status = 'failed'")
    await ask(stage, INES, "try again")
    assert await stage.proposals() == []


async def test_events_are_counted_by_source_and_named_by_number_alone(acting: Acting) -> None:
    stage = await acting(
        chart(GLINTLY, "Glintly Inc"),
        looking("were any events handled twice?", "event_dedupe_audit"),
    )
    await ask(stage, SARA_L, GLINTLY)
    await stage.db.pool.execute("update slack_event_receipts set attempts = 3, failures = 2")
    await ask(stage, INES, "were any events handled twice?")

    audit = await stage.result("event_dedupe_audit")
    assert audit["counts"]["events done"] == 1
    [repeated] = audit["repeated"]
    [failed] = audit["failed"]
    assert (repeated["reason"], repeated["times"], failed["times"]) == ("begun again", 3, 2)
    assert GLINTLY not in str(audit)


async def test_costs_are_those_of_the_clients_that_the_runs_were_about(acting: Acting) -> None:
    stage = await acting(
        chart(HEARTHLANE, "Hearthlane"),
        chart(PAWTRAIL, "Pawtrail"),
        looking("what did each client cost?", "usage_cost_report", group_by="client"),
    )
    await ask(stage, INES, HEARTHLANE)
    await ask(stage, INES, PAWTRAIL)
    clients = await stage.db.pool.fetch("select client_id from agent_runs order by started_at")
    assert [row["client_id"] for row in clients] == [client_id("Hearthlane"), client_id("Pawtrail")]
    await stage.db.pool.execute(
        "update ai_token_usage u set cost_usd = 0.25, total_tokens = 10 from agent_runs r"
        " where r.id = u.run_id and r.client_id = $1",
        client_id("Hearthlane"),
    )
    await ask(stage, INES, "what did each client cost?")

    report = await stage.result("usage_cost_report")
    by_name = {row["name"]: row for row in report["rows"]}
    assert by_name["Hearthlane"]["cost_usd"] == report["total_usd"] == 0.75
    assert by_name["Pawtrail"]["cost_usd"] == 0
    assert by_name["Pawtrail"]["unpriced"] > 0
    assert "without a known price" in report["note"]


@pytest.mark.parametrize(
    ("group", "names"),
    [
        ("tool", {"Drawing the org chart", "answers, without a tool", "Looking for a tool"}),
        ("person", {"Ines Varga"}),
        ("stage", {"main"}),
    ],
)
async def test_costs_add_up_by_whatever_they_are_grouped(
    acting: Acting, group: str, names: set[str]
) -> None:
    stage = await acting(
        chart(HEARTHLANE, "Hearthlane"),
        looking("what did it cost?", "usage_cost_report", group_by=group),
    )
    await ask(stage, INES, HEARTHLANE)
    await stage.db.pool.execute("update ai_token_usage set cost_usd = 0.5")
    await ask(stage, INES, "what did it cost?")

    report = await stage.result("usage_cost_report")
    assert names <= {row["name"] for row in report["rows"]}
    assert sum(row["cost_usd"] for row in report["rows"]) == pytest.approx(1.5)


async def test_costs_by_week_come_the_latest_first_and_are_named_by_their_monday(
    acting: Acting,
) -> None:
    stage = await acting(
        chart(HEARTHLANE, "Hearthlane"),
        looking("what did each week cost?", "usage_cost_report", group_by="week"),
    )
    await ask(stage, INES, HEARTHLANE)
    pool = stage.db.pool
    await pool.execute("update ai_token_usage set cost_usd = 9, created_at = '2026-01-01 12:00Z'")
    await pool.execute(
        "insert into ai_token_usage (tool, team_id, stage, model, prompt_tokens, completion_tokens,"
        " total_tokens, cost_usd, created_at) select 'agencyclaw', team_id, 'main', 'm', 1, 1, 2,"
        " 0.5, created_at + interval '7 days' from ai_token_usage limit 1"
    )
    costs = await reader_for(stage.db, "Ines Varga", Tier.ADMIN).costs(3650, "week")
    assert [row.name for row in costs.rows] == ["2026-01-05", "2025-12-29"]
    assert costs.rows[0].cost_usd == 0.5
    await pool.execute("update ai_token_usage set created_at = now()")
    await ask(stage, INES, "what did each week cost?")

    report = await stage.result("usage_cost_report")
    assert len(report["rows"]) == 1
    assert "named by its Monday" in report["note"]


async def test_what_only_admins_may_see_is_shown_in_no_channel() -> None:
    channel = Surface(kind=SurfaceKind.CHANNEL, scope=ScopeKind.INTERNAL, team_id="T1")
    for name in ("error_digest", "event_dedupe_audit", "usage_cost_report"):
        assert answered_in(channel, TOOLS[name].rule) is Answering.DIRECT


async def test_an_admin_learns_nothing_of_what_somebody_keeps_for_themselves(
    acting: Acting,
) -> None:
    words = "remind me to call the dentist"
    when = {"quote": "in 20 minutes", "source": "message", "minutes": 20}
    say = f"{words} in 20 minutes"
    stage = await acting(looking(say, "remind", words="call the dentist", when=when))
    root = await stage.say(SARA_L, say)
    await offer(stage, SARA_L, root, "Set reminder")
    run_id = await stage.db.pool.fetchval("select id from agent_runs")

    seen = await reader_for(stage.db, "Ines Varga", Tier.ADMIN).run(str(run_id))
    assert seen.changes == ()
    [own] = (await reader_for(stage.db, "Sara Lindqvist", Tier.MEMBER).run(str(run_id))).changes
    assert "dentist" in own.headline


@pytest.mark.parametrize(
    "taken_back",
    [
        "update agent_runs set status = 'cancelled', error_message = 'unsaid'",
        "update agent_runs set status = 'cancelled', error_message = 'overtaken'",
        """update slack_event_receipts set payload = payload || '{"text": ""}'""",
    ],
)
async def test_what_was_taken_back_or_answered_is_not_tried_again(
    acting: Acting, taken_back: str
) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"))
    await ask(stage, SARA_L, GLINTLY)
    run_id = await stage.db.pool.fetchval("update agent_runs set status = 'failed' returning id")
    assert await retries_left(stage.db, run_id) == 3
    await stage.db.pool.execute(taken_back)
    assert await retries_left(stage.db, run_id) == 0


async def test_a_run_is_tried_again_only_after_its_last_retry_failed(acting: Acting) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"))
    await ask(stage, SARA_L, GLINTLY)
    run_id = await stage.db.pool.fetchval("update agent_runs set status = 'failed' returning id")
    async with stage.db.transaction() as conn:
        assert await store_retry(conn, run_id, 1)
    assert await retries_left(stage.db, run_id) == 0
    await stage.settled()
    async with stage.db.transaction() as conn:
        assert not await store_retry(conn, run_id, 2)

    await stage.db.pool.execute("update agent_runs set status = 'failed'")
    assert await retries_left(stage.db, run_id) == 2


async def test_a_retry_that_was_answered_at_its_second_attempt_is_not_offered_again(
    acting: Acting,
) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"))
    await ask(stage, SARA_L, GLINTLY)
    run_id = await stage.db.pool.fetchval("update agent_runs set status = 'failed' returning id")
    async with stage.db.transaction() as conn:
        assert await store_retry(conn, run_id, 1)
    await stage.settled()
    await stage.db.pool.execute("""
        insert into agent_runs select (jsonb_populate_record(r, jsonb_build_object(
          'id', gen_random_uuid(), 'run_key', 'receipt:0:1', 'status', 'cancelled',
          'error_message', 'interrupted', 'started_at', r.started_at - interval '1 second'))).*
        from agent_runs r where status = 'completed'
    """)

    assert await retries_left(stage.db, run_id) == 0


async def test_what_failed_in_the_background_is_tried_again_in_its_conversation(
    acting: Acting,
) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"))
    await ask(stage, SARA_L, GLINTLY)
    lane = await stage.db.pool.fetchval("select lane from slack_event_receipts")
    beside = "update slack_event_receipts set lane = 'background:' || lane || ':1'"
    await stage.db.pool.execute(beside)
    run_id = await stage.db.pool.fetchval("update agent_runs set status = 'failed' returning id")
    async with stage.db.transaction() as conn:
        assert await store_retry(conn, run_id, 1)

    lanes = "select lane from slack_event_receipts order by id desc limit 1"
    assert await stage.db.pool.fetchval(lanes) == lane


async def test_a_message_that_was_tried_again_is_forgotten_when_it_is_deleted(
    acting: Acting,
) -> None:
    stage = await acting(chart(GLINTLY, "Glintly Inc"))
    await ask(stage, SARA_L, GLINTLY)
    run_id = await stage.db.pool.fetchval("update agent_runs set status = 'failed' returning id")
    async with stage.db.transaction() as conn:
        assert await store_retry(conn, run_id, 1)
    await stage.settled()
    rows = await stage.db.pool.fetch("select * from slack_event_receipts order by id")
    incoming = Incoming.model_validate(rows[0]["payload"])
    deleted = incoming.model_copy(update={"text": "", "about_ts": incoming.slack_ts})
    await reword(stage.db, deleted, begun="")

    texts = "select payload ->> 'text' as text from slack_event_receipts"
    assert [row["text"] for row in await stage.db.pool.fetch(texts)] == ["", ""]


async def offered_retry(stage: Stage, mind: ScriptedModel) -> tuple[str, str, Any]:
    """Let a run fail; returns its thread, that of Ines and her card to retry it."""
    root = await stage.say(SARA_L, GLINTLY)
    await stage.reply(SARA_L, root)
    await stage.settled()
    run_id = await stage.db.pool.fetchval("update agent_runs set status = 'failed' returning id")
    retry = calls("run_retry", run=str(run_id)[:8])
    mind.answers(calls("search_tools", queries=["run_retry"]), retry, "It is on the card.")
    card_root = await stage.say(INES, "try that again")
    return root, card_root, await offer(stage, INES, card_root, "Try again")


async def test_a_failed_run_is_tried_again_by_a_press_for_whoever_asked(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("I could not.")
    async with minded(bench, agency, mind) as stage:
        root, card_root, card = await offered_retry(stage, mind)
        assert "Sara Lindqvist" in whole_text(card)
        assert GLINTLY not in whole_text(card)
        assert len(await stage.replies(SARA_L, root)) == 1

        mind.answers("Hana does.")
        await stage.press(INES, card, "Try again")
        await stage.reply_with(INES, card_root, "is being answered again")
        await stage.reply_with(SARA_L, root, "Hana does.")
        await stage.settled()
    rows = await agency.pool.fetch(
        "select status from agent_runs where actor_profile_id = $1 order by started_at",
        person_id("Sara Lindqvist"),
    )
    assert [row["status"] for row in rows] == ["failed", "completed"]


async def test_words_that_are_answered_again_confirm_no_card_that_came_since(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel("I could not.")
    async with minded(bench, agency, mind) as stage:
        root, _, card = await offered_retry(stage, mind)
        await agency.pool.execute(
            "update slack_event_receipts set payload = payload || $1 where slack_user_id = $2",
            {"text": "yes"},
            SARA_L,
        )
        task = {"client": "Glintly Inc", "title": TASK, "objective": ASKED}
        mind.answers(calls("create_task", **task), "It is on the card.")
        await stage.say(SARA_L, ASKED, thread=root)
        await offer(stage, SARA_L, root)

        mind.answers("I read that again.")
        await stage.press(INES, card, "Try again")
        await stage.reply_with(SARA_L, root, "I read that again.")
        await stage.settled()
        assert await stage.creates_sent() == 0
        states = [row["state"] for row in await stage.proposals()]
    assert sorted(states) == ["done", "open"]
