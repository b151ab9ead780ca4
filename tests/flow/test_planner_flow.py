"""The planner: it reads and suggests, and says honestly when it could not."""

from __future__ import annotations

from typing import Any

from acting import ASKED, INES, MIGUEL, TASK, ScriptedModel, calls, minded, offer, states
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, whole_text

from agencyclaw.agents.prompts import load_prompt
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

GOAL = "Get the Glintly storefront ready for the spring launch"
CREATE = {"client": "Glintly Inc", "title": TASK, "objective": ASKED}


def sought() -> ModelResponse:
    return calls("search_tools", queries=["plan a larger piece of work"])


def delegate(goal: str = GOAL) -> ModelResponse:
    return calls("delegate_planner", goal=goal)


def plan(**fields: Any) -> ModelResponse:
    whole: dict[str, Any] = {
        "intent": "prepare the spring launch",
        "summary": "Glintly Inc is a client of the agency, and nothing is prepared yet.",
        "steps": [{"tool": "create_task", "arguments": CREATE, "reason": "the banner comes first"}],
        "open_questions": ["Who writes the texts?"],
        "success_criteria": ["The banner is live."],
        "complexity": "complex",
        "confidence": 0.7,
    }
    return ModelResponse(parts=[ToolCallPart("final_result", whole | fields)])


class Pair(ScriptedModel):
    """A main agent and a planner, each with answers of its own."""

    def __init__(self, *answers: Any, planner: list[Any]) -> None:
        super().__init__(*answers)
        self.planner = ScriptedModel(*planner)

    async def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        is_planner = info.instructions == load_prompt("planner").text
        return await (self.planner.answer if is_planner else super().answer)(messages, info)


async def run_of(stage: Stage, kind: str) -> dict[str, Any]:
    return dict(
        await stage.db.pool.fetchrow(
            "select * from agent_runs where run_type = $1 order by started_at desc limit 1", kind
        )
    )


async def report_of(stage: Stage) -> dict[str, Any]:
    return await stage.db.pool.fetchval(
        "select content from agent_messages where role = 'planner_report' order by id desc limit 1"
    )


async def test_a_plan_is_made_by_a_run_below_and_its_report_is_stored(
    bench: Bench, agency: Database
) -> None:
    looks = [calls("lookup_client", query=query) for query in ("Glintly", "Zebra", ["miscalled"])]
    mind = Pair(sought(), delegate(), "First comes the banner.", planner=[*looks, plan()])
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "plan the spring launch of Glintly Inc")
        await stage.reply_with(INES, root, "First comes the banner.")
        await stage.settled()
        main, child = await run_of(stage, "main"), await run_of(stage, "planner")
        report = await report_of(stage)

    assert (main["status"], child["status"]) == ("completed", "completed")
    assert child["parent_run_id"] == main["id"]
    assert child["trace_id"] == main["trace_id"]
    assert report["state"] == "completed"
    assert report["plan"]["summary"].startswith("Glintly Inc is a client")
    assert report["plan"]["open_questions"] == ["Who writes the texts?"]
    assert report["plan"]["confidence"] == 0.7
    assert [(one["tool"], one["outcome"]) for one in report["actions"]] == [
        ("lookup_client", "1 found"),
        ("lookup_client", "nothing"),
    ]
    assert report["actions"][0]["evidence"].startswith(f"ev:{str(child['id'])[:8]}/")
    heard = mind.heard()
    assert '"waits_for_the_person":true' in heard
    assert "nothing was prepared" in heard


async def test_what_a_plan_has_to_ask_reaches_the_person(bench: Bench, agency: Database) -> None:
    nothing_yet = plan(intent="unknown", steps=[], summary="It is not said for whom.")
    bluff = Pair(sought(), delegate(), "I looked at it.", planner=[nothing_yet])
    async with minded(bench, agency, bluff) as stage:
        said = whole_text(await stage.reply(INES, await stage.say(INES, "plan the launch")))
    assert "I looked at it." in said
    assert "Who writes the texts?" in said

    asks = Pair(sought(), delegate(), "Who is to write the texts?", planner=[nothing_yet])
    async with minded(bench, agency, asks) as stage:
        said = whole_text(await stage.reply(INES, await stage.say(INES, "plan the launch")))
    assert "Who writes the texts?" not in said


async def test_what_a_plan_would_change_waits_for_a_persons_own_yes(
    bench: Bench, agency: Database
) -> None:
    mind = Pair(
        sought(),
        delegate(),
        calls("create_task", **CREATE),
        "The banner task is on the card.",
        planner=[calls("create_task", **CREATE), plan()],
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, f"plan it and prepare the first step: {ASKED}")
        card = await offer(stage, INES, root)
        planner = await run_of(stage, "planner")
        [proposal] = await stage.proposals()
        assert proposal["run_id"] != planner["id"]
        assert await states(stage) == ["open"]
        assert await stage.creates_sent() == 0
        refused = await stage.events("tool_refused")

        await stage.press(INES, card, "Create task")
        await stage.created(TASK)
    assert [one["run_id"] for one in refused] == [planner["id"]]


