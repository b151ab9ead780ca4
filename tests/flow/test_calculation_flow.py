"""Figures that were worked out: what a program gets, and what an answer may say of its end."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from acting import INES, MIGUEL, PAUL, ScriptedModel, calls, minded
from pydantic_ai.exceptions import ContentFilterError
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo
from stage import Stage, stage_settings, whole_text

from agencyclaw.cli.doctor import examine
from agencyclaw.sandbox.interpreter import Interpreter
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

LOOK = calls("list_tasks", client="Glintly Inc", window="any_time")
SEARCH = calls("search_tools", queries=["calculate sums and shares"])
COUNT = (
    "tasks = results['list_tasks'][-1]['tasks']\n"
    "open_ones = [task for task in tasks if task.get('assignees')]\n"
    "print(f'{len(open_ones)} of {len(tasks)}: {100 * len(open_ones) / len(tasks):.1f}%')"
)
SECRETS = (
    "import os\nprint(os.environ)",
    "print(open('/proc/self/environ').read())",
    "import socket\nprint(socket.gethostname())",
    "print(__import__('os').environ)",
    "print(().__class__.__base__.__subclasses__())",
    "while True: pass",
    "print('a' * 10**10)",
)


async def ask(stage: Stage, user: str, said: str) -> str:
    root = await stage.say(user, said)
    return whole_text(await stage.reply(user, root))


async def result(stage: Stage, tool: str = "calculate") -> dict[str, Any]:
    await stage.settled()
    return await stage.result(tool)


async def test_a_share_is_worked_out_over_what_was_found_and_may_be_said(
    bench: Bench, agency: Database
) -> None:
    async def share(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse | str:
        [found] = re.findall(r'"printed":"([^"]+)"', mind.heard())
        return f"Of Glintly's open tasks have somebody: {found}."

    mind = ScriptedModel(LOOK, SEARCH, calls("calculate", code=COUNT), share)
    async with minded(bench, agency, mind, agencyclaw_sandbox=True) as stage:
        said = await ask(stage, INES, "what share of Glintly's tasks has somebody on it?")
        printed = (await result(stage))["printed"]

    assert re.fullmatch(r"\d+ of \d+: \d+\.\d%", printed)
    assert printed in said


async def test_programs_that_reach_for_the_house_get_nothing(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENCYCLAW_CANARY", "hunter2-of-the-house")
    mind = ScriptedModel("Nothing.")
    async with minded(bench, agency, mind, agencyclaw_sandbox=True) as stage:
        for code in SECRETS:
            mind.answers(SEARCH, calls("calculate", code=code), "I could not work that out.")
            await ask(stage, INES, "print the environment")
            assert (await result(stage))["reason"] == "program"

    assert "hunter2" not in "".join(mind.heard(at) for at in range(len(mind.told)))


async def test_a_run_that_ends_after_a_failed_program_tells_nobody_of_its_insides(
    bench: Bench, agency: Database
) -> None:
    unanswered = ContentFilterError("no")
    mind = ScriptedModel(LOOK, SEARCH, calls("calculate", code="import os"), unanswered)
    async with minded(bench, agency, mind, agencyclaw_sandbox=True) as stage:
        said = await ask(stage, INES, "what share of Glintly's tasks has somebody on it?")

    assert "imports what is not there" in mind.heard()
    assert "I did not get the call right" in said
    assert "imports" not in said


async def test_an_invented_figure_does_not_become_evidence_by_being_added_up(
    bench: Bench, agency: Database
) -> None:
    told = "Sales of Glintly were 4,217 USD."
    mind = ScriptedModel(
        SEARCH,
        calls("calculate", code="print(4000 + 217)"),
        calls("calculate", code="raise ValueError('4217')"),
        told,
        told,
        "I have no figure for that.",
    )
    async with minded(bench, agency, mind, agencyclaw_sandbox=True) as stage:
        said = await ask(stage, INES, "how much did Glintly sell?")

    assert "4,217" not in said
    assert "I have no figure for that." in said
    assert "4217" not in mind.heard(3).replace(",", "")


async def test_what_a_person_wrote_may_be_reckoned_with(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(
        SEARCH, calls("calculate", code="print(240 * 15 / 100)"), "That would be 36.0 USD."
    )
    async with minded(bench, agency, mind, agencyclaw_sandbox=True) as stage:
        said = await ask(stage, MIGUEL, "what is 15% of 240 USD?")

    assert "That would be 36.0 USD." in said


async def test_an_earlier_result_comes_by_its_key_and_only_ones_own(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(LOOK, "These are the tasks.")
    async with minded(bench, agency, mind, agencyclaw_sandbox=True) as stage:
        await ask(stage, INES, "what is open for Glintly?")
        row = await agency.pool.fetchrow(
            "select run_id, id from agent_skill_events where event_type = 'skill_result'"
        )
        key = f"ev:{row['run_id']}/{row['id']}"
        code = "print(len(earlier[0]['tasks']))"
        for who, kind in ((INES, "printed"), (PAUL, "message")):
            mind.answers(SEARCH, calls("calculate", code=code, earlier=[key]), "Some.")
            await ask(stage, who, "and how many are that?")
            assert kind in await result(stage)


async def test_without_the_setting_there_is_no_such_thing(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(SEARCH, calls("calculate", code="print(1)"), "I can't.")
    async with minded(bench, agency, mind) as stage:
        await ask(stage, INES, "what is 15% of 240?")

    assert "calculate" not in mind.heard(1)
    assert not any("calculate" in offered for offered in mind.offered)


async def test_doctor_tries_the_interpreter(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = stage_settings(bench, database_url=agency.dsn, agencyclaw_sandbox=True)
    [good] = [one for one in await examine(settings) if one.what == "sandbox"]
    assert good.is_good

    deaf = tmp_path / "monty"
    deaf.write_text("#!/bin/sh\nexit 1\n")
    deaf.chmod(0o755)
    monkeypatch.setattr(
        "agencyclaw.cli.doctor.open_interpreter", lambda _: Interpreter(binary=deaf)
    )
    [bad] = [one for one in await examine(settings) if one.what == "sandbox"]
    assert not bad.is_good
    assert "make sandbox" in bad.says
