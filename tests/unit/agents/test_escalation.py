"""In trouble a run asks a stronger model, goes on to the next provider, and drops what fails."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic_ai import Agent, ModelRetry
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.agents.policies.escalation import Escalation, with_fallbacks
from agencyclaw.agents.policies.journal import Journal
from agencyclaw.agents.policies.limits import CALLS_AT_MOST, RunLimits
from agencyclaw.agents.policies.run_policies import RunPolicies
from agencyclaw.agents.policies.trail import Trail
from agencyclaw.deps import Deps
from agencyclaw.tools.results import Refusal, Result
from tests.fakes.ports import demo_agency
from tests.unit.agents.test_journal import SlowLog

FAILED = Refusal(reason="broken", message="It broke.")


def answering(words: str) -> FunctionModel:
    async def answer(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart(words)])

    return FunctionModel(answer, model_name=words)


async def refuse(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
    raise ModelHTTPError(400, "weak", {"message": "not with these tools"})


def called(trail: Trail, tool: str, result: Any) -> None:
    trail.record_result(ToolCallPart(tool, {}), tool, result)


def a_call(number: int) -> ToolCallPart:
    return ToolCallPart("read_task", {"task": str(number)})


def test_two_errors_in_a_row_bring_the_stronger_model_and_it_stays() -> None:
    weak, strong = answering("weak"), answering("strong")
    escalation = Escalation((weak, strong), trail := Trail())

    called(trail, "list_tasks", FAILED)
    assert escalation.select(0) is not strong
    called(trail, "list_tasks", FAILED)
    assert escalation.select(0) is strong
    called(trail, "list_tasks", Result())
    assert escalation.select(0) is strong


def test_a_rejected_answer_brings_the_stronger_model() -> None:
    weak, strong = answering("weak"), answering("strong")

    assert Escalation((weak, strong), Trail()).select(1) is strong


async def test_what_one_provider_refuses_the_next_model_is_asked() -> None:
    models = (FunctionModel(refuse, model_name="weak"), answering("Here it is."))

    assert (await Agent(with_fallbacks(models)).run("hello")).output == "Here it is."


async def test_the_model_that_answered_in_place_of_another_stays() -> None:
    weak, middle, strong = FunctionModel(refuse, model_name="weak"), answering("b"), answering("c")
    escalation = Escalation((weak, middle, strong), Trail())
    answered = await Agent(escalation.select(0)).run("hello")

    escalation.record_response(answered.response)

    assert (await Agent(escalation.select(0)).run("hello")).response.failed_attempts is None
    assert escalation.level == 1


def test_what_fails_four_times_in_a_row_is_put_aside_and_the_model_is_told() -> None:
    escalation = Escalation((answering("only"),), trail := Trail())
    for _ in range(3):
        called(trail, "list_tasks", FAILED)
        assert escalation.withdraw(FAILED) is FAILED

    called(trail, "list_tasks", FAILED)
    told = escalation.withdraw(FAILED)

    assert escalation.withdrawn == {"list_tasks"}
    assert "put aside" in told.message


def test_many_calls_at_once_all_run_up_to_the_limit_of_a_message() -> None:
    limits = RunLimits(max_requests=10)

    refused = [limits.refuse(one, {"task": one.tool_call_id}) for one in map(a_call, range(20))]

    assert not any(refused)
    assert (limits.calls, limits.left_out) == (20, 0)


def test_calls_beyond_the_limit_are_counted_and_said() -> None:
    limits = RunLimits(max_requests=10)
    for number in range(CALLS_AT_MOST):
        limits.refuse(a_call(number), {"task": str(number)})

    assert str(CALLS_AT_MOST) in limits.refuse(a_call(-1), {"task": "-1"})
    assert limits.left_out == 1


async def test_no_tool_is_offered_once_a_message_has_made_its_calls_failed_ones_too() -> None:
    limits = RunLimits(max_requests=10, max_calls=2)
    offered: list[int] = []

    async def answer(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        offered.append(len(info.function_tools))
        if not info.function_tools:
            return ModelResponse(parts=[TextPart("That is all.")])
        return ModelResponse(parts=[ToolCallPart("list_tasks", {"day": len(offered)})])

    agent = Agent(FunctionModel(answer), deps_type=Deps, retries={"tools": 5})

    @agent.tool_plain
    async def list_tasks(day: int) -> str:
        raise ModelRetry(f"Day {day} is not there.")

    log = SlowLog()
    log.may_store.set()
    journal = Journal(log, UUID(int=1))
    policies = RunPolicies(Escalation((FunctionModel(answer),), Trail()), journal, limits)
    await agent.run("hello", deps=demo_agency().run(), capabilities=[policies])

    assert offered == [1, 1, 0]
