"""A run that comes to no answer says what it did, what stopped it and what to do; none bluffs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acting import INES, TASK, ScriptedModel, calls, minded, offer, states
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from stage import Stage, dm, on_stage, whole_text

from agencyclaw.agents.main import Models
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

PREPARES = calls(
    "create_task",
    client="Glintly Inc",
    title=TASK,
    objective="refresh the Glintly Inc storefront banner for the spring launch with three photos",
)
REJECTED = "I called list_tasks and create_task for you."
BODY = {"error": {"message": "This model does not support parallel tools.", "code": "x"}}
BAD_REQUEST = ModelHTTPError(400, "mind", BODY)


async def answered(stage: Stage, words: str = "what is due at Copperleaf?") -> str:
    root = await stage.say(INES, words)
    await stage.reply(INES, root)
    await stage.settled()
    return "\n".join([whole_text(one) for one in await stage.replies(INES, root)])


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("rate_limited", "ClickUp limits how often I may ask it"),
        ("error_before", "ClickUp can't be reached right now"),
        ("reset_before", "ClickUp can't be reached right now"),
    ],
)
async def test_a_clickup_that_is_away_all_along_is_named_with_what_was_found(
    bench: Bench, agency: Database, brisk: None, kind: str, why: str
) -> None:
    looks = [calls("search_kb", query="coupon"), *[_tasks(day) for day in range(1, 30)]]
    async with minded(bench, agency, ScriptedModel(*looks)) as stage:
        await bench.set_fault("clickup", kind, times=1_000)
        said = await answered(stage)

    assert "Reading ClickUp tasks: Copperleaf" in said
    assert "ClickUp is what failed" in said
    assert why in said
    assert "Coupons Promotion SOP" in said
    assert "Nothing was changed." in said
    assert "give an admin this reference" in said


def _tasks(days: int) -> ModelResponse:
    return calls("list_tasks", client="Copperleaf", window="next_n_days", days=days)


async def test_a_providers_refusal_is_told_as_one_and_its_reason_is_kept_for_an_admin(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel(BAD_REQUEST)) as stage:
        said = await answered(stage)

    assert "refused what I sent it." in said
    assert "An admin finds the reason in the record of this run" in said
    assert "parallel tools" not in said
    assert "try again" not in said
    kept = await agency.pool.fetchval("select output_payload ->> 'cause' from agent_runs")
    assert "This model does not support parallel tools" in kept


@pytest.mark.parametrize(
    "trouble",
    [
        (REJECTED,),
        (BAD_REQUEST,),
        (ModelHTTPError(503, "mind", None),),
        (ModelResponse(parts=[TextPart("")]),),
    ],
    ids=["three rejected answers", "a refusal", "an outage", "nothing"],
)
async def test_a_card_comes_whatever_becomes_of_the_words(
    bench: Bench, agency: Database, trouble: tuple[Any, ...]
) -> None:
    async with minded(bench, agency, ScriptedModel(PREPARES, *trouble)) as stage:
        root = await stage.say(INES, "refresh the Glintly Inc storefront banner, please")
        said = whole_text(await stage.reply(INES, root))
        card = await offer(stage, INES, root)

        assert "What I prepared is on the card." in said
        assert "until you confirm" in said
        assert await states(stage) == ["open"]
        await stage.press(INES, card, "Create task")
        await stage.created(TASK)


async def test_what_was_sent_back_for_its_figures_did_not_fail_or_take_too_long(
    bench: Bench, agency: Database
) -> None:
    invented = calls(
        "create_task", client="Glintly Inc", title=TASK, objective="Finish it within 77 hours."
    )
    async with minded(bench, agency, ScriptedModel(invented, BAD_REQUEST)) as stage:
        said = await answered(stage, "refresh the Glintly Inc storefront banner, please")

    assert "it named what nobody had stated" in said
    assert "it failed or took too long" not in said


async def forever(_: object, __: object) -> str:
    await asyncio.Event().wait()
    return ""


async def test_a_card_comes_when_time_is_up(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(PREPARES, forever)
    async with minded(bench, agency, mind, agencyclaw_turn_timeout_s=5.0) as stage:
        root = await stage.say(INES, "refresh the Glintly Inc storefront banner, please")
        await offer(stage, INES, root)
        assert "took too long" in whole_text(await stage.reply(INES, root))


async def test_no_card_comes_of_what_the_person_stopped(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(PREPARES, forever)
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "refresh the Glintly Inc storefront banner, please")
        await bench.until(lambda: len(mind.told) == 2)
        assert (await bench.stop(dm(INES), INES, root))["ok"]
        assert "Stopped, as you asked" in whole_text(await stage.reply(INES, root))
        await stage.settled()
        assert await states(stage) == []


def minds(*answers: Any) -> tuple[ScriptedModel, FunctionModel]:
    mind = ScriptedModel(*answers)
    return mind, FunctionModel(mind.answer, model_name="mind")


@pytest.mark.parametrize(
    "trouble",
    [
        [BAD_REQUEST],
        [REJECTED],
        [ModelResponse(parts=[TextPart("")])],
        [calls("lookup_client", query=["x"]), calls("lookup_client", query=["y"])],
    ],
    ids=["refused", "rejected", "empty", "two tool errors"],
)
async def test_the_stronger_model_is_asked_before_the_person_is_told(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch, trouble: list[Any]
) -> None:
    usual, default = minds(*trouble, "I am the usual one.")
    strong, frontier = minds("I am the stronger one.")
    models = Models(default, frontier=frontier)
    monkeypatch.setattr("agencyclaw.app.choose_models", lambda _: (models, "minds"))
    async with on_stage(bench, agency) as stage:
        assert "I am the stronger one." in await answered(stage)

    assert len(usual.told) == len(trouble)
    assert len(strong.told) == 1


async def test_a_run_never_goes_a_tier_down(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = calls("lookup_client", query=["x"])
    usual, default = minds(wrong)
    strong, frontier = minds(calls("lookup_client"), calls("lookup_brand"), "Seven clients.")
    models = Models(default, frontier=frontier)
    monkeypatch.setattr("agencyclaw.app.choose_models", lambda _: (models, "minds"))
    async with on_stage(bench, agency) as stage:
        assert "Seven clients." in await answered(stage)

    assert (len(usual.told), len(strong.told)) == (2, 3)


async def test_a_model_that_was_refused_is_not_asked_again_in_the_run(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, default = minds(BAD_REQUEST, "I am the usual one.")
    strong, frontier = minds(calls("lookup_client"), "Seven clients.")
    models = Models(default, frontier=frontier)
    monkeypatch.setattr("agencyclaw.app.choose_models", lambda _: (models, "minds"))
    async with on_stage(bench, agency) as stage:
        assert "Seven clients." in await answered(stage)

    assert (len(usual.told), len(strong.told)) == (1, 2)


async def test_the_model_that_was_asked_last_is_named_with_its_own_setting(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, default = minds(REJECTED)
    gone = ScriptedModel(ModelHTTPError(404, "strong", None))
    models = Models(default, frontier=FunctionModel(gone.answer, model_name="strong"))
    monkeypatch.setattr("agencyclaw.app.choose_models", lambda _: (models, "minds"))
    async with on_stage(bench, agency) as stage:
        await answered(stage)

    kept = await agency.pool.fetchval("select output_payload ->> 'cause' from agent_runs")
    assert "no model function:strong" in kept
    assert "Set AGENCYCLAW_MODEL_FRONTIER to one it has" in kept


async def test_after_four_failures_in_a_row_what_failed_is_put_aside(
    bench: Bench, agency: Database, brisk: None
) -> None:
    mind = ScriptedModel(*[_tasks(day) for day in range(1, 5)], "ClickUp was out of reach.")
    async with minded(bench, agency, mind) as stage:
        await bench.set_fault("clickup", "rate_limited", times=1_000)
        assert "ClickUp was out of reach." in await answered(stage)

    assert "list_tasks" in mind.offered[3]
    assert "list_tasks" not in mind.offered[4]
    assert "is put aside for this answer" in mind.heard()


def _searches(number: int) -> ModelResponse:
    calls = [ToolCallPart("search_kb", {"query": f"coupon {at}"}) for at in range(number)]
    return ModelResponse(parts=list(calls))


async def test_twenty_parallel_calls_of_one_tool_all_run(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(_searches(20), _searches(20), "Read them all.")
    async with minded(bench, agency, mind) as stage:
        assert "Read them all." in await answered(stage)
        rows = await stage.db.pool.fetch(
            "select payload from agent_skill_events where event_type = 'skill_result'"
        )
        refused = await stage.db.pool.fetchval(
            "select count(*) from agent_events where event_type = 'tool_refused'"
        )

    assert len(rows) == 40
    assert all("result" in row["payload"] for row in rows)
    assert refused == 0


async def test_what_is_beyond_the_limit_is_told_once(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(_searches(60), "These are the first ones.")
    async with minded(bench, agency, mind) as stage:
        said = await answered(stage)

    assert said.count("10 more were left out") == said.count("These are the first ones.")
    assert mind.heard().count("One message may make 50 calls") == 1