async def test_without_a_planner_the_person_is_helped_all_the_same(
    bench: Bench, agency: Database
) -> None:
    mind = Pair(
        sought(),
        delegate(),
        "I would begin with the banner.",
        planner=[ModelHTTPError(status_code=503, model_name="planner")],
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "plan the spring launch of Glintly Inc")
        await stage.reply_with(INES, root, "I would begin with the banner.")
        await stage.settled()
        main, child = await run_of(stage, "main"), await run_of(stage, "planner")

    assert (main["status"], child["status"]) == ("completed", "failed")
    assert "There is no plan. Help the person without one." in mind.heard()


async def test_a_planner_out_of_steps_reports_what_it_found_and_the_person_is_told(
    bench: Bench, agency: Database
) -> None:
    async def looking(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        return calls("lookup_client", query=f"Glintly {len(messages)}")

    mind = Pair(sought(), delegate(), "So far: Glintly is a client.", planner=[looking])
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "plan the spring launch of Glintly Inc")
        said = whole_text(await stage.reply_with(INES, root, "So far"))
        await stage.settled()
        report = await report_of(stage)
        requests = await agency.pool.fetchval(
            "select count(*) from ai_token_usage where stage = 'planner'"
        )

    assert report["state"] == "budget_exhausted"
    assert report["actions"]
    assert "I ran out of steps while I planned this, so it may be incomplete." in said
    assert requests <= 6


async def test_a_plan_that_nobody_could_carry_out_is_sent_back(
    bench: Bench, agency: Database
) -> None:
    step = {"tool": "create_task", "arguments": CREATE}
    mind = Pair(
        sought(),
        delegate(),
        "First comes the banner.",
        planner=[
            plan(steps=[step] * 4),
            plan(steps=[{"tool": "launch_rocket", "arguments": {}}, {"tool": "create_task"}]),
            plan(),
        ],
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "plan the spring launch of Glintly Inc")
        await stage.reply_with(INES, root, "First comes the banner.")
        await stage.settled()
        report = await report_of(stage)

    told = str(mind.planner.told[-1])
    assert "At most 3 steps" in told
    assert "There is no tool “launch_rocket” for a step" in told
    assert "create_task can't be called like that" in told
    assert report["state"] == "completed"


async def test_a_real_intent_needs_a_step_and_an_unknown_one_needs_none(
    bench: Bench, agency: Database
) -> None:
    nothing = {"steps": [], "open_questions": ["Which launch do you mean?"]}
    mind = Pair(
        sought(),
        delegate("the launch"),
        "Which launch do you mean?",
        planner=[plan(**nothing), plan(intent="unknown", **nothing)],
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "plan the launch")
        await stage.reply_with(INES, root, "Which launch")
        await stage.settled()
        report = await report_of(stage)

    assert "Without a step the intent is “unknown”" in str(mind.planner.told[-1])
    assert report["state"] == "needs_clarification"


async def test_two_plans_without_a_step_are_no_plan_to_go_on_with(
    bench: Bench, agency: Database
) -> None:
    unknown = plan(intent="unknown", steps=[], summary="It is not said for whom.")
    mind = Pair(
        sought(), delegate(), delegate("Plan the clean-up"), "For whom?", planner=[unknown, unknown]
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply_with(INES, await stage.say(INES, "plan launch and clean-up"), "For whom?")

    assert mind.heard().count('"state":"needs_clarification"') == 2


async def test_the_same_plan_twice_ends_the_planning(bench: Bench, agency: Database) -> None:
    mind = Pair(
        sought(),
        delegate(),
        delegate("Once more, please"),
        delegate("And again"),
        "First comes the banner.",
        planner=[plan(), plan(summary="In other words, Glintly Inc is a client.")],
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "plan the spring launch of Glintly Inc")
        await stage.reply_with(INES, root, "First comes the banner.")
        await stage.settled()
        planners = await agency.pool.fetchval(
            "select count(*) from agent_runs where run_type = 'planner'"
        )

    assert planners == 2
    assert mind.heard().count('"state":"stabilised"') == 2


async def test_a_step_the_person_may_not_take_is_named_as_refused(
    bench: Bench, agency: Database
) -> None:
    step = {
        "tool": "assign_person",
        "arguments": {"person": "Yuki", "role": "csl", "client": "Glintly Inc"},
    }
    mind = Pair(sought(), delegate(), "You may not.", planner=[plan(steps=[step])])
    async with minded(bench, agency, mind) as stage:
        await stage.reply(MIGUEL, await stage.say(MIGUEL, "make Yuki the lead of Glintly Inc"))
        await stage.settled()
        child = await run_of(stage, "planner")
        report = await report_of(stage)

    assert (child["status"], report["state"]) == ("blocked", "blocked")
    assert report["plan"]["steps"] == []
    assert "assign_person" not in mind.planner.heard()


async def test_what_a_plan_says_is_checked_like_an_answer(bench: Bench, agency: Database) -> None:
    mind = Pair(
        sought(),
        delegate(),
        "First comes the banner.",
        planner=[
            plan(summary="Glintly sold 48,213 USD."),
            plan(success_criteria=["Sales grow by 93.5%."]),
            plan(),
        ],
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "plan the spring launch of Glintly Inc")
        await stage.reply_with(INES, root, "First comes the banner.")

    assert "48,213" not in mind.heard()
    assert "93.5" not in mind.heard()
