"""What a process says in its log: a line per turn and delivery, with run, place and cause."""

from __future__ import annotations

from typing import Any

import pytest
from acting import ScriptedModel, minded
from pydantic_ai.exceptions import ModelHTTPError
from stage import eventually, on_stage

from agencyclaw.cli.reports import show_run
from agencyclaw.domain.errors import Refused
from agencyclaw.settings import Settings
from agencyclaw.store.engine import Database
from agencyclaw.store.restored import put_aside
from workbench.fixture import Bench

INES = "U01INES"


async def test_a_turn_and_its_delivery_leave_a_line_each_with_the_run(
    bench: Bench, agency: Database, log: list[dict[str, Any]]
) -> None:
    async with minded(bench, agency, ScriptedModel("Nothing new.")) as stage:
        root = await stage.say(INES, "what is new?")
        await stage.reply_with(INES, root, "Nothing new.")
        await stage.settled()
    run = str(await agency.pool.fetchval("select id from agent_runs"))

    [turn] = [line for line in log if line["message"] == "turn ended"]
    assert (turn["run"], turn["channel"], turn["kind"]) == (run, "D01INES", "message")
    [delivered] = [line for line in log if line["message"] == "delivered"]
    assert (delivered["run"], delivered["channel"]) == (run, "D01INES")


async def test_an_attempt_that_waits_or_fails_leaves_a_line_with_its_cause(
    bench: Bench, agency: Database, log: list[dict[str, Any]]
) -> None:
    mind = ScriptedModel(ModelHTTPError(503, "m"), RuntimeError("a bug"), "Nothing new.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "what is new?")
        await stage.reply_with(INES, root, "Nothing new.")
        await stage.settled()

    turns = [line for line in log if line["message"].startswith("turn ")]
    assert [(line["message"], line["attempt"]) for line in turns] == [
        ("turn waits", 1),
        ("turn failed", 1),
        ("turn ended", 2),
    ]
    assert {line["channel"] for line in turns} == {"D01INES"}
    assert "language model" in turns[0]["why"]
    assert turns[1]["error"] == "RuntimeError"


async def test_what_cannot_be_delivered_names_channel_error_and_run(
    bench: Bench, agency: Database, log: list[dict[str, Any]]
) -> None:
    async with minded(bench, agency, ScriptedModel("Nothing new.")) as stage:
        await stage.db.pool.execute(
            "create function elsewhere() returns trigger language plpgsql as"
            " 'begin new.channel_id := ''C0GONE''; return new; end';"
            "create trigger elsewhere before insert on outbox for each row"
            " when (new.kind = 'answer') execute function elsewhere()"
        )
        await stage.say(INES, "what is new?")
        await eventually(lambda: _is_dead(agency))
    run = str(await agency.pool.fetchval("select id from agent_runs"))

    [dead] = [line for line in log if line["message"] == "undeliverable"]
    assert (dead["channel"], dead["error"], dead["run"]) == ("C0GONE", "channel_not_found", run)
    assert dead["level"] == "error"


async def test_a_key_that_is_refused_is_named_in_the_log_and_by_the_run(
    bench: Bench, agency: Database, log: list[dict[str, Any]]
) -> None:
    async with minded(bench, agency, ScriptedModel(ModelHTTPError(401, "gpt-5-mini"))) as stage:
        root = await stage.say(INES, "what is new?")
        await stage.reply_with(INES, root, "refuses me; whoever runs me has to mend that")
        await stage.settled()
    run = str(await agency.pool.fetchval("select id from agent_runs"))

    [failed] = [line for line in log if line["message"] == "model failed"]
    assert failed["run"] == run
    assert "refuses our key (HTTP 401)" in failed["why"]
    shown = await show_run(agency, run[:8], Settings(), as_json=False)
    assert "  failed: The provider of " in shown
    assert "refuses our key (HTTP 401)" in shown


async def test_restored_says_how_long_to_wait(bench: Bench, agency: Database) -> None:
    async with on_stage(bench, agency) as stage:
        await stage.say(INES, "hello")
        await stage.settled()
        with pytest.raises(Refused, match=r"wait \d+ seconds, then call this again"):
            await put_aside(agency, silence_s=600.0)


async def _is_dead(agency: Database) -> bool:
    return await agency.pool.fetchval("select exists (select 1 from outbox where state = 'dead')")
